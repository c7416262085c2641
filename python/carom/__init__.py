"""Carom: simultaneous impact, for Python. numpy in, numpy out, the bits of the C++ library.

    carom.resolve(M, N, v)             one instant, as matrices
    carom.Scene()                      a scene, from a file, a dict or built in code; .start() runs it
    carom.open("x.h5")                 a recording
    carom.compare(scene, operators)    a scene once with each operator
    carom.study(scene, vary=...)       a scene over values
    carom.operators()                  what is registered, with its promises
    carom.chart()                      operators against the laws of impact, measured
    carom.gallery()                    the papers' experiments, which come with it

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
from ._compare import Comparison, compare
from ._gallery import gallery
from ._gradient import Gradient
from ._instants import chart, operators, resolve
from ._recording import Recording, open, page, resume
from ._scene import Scene
from ._simulation import LiveRecording, Simulation
from ._study import Study, study

__all__ = [
    "Application",
    "Comparison",
    "EnergyLedger",
    "Gradient",
    "ImpactProblem",
    "ImpactReport",
    "ImpactResult",
    "InputError",
    "LiveRecording",
    "OperatorInfo",
    "Recording",
    "RecordingError",
    "Scene",
    "Simulation",
    "StepReport",
    "Study",
    "__version__",
    "chart",
    "compare",
    "gallery",
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
