"""Studies: a scene over values, on all cores or on whatever executor there is."""

import concurrent.futures
import contextlib
import os
import pathlib
import time

from . import _carom, _toml
from ._carom import InputError
from ._scene import Scene
from ._simulation import _Bar

# How often a pool that lost a worker is made again before the study gives up.
_MOST_POOLS = 10


def _run_of_study(arguments, number):
    """What an executor calls, in any process."""
    return number, _carom.StudyPlan(*arguments).run(number)


class Study:
    """The outcome of study(): one row for each run, in the order of the runs."""

    def __init__(self, plan, keys, measures):
        self._plan = plan
        self._keys = list(keys)
        self._measures = list(measures)
        self._rows = {}

    def __len__(self):
        return len(self._plan)

    @property
    def finished(self):
        """How many runs are done."""
        return len(self._rows)

    @property
    def rows(self):
        """A dict for each finished run: run, the varied values, status, the measures."""
        rows = []
        for number, (values, status, measured) in sorted(self._rows.items()):
            row = {"run": number}
            row.update({key: _number(value) for key, value in zip(self._keys, values)})
            row["status"] = status
            row.update(zip(self._measures, measured))
            rows.append(row)
        return rows

    def __getitem__(self, column):
        return [row[column] for row in self.rows]

    def to_csv(self):
        """The table as `carom sweep` writes it, to the byte."""
        return self._plan.csv(self._rows)

    def to_pandas(self):
        """The rows as a pandas table."""
        import pandas

        return pandas.DataFrame(self.rows).set_index("run")

    def plot(self, measure=None, *, axes=None):
        """One measure over the last varied value, a line for each combination of the others."""
        from matplotlib import pyplot

        measure = measure or self._measures[0]
        axes = axes if axes is not None else pyplot.subplots()[1]
        *others, last = self._keys
        lines = {}
        for row in self.rows:
            lines.setdefault(tuple(row[key] for key in others), []).append((row[last], row[measure]))
        for values, points in lines.items():
            label = ", ".join(f"{key} = {value}" for key, value in zip(others, values))
            axes.plot(*zip(*points), marker="o", label=label or None)
        axes.set_xlabel(last)
        axes.set_ylabel(measure)
        if others:
            axes.legend()
        return axes

    def _repr_html_(self):
        return self.to_pandas()._repr_html_()

    def __repr__(self):
        return f"<Study: {self.finished} of {len(self)} runs, {', '.join(self._measures)}>"


def _number(text):
    try:
        return float(text)
    except ValueError:
        return text.strip('"')


def _write(path, text):
    """As a whole or not at all."""
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)


def _numbers_of_runs(study, given, is_factory, on_row, arguments):
    """Runs what is missing; a pool that loses a worker loses only what that worker was doing."""
    for _ in range(_MOST_POOLS if is_factory else 1):
        missing = [k for k in range(len(study)) if k not in study._rows]
        if not missing:
            return
        pool = given() if is_factory else contextlib.nullcontext(given)
        broken = None
        with pool as executor:
            futures = [executor.submit(_run_of_study, arguments, k) for k in missing]
            try:
                for future in concurrent.futures.as_completed(futures):
                    try:
                        number, row = future.result()
                    except concurrent.futures.BrokenExecutor as error:
                        broken = error
                        continue
                    study._rows[number] = row
                    on_row()
            except BaseException:
                for future in futures:
                    future.cancel()
                raise
        if broken is None:
            return
    raise broken


def study(scene, vary, measure, *, executor=None, workers=None, path=None, progress=False):
    """Runs a scene over all combinations of values.

    scene     a Scene, or the path of a scene file
    vary      {"body.cue.velocity": [[1, 0], [2, 0]], ...}: keys as `carom sweep --vary` names them, the
              last varies fastest; "a.x+b.x" takes the same values for both
    measure   ["energy_drift", "cue.vx", "mean(ball-*.speed)"]: as `carom sweep --measure`
    executor  any concurrent.futures executor (processes, Dask's client.get_executor(), mpi4py.futures);
              or a function that makes one, called again where a worker was killed. Without one:
              threads, of which each has a core, as runs do not hold Python's lock
    path      a table that is written as runs finish; what it holds already is not run again
    progress  True for a line on the standard error

    Rows are the same bits, whatever ran where. Gives back a Study: rows, to_pandas(), plot(), to_csv().
    """
    scene = scene if isinstance(scene, Scene) else Scene.from_toml(pathlib.Path(scene))
    if isinstance(measure, str):
        measure = [measure]
    if not isinstance(measure, (list, tuple)) or not all(isinstance(m, str) for m in measure):
        raise InputError(f"measure: expected texts such as 'kinetic' or 'mean(ball-*.speed)', found {measure!r}")
    if not isinstance(vary, dict) or not vary:
        raise InputError('vary: must be {"table.key": [values], ...}')
    axes = [(key, [v if isinstance(v, str) and v[:1] in "\"[{'" else _toml._value(v, key) for v in values])
            for key, values in vary.items()]
    if scene._table is not None:
        text, file, settings = _toml.dumps(scene._table), "", []
    else:
        text = scene._path.read_text(encoding="utf-8") if scene._path is not None else scene._text
        file, settings = scene._file, scene._overrides
    arguments = (text, file, settings, axes, list(measure))
    result = Study(_carom.StudyPlan(*arguments), vary, measure)
    path = pathlib.Path(path) if path is not None else None
    if path is not None and path.exists():
        result._rows = result._plan.rows(path.read_text(encoding="utf-8"), str(path))
    bar = _Bar(0) if progress is True else None
    written = time.monotonic()

    def on_row():
        nonlocal written
        if bar is not None:
            bar(result.finished, len(result))
        if path is not None and time.monotonic() - written > 1.0:
            _write(path, result.to_csv())
            written = time.monotonic()

    is_factory = executor is None or not hasattr(executor, "submit")
    make = executor or (lambda: concurrent.futures.ThreadPoolExecutor(workers or os.cpu_count()))
    try:
        _numbers_of_runs(result, make, is_factory, on_row, arguments)
    finally:
        if path is not None:
            _write(path, result.to_csv())
    if bar is not None:
        bar.end(len(result), len(result))
    return result
