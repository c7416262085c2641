"""One scene under several operators."""

import pathlib
import tempfile

from ._carom import InputError
from ._recording import page
from ._scene import Scene


class Comparison(dict):
    """Operator: recording, in the order that was asked for. In a notebook the page, inline."""

    def to_pandas(self):
        """One row for each operator: status, energy drift, momentum, penetration, seconds."""
        import pandas

        rows = [{"operator": name, **recording.summary} for name, recording in self.items()]
        return pandas.DataFrame(rows).set_index("operator")

    def plot(self, column="kinetic", *, axes=None):
        """One column of the diagnostics over time, a line for each operator."""
        from matplotlib import pyplot

        axes = axes if axes is not None else pyplot.subplots()[1]
        for name, recording in self.items():
            axes.plot(recording["time"], recording[column], label=name)
            unit = recording.columns[column][0]
        axes.set_xlabel("time (s)")
        axes.set_ylabel(f"{column} ({unit})" if unit else column)
        axes.legend()
        return axes

    def page(self, *, max_megabytes=50.0):
        """The page that shows all of them side by side, on one clock."""
        return page(list(self.values()), max_megabytes=max_megabytes)

    def view(self):
        """Opens the page in a browser."""
        return self.page().show()

    def _repr_html_(self):
        return self.page(max_megabytes=20.0)._repr_html_()

    def __repr__(self):
        return "\n".join(f"{name}: {recording!r}" for name, recording in self.items())


def compare(scene, operators, *, directory=None, threads=1, progress=False):
    """Runs a scene once with each operator.

    scene      a Scene, or the path of a scene file
    operators  names of carom.operators(), with options as "gauss_seidel:order=random,seed=1"
    directory  where the recordings go; without one, a temporary one

    Gives back a Comparison: a dict of recordings, with to_pandas(), plot(), page(), view().
    """
    if isinstance(operators, str):
        operators = [operators]
    operators = list(operators)
    if not operators:
        raise InputError("operators: there is nothing to compare")
    if len(set(operators)) < len(operators):
        raise InputError("operators: one of them is there twice")
    scene = scene if isinstance(scene, Scene) else Scene.from_toml(pathlib.Path(scene))
    directory = pathlib.Path(directory if directory is not None else tempfile.mkdtemp(prefix="carom-"))
    directory.mkdir(parents=True, exist_ok=True)
    names = {name: name.replace(":", "-").replace(",", "-").replace("=", "-").replace("/", "-")
             for name in operators}
    return Comparison((name, scene.record(directory / f"{file}.h5", operator=name, threads=threads,
                                          progress=progress)) for name, file in names.items())
