"""Scenes: read from a file, from a dict, or built in code."""

import pathlib
import tempfile

import numpy

from . import _carom, _toml
from ._carom import InputError
from ._recording import Recording
from ._simulation import Simulation, _Bar


def _shown(array, dimension):
    """Positions as a scene has them: lists of 2 or 3 numbers."""
    table = numpy.asarray(array, dtype=float)
    if table.ndim != 2 or table.shape[1] not in (2, 3):
        error = InputError(f"positions: must be rows of two or three numbers, found shape {table.shape}")
        error.key = "positions"
        raise error
    return table.tolist()


class Scene:
    """A scene: bodies, walls, forces, how to run them.

        scene = Scene.from_toml("break.toml")          a file, with its line numbers in every error
        scene = Scene.from_dict({"body": [...], ...})  the same keys
        scene = Scene(dimension=3, gravity=[0, 0, -9.81], step=1e-3)
        scene.add_ball([0, 0, 2], radius=0.1)

    Every key of docs/scene-format.md can be given; add_...() write such tables, and give back the
    name of what was added. Nothing is checked before start(), record() or check().
    """

    _path = None
    _overrides = ()

    def __init__(self, *, dimension=2, gravity=None, step=None, duration=None, scheme=None,
                 operator=None, title=None):
        self._table = {"kind": "scene"}
        if title is not None:
            self._table["title"] = title
        self._put("world", dimension=dimension, gravity=gravity)
        self._put("time", step=step, duration=duration, scheme=scheme)
        self._put("impact", operator=operator)
        self._text = None
        self._file = ""

    # ---- where scenes come from

    @classmethod
    def from_toml(cls, source, overrides=()):
        """From a path, or from text (anything with a line end in it). `overrides`: "table.key=value"."""
        scene = cls.__new__(cls)
        scene._table = None
        scene._overrides = list(overrides)
        if isinstance(source, pathlib.PurePath) or "\n" not in str(source):
            scene._path = pathlib.Path(source)
            scene._text = ""
            scene._file = str(source)
        else:
            scene._text = source
            scene._file = ""
        scene.check()
        return scene

    @classmethod
    def from_dict(cls, table):
        """From the keys of a scene file. The dict is copied; "kind" may be left out."""
        scene = cls()
        scene._table = {"kind": "scene", **{k: _copy(v) for k, v in table.items()}}
        scene.check()
        return scene

    # ---- building

    def _tables(self):
        if self._table is None:
            raise InputError("a scene from a file is not built further: use overrides, or edit() once "
                             "it runs")
        return self._table

    def _put(self, name, **values):
        known = {k: v for k, v in values.items() if v is not None}
        if known:
            self._tables().setdefault(name, {}).update(known)

    def _append(self, kind, prefix, values):
        rows = self._tables().get(kind, [])
        row = {k: v for k, v in values.items() if v is not None}
        if prefix is not None and "name" not in row:
            row = {"name": f"{prefix}-{len(rows) + 1}", **row}
        self._refuse_unknown_keys(kind, row)
        self._tables().setdefault(kind, rows).append(row)
        return row.get("name")

    def _refuse_unknown_keys(self, kind, row, **others):
        """A misspelt key is told of where it was written, and the scene stays as it was. Each key of a
        table is looked at once; all else is judged when the scene starts."""
        fresh = {(kind, key) for key in row} - _asked
        if not fresh:
            return
        table = {"kind": "scene", "world": self._tables().get("world", {}), **others, kind: [row]}
        try:
            _carom.SceneFile(_toml.dumps(table))
        except InputError as error:
            if error.message.startswith("unknown key"):
                raise InputError(f"{kind}: {error.message}") from None
        _asked.update(fresh)

    def set(self, table, **values):
        """Keys of a table: scene.set("detection", sweep=False)."""
        try:
            _carom.SceneFile(_toml.dumps({"kind": "scene", table: values}))
        except InputError as error:
            if error.message.startswith("unknown key"):  # all else is judged when the scene starts
                raise InputError(f"{error.key}: {error.message}" if error.key else error.message) from None
        self._put(table, **values)
        return self

    def add_material(self, name="default", **keys):
        """restitution, friction, stiffness."""
        return self._append("material", None, {"name": name, **keys})

    def add_ball(self, position, *, radius, **keys):
        """velocity, mass or density, material, name; turns=True for a ball that turns; fixed=True."""
        return self._append("body", "body", {"position": position, "radius": radius, **keys})

    def add_balls(self, positions, *, radius, velocities=None, **keys):
        """One ball for each row; radius is a number or one for each. Gives back their names."""
        rows = _shown(positions, None)
        radii = numpy.broadcast_to(numpy.asarray(radius, dtype=float), len(rows)).tolist()
        speeds = [None] * len(rows) if velocities is None else _shown(velocities, None)
        if len(speeds) != len(rows):
            raise InputError(f"velocities: expected one for each of {len(rows)} balls, found {len(speeds)}")
        return [self.add_ball(p, radius=r, velocity=u, **keys) for p, r, u in zip(rows, radii, speeds)]

    def add_solid(self, name, type, **keys):
        """What bodies can be made of: box, capsule, cylinder, hull, mesh, compound."""
        self._append("solid", None, {"name": name, "type": type, **keys})
        return name

    def _add_of_solid(self, type, position, solid, keys):
        name = keys.pop("name", None) or f"body-{len(self._tables().get('body', [])) + 1}"
        form = {"name": f"{name}-solid", "type": type, **solid}
        body = {"name": name, "solid": form["name"], "position": position, **keys}
        self._refuse_unknown_keys("body", body, solid=[form])  # before there is a solid without a body
        self._append("solid", None, form)
        return self._append("body", None, body)

    def add_box(self, position, *, size, **keys):
        """A box that turns: velocity, orientation, angular_velocity, mass or density, material, name."""
        return self._add_of_solid("box", position, {"size": size}, keys)

    def add_mesh(self, vertices, faces, *, position, **keys):
        """What a closed mesh encloses; faces counterclockwise seen from outside."""
        solid = {"vertices": numpy.asarray(vertices, dtype=float), "triangles": numpy.asarray(faces, dtype=int)}
        return self._add_of_solid("mesh", position, solid, keys)

    def add_surface(self, vertices=None, faces=None, *, thickness, **keys):
        """Cloth or a shell, for scheme="asynchronous": a mesh, or type="rectangle", size=..., counts=...

        stretching, bending, area_density or mass, position, lead=[{...}] as in scene files.
        """
        if vertices is not None:
            keys = {"type": "mesh", "vertices": numpy.asarray(vertices, dtype=float),
                    "triangles": numpy.asarray(faces, dtype=int), **keys}
        return self._append("surface", "surface", {"thickness": thickness, **keys})

    def add_wall(self, point, normal, **keys):
        """A half-plane or half-space; the normal points to the free side."""
        return self._append("shape", "shape", {"type": "half_plane", "point": point, "normal": normal, **keys})

    def add_shape(self, type, **keys):
        """half_plane, segment, sphere_inside, sphere_outside, box_inside, solid."""
        return self._append("shape", "shape", {"type": type, **keys})

    def add_spring(self, *bodies, stiffness, **keys):
        """Between two bodies, by name; or of one, with point=."""
        ends = {"bodies": list(bodies)} if len(bodies) == 2 else {"body": bodies[0]}
        return self._append("spring", None, {**ends, "stiffness": stiffness, **keys})

    def add_force(self, kind="force", **keys):
        """kind "force" (body=, force=, begin=, end=) or "central" (center=, strength=, exponent=)."""
        return self._append(kind, None, keys)

    def add_grid(self, *, counts, radius, **keys):
        """Many balls in rows: spacing, center or origin, velocity, mass, material, jitter, seed."""
        return self._append("grid", "grid", {"counts": counts, "radius": radius, **keys})

    def add_rack(self, *, rows, radius, **keys):
        """Rows of 1, 2, 3, ... touching balls: apex, direction, spacing, velocity, mass, material."""
        return self._append("rack", "rack", {"rows": rows, "radius": radius, **keys})

    def add_line(self, *, count, radius, **keys):
        """Balls one behind the other: direction, spacing, center or origin, velocity, mass, material."""
        return self._append("line", "line", {"count": count, "radius": radius, **keys})

    def add_ring(self, *, count, ring_radius, radius, **keys):
        """Balls on a ring: center, phase, radial_velocity, tangential_velocity, mass, material."""
        return self._append("ring", "ring", {"count": count, "ring_radius": ring_radius, "radius": radius, **keys})

    def add_random(self, *, count, region, radius, **keys):
        """Many balls anywhere in region={"lower": ..., "upper": ...}: gap, velocity_random, seed."""
        return self._append("random", "random", {"count": count, "region": region, "radius": radius, **keys})

    # ---- what it is

    def to_toml(self):
        """The scene as the text of a file."""
        if self._table is not None:
            return _toml.dumps(self._table)
        return self._scene_file().text

    def _scene_file(self):
        if self._table is not None:
            return _from_text(_toml.dumps(self._table))
        if self._path is not None:
            return _carom.SceneFile.read(self._path, self._overrides)
        return _carom.SceneFile(self._text, "", self._overrides)

    def with_values(self, overrides):
        """The same scene with other values: a dict of "table.key", or a list of "table.key=value"."""
        if isinstance(overrides, dict):
            overrides = [f"{key}={_toml._value(value, key)}" for key, value in overrides.items()]
        scene = Scene.__new__(Scene)
        scene._table = None
        scene._path = None if self._table is not None else self._path
        scene._text = _toml.dumps(self._table) if self._table is not None else self._text
        scene._file = self._file
        scene._overrides = [*self._overrides, *overrides]
        scene.check()
        return scene

    def check(self):
        """Throws InputError on the first thing that cannot be used; says nothing otherwise."""
        self._scene_file()

    def __getattr__(self, name):
        if name in ("dimension", "scheme", "step", "duration", "names", "operators", "title"):
            return getattr(self._scene_file(), name)
        raise AttributeError(f"a Scene has no {name!r}")

    def __repr__(self):
        if self._table is None:
            scene = self._scene_file()
            return (f"<Scene {scene.title or self._file!r}: {scene.bodies} bodies, "
                    f"{scene.dimension} dimensions, {scene.scheme}>")
        counts = ", ".join(f"{len(v)} {k}" for k, v in self._table.items() if isinstance(v, list))
        return f"<Scene in the making: {counts or 'empty'}>"

    # ---- running

    def start(self, *, operator=None, threads=1, forces=()):
        """A Simulation at its first moment. Same scene, same bits, for any number of threads.

        forces  your own: a function of positions (one row for each body) that answers with forces in
                N, or a list of such functions and of pairs of one and its potential in J, without which
                all that it does is work from outside. Also what has an `address` (numba.cfunc) of
                void f(const double *positions, double *forces, intptr_t bodies), with rows of three
                numbers in both, which adds to the forces. For scheme "steps".
        """
        if callable(forces) or hasattr(forces, "address"):
            forces = [forces]
        return Simulation(self._scene_file(), operator=operator or "", threads=threads, forces=list(forces))

    def record(self, path=None, *, operator=None, threads=1, progress=False):
        """Runs the whole scene into a recording, and opens it. Without a path: a temporary one."""
        if path is None:
            path = pathlib.Path(tempfile.mkdtemp(prefix="carom-")) / "run.h5"
        scene = self._scene_file()
        bar = _Bar(0) if progress is True else (progress or None)
        show = None if bar is None else lambda step, steps: bar(step * scene.step, steps * scene.step)
        summary = scene.record(pathlib.Path(path), operator=operator or "", threads=threads, progress=show)
        recording = Recording(path)
        recording.summary = summary
        return recording


_asked = set()  # tables and keys that have been looked at


def _copy(value):
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copy(v) for v in value]
    return value


def _from_text(text):
    """A scene that was built in code: its faults have keys, but no lines that anybody wrote."""
    try:
        return _carom.SceneFile(text)
    except InputError as error:
        known = InputError(f"{error.key}: {error.message}" if error.key else error.message)
        known.key, known.message = error.key, error.message
        raise known from None
