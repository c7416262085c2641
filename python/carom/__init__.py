"""Carom: simultaneous impact, for Python. numpy in, numpy out, the bits of the C++ library.

    carom.resolve(M, N, v)             one instant, as matrices
    carom.Scene()                      a scene, from a file, a dict or built in code; .start() runs it
    carom.open("x.h5")                 a recording
    carom.study(scene, vary=...)       a scene over values
    carom.operators()                  what is registered, with its promises

docs/python.md is a tutorial.
"""

from ._carom import (
    Application,
    EnergyLedger,
    ImpactProblem,
    ImpactReport,
    ImpactResult,
    InputError,
    OperatorInfo,
    RecordingError,
    StepReport,
    __version__,
    laws,
    register_operator,
    schemes,
)
from ._gradient import Gradient
from ._instants import operators, resolve
from ._recording import Recording, open, page, resume
from ._scene import Scene
from ._simulation import Simulation
from ._study import Study, study

__all__ = [
    "Application",
    "EnergyLedger",
    "Gradient",
    "ImpactProblem",
    "ImpactReport",
    "ImpactResult",
    "InputError",
    "OperatorInfo",
    "Recording",
    "RecordingError",
    "Scene",
    "Simulation",
    "StepReport",
    "Study",
    "__version__",
    "laws",
    "open",
    "operators",
    "page",
    "register_operator",
    "resolve",
    "resume",
    "schemes",
    "study",
]
