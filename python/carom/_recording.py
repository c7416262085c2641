"""Recordings: numbers as numpy arrays, read when they are asked for."""

import html
import pathlib
import tempfile
import webbrowser

import numpy

from . import _carom


class Frames:
    """One quantity of all frames; reads the frames that are asked for.

    positions[k] is the table of frame k, positions[a:b, body] a part of several, and
    numpy.asarray(positions) all of them.
    """

    def __init__(self, file, number, width, shown):
        self._file, self._number, self._width, self._shown = file, number, width, shown
        bodies = len(file.masses) if number < 2 or file.any_turns else 0
        self.shape = (file.frame_count, bodies, shown)
        self.dtype = numpy.dtype(float)

    def __len__(self):
        return self.shape[0]

    def _frame(self, k):
        return self._file.frame(k)[self._number][:, : self._shown]

    def __getitem__(self, key):
        first, rest = (key[0], key[1:]) if isinstance(key, tuple) else (key, ())
        if isinstance(first, (int, numpy.integer)):
            k = int(first) + (len(self) if first < 0 else 0)
            if not 0 <= k < len(self):
                raise IndexError(f"there are {len(self)} frames, no {first}")
            return self._frame(k)[rest]
        chosen = numpy.arange(len(self))[first]
        parts = [self._frame(int(k))[rest] for k in chosen]
        return numpy.array(parts) if parts else numpy.empty((0, *self.shape[1:]))

    def __iter__(self):
        return (self._frame(k) for k in range(len(self)))

    def __array__(self, dtype=None):
        return numpy.asarray(self[:], dtype=dtype)

    def __repr__(self):
        return f"<{self.shape[0]} frames of {self.shape[1]} x {self.shape[2]} numbers>"


class Events:
    """Impulses of contacts, a structured array that is read when it is asked for."""

    def __init__(self, file):
        self._file = file

    def __len__(self):
        return self._file.event_count

    def __getitem__(self, key):
        if isinstance(key, slice):
            first, last, step = key.indices(len(self))
            if step > 0:
                return self._file.events(first, max(last - first, 0))[::step]
        return self._file.events(0, len(self))[key]

    def __array__(self, dtype=None):
        return numpy.asarray(self[:], dtype=dtype)

    def __repr__(self):
        if len(self) == 0:
            return '<0 events: a scene records them with set("record", impulses=True)>'
        return f"<{len(self)} events>"


class Page:
    """A page that shows recordings; in a notebook, inline."""

    def __init__(self, text, title):
        self.html = text
        self.title = title

    def save(self, path):
        """Writes the page, one file complete in itself, and gives back its path."""
        path = pathlib.Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def show(self):
        """Opens it in a browser."""
        path = pathlib.Path(tempfile.mkdtemp(prefix="carom-")) / "page.html"
        webbrowser.open(self.save(path).as_uri())
        return path

    def _repr_html_(self):
        return (f"<iframe srcdoc=\"{html.escape(self.html)}\" width='100%' height='600' "
                f"title=\"{html.escape(self.title)}\" style='border:0'></iframe>")

    def __repr__(self):
        return f"<Page {self.title!r}, {len(self.html) / 1e6:.1f} MB>"


def page(recordings, *, max_megabytes=50.0):
    """Recordings, or their paths, on one page and one clock."""
    if isinstance(recordings, (str, pathlib.PurePath, Recording)):
        recordings = [recordings]
    paths = [r.path if isinstance(r, Recording) else pathlib.Path(r) for r in recordings]
    return Page(_carom.page(paths, max_megabytes), ", ".join(p.name for p in paths))


class Recording:
    """A recording. carom.open(path) makes it.

    positions, velocities, orientations, angular_velocities   lazy, by frame
    times, steps                                              of the frames
    ids, present                                              of the bodies; who is there in which frame
    recording["kinetic"]                                      a column of the diagnostics, by step
    events                                                    impulses of contacts, lazy
    """

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self._file = file = _carom.RecordingFile(self.path)
        self.positions = Frames(file, 0, 3, file.dimension)
        self.velocities = Frames(file, 1, 3, file.dimension)
        self.orientations = Frames(file, 2, 4, 4)
        self.angular_velocities = Frames(file, 3, 3, 3)
        self.events = Events(file)
        for name in ("title", "operator", "dimension", "step", "names", "masses", "radii", "ids", "status",
                     "reason", "times", "steps", "scene_text", "carom_version"):
            setattr(self, name, getattr(file, name))

    def __len__(self):
        return self._file.frame_count

    @property
    def columns(self):
        """Name of each column of the diagnostics: its unit and what it says."""
        return self._file.columns

    def __getitem__(self, column):
        return self._file.column(column)

    @property
    def present(self):
        """Which body is there in which frame: a table of truth values. All of them, unless a program
        added or removed some; what is not there has NaN for its numbers."""
        return self._file.present

    def to_pandas(self, *columns):
        """The diagnostics as a pandas table, one row for each step; all columns, or those named."""
        import pandas

        names = list(columns) or list(self.columns)
        return pandas.DataFrame({name: self[name] for name in names}).set_index(
            self["step"] if "step" not in names else "step")

    def plot(self, *columns, axes=None):
        """Columns of the diagnostics over time, with matplotlib; gives back the axes."""
        from matplotlib import pyplot

        names = columns or ("kinetic", "potential")
        axes = axes if axes is not None else pyplot.subplots()[1]
        known = self.columns
        for name in names:
            values = self[name]
            unit = known[name][0]
            axes.plot(self["time"], values, label=f"{name} ({unit})" if unit else name)
        axes.set_xlabel("time (s)")
        axes.set_title(self.title)
        axes.legend()
        return axes

    def page(self, *, max_megabytes=50.0):
        """The page that shows it."""
        return page(self, max_megabytes=max_megabytes)

    def view(self):
        """Opens the page in a browser."""
        return self.page().show()

    def _repr_html_(self):
        return self.page(max_megabytes=10.0)._repr_html_()

    def __repr__(self):
        title = f"{self.title}, " if self.title else ""
        return (f"<Recording {str(self.path)!r}: {title}{len(self.masses)} bodies, "
                f"{len(self)} frames, {self.operator}, {self.status}>")


def open(path):
    """Opens a recording, also one that is still being written."""
    return Recording(path)


def resume(path, *, threads=1):
    """Continues a recording from its last checkpoint, to the same bits as an uninterrupted run."""
    _carom.resume(pathlib.Path(path), threads=threads)
    return Recording(path)
