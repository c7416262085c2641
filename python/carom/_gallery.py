"""The papers' experiments, which come with Carom."""

import pathlib
import tomllib

from ._carom import InputError

DIRECTORY = pathlib.Path(__file__).absolute().parent / "gallery"


class Gallery(dict):
    """Name of each experiment: its title; in a notebook a table."""

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{name}</td><td style='text-align:left'>{title}</td></tr>"
                       for name, title in self.items())
        return f"<table>{rows}</table>"

    def __repr__(self):
        return "\n".join(f"{name:24} {title}" for name, title in self.items())


def _order(path):
    letter, number = path.stem[0], path.stem[1:].split("-")[0]
    return letter, int(number) if number.isdigit() else 0, path.stem


def gallery(name=None):
    """The experiments as names and titles; with a name, the path of its file.

        carom.Scene.from_toml(carom.gallery("G6-break"))

    Most are scenes; those of kind "instant" are for the command line (`carom impact`).
    """
    paths = {path.stem: path for path in sorted(DIRECTORY.rglob("*.toml"), key=_order)}
    if name is None:
        return Gallery((key, tomllib.loads(path.read_text(encoding="utf-8")).get("title", ""))
                       for key, path in paths.items())
    if name not in paths:
        near = [key for key in paths if key.lower().startswith(str(name).lower())]
        hint = f"; did you mean {', '.join(near)}?" if near else "; carom.gallery() lists them"
        raise InputError(f"there is no experiment {name!r}{hint}")
    return paths[name]
