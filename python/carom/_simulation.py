"""Simulations that a program drives."""

import sys

from . import _carom

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


Simulation.run = _run
