"""Simulations that a program drives."""

import pathlib
import sys

from . import _carom
from ._recording import Recording

Simulation = _carom.Simulation


class _Bar:
    """A line on the standard error that says how far a run is."""

    def __init__(self, first):
        self.first = first
        self.wide = 40

    def __call__(self, now, goal):
        share = 1.0 if goal <= self.first else (now - self.first) / (goal - self.first)
        full = round(self.wide * min(max(share, 0.0), 1.0))
        sys.stderr.write(f"\r[{'#' * full}{'.' * (self.wide - full)}] {now:.6g} / {goal:.6g} s")
        sys.stderr.flush()

    def end(self, now, goal):
        self(now, goal)
        sys.stderr.write("\n")


def _run(self, until=None, *, progress=False):
    """Whole steps until the time `until` (s), without it to the scene's duration.

    Returns "reached", "stopped" (on_step answered False) or "failed" (report.message says why).
    progress: True for a line on the standard error, or a function of (time, goal). Ctrl-C ends the
    run after the step that is under way.
    """
    if progress is True:
        progress = _Bar(self.time)
    if progress is False:
        progress = None
    stop = self._run(until, progress)
    if isinstance(progress, _Bar):
        progress.end(self.time, until if until is not None else self.time)
    return stop


class LiveRecording:
    """A simulation that is being recorded: sim.record(path) makes it. It ends with its `with`."""

    def __init__(self, file, path):
        self._file = file
        self.path = path

    def flush(self):
        """From here on carom.open(path) shows what has been recorded so far."""
        self._file.flush()

    def finish(self):
        """Ends the recording and opens it; the simulation can go on."""
        self._end(interrupted=False)
        return Recording(self.path)

    def _end(self, *, interrupted):
        if not self._file.finish(interrupted):
            raise _carom.InputError(f"{self.path}: holds a run that has finished, which an interrupted one "
                                    f"does not replace; this one waits in {self.path}.journal")

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        if self._file.goes_on:
            self._end(interrupted=error is not None)

    def __repr__(self):
        return f"<LiveRecording {str(self.path)!r}: {'goes on' if self._file.goes_on else 'has ended'}>"


def _record(self, path, *, every=None, impulses=None):
    """Records every step from now on, whatever is done between them, until finish().

        with sim.record("run.h5", every=10):
            sim.run(until=2)

    every      steps from one frame to the next; impulses: also those of all contacts. Without, as
               the scene says.

    Bodies that are added and removed come and go in the recording. Run without edits and without
    forces of your own it is the recording of the scene: `carom verify` makes it again, and
    carom.resume() goes on with it. An exception inside `with` ends it as interrupted.
    """
    path = pathlib.Path(path)
    return LiveRecording(self._record(path, every, impulses), path)


Simulation.run = _run
Simulation.record = _record
