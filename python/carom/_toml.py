"""A dict as TOML, as scene files are written."""

import math

import numpy

from ._carom import InputError


def _key(name):
    text = str(name)
    if text and all(c.isascii() and (c.isalnum() or c in "_-") for c in text):
        return text
    return _string(text)


def _string(text):
    out = ['"']
    for c in text:
        if c in '"\\':
            out.append("\\" + c)
        elif ord(c) < 32 or ord(c) == 127:
            out.append(f"\\u{ord(c):04x}")
        else:
            out.append(c)
    return "".join(out) + '"'


def _value(value, where):
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, (float, numpy.floating)):
        number = float(value)
        if math.isnan(number):
            return "nan"
        if math.isinf(number):
            return "inf" if number > 0 else "-inf"
        return repr(number)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, numpy.ndarray):
        value = value.tolist()
        if not isinstance(value, list):
            return _value(value, where)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v, f"{where}[{k}]") for k, v in enumerate(value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {_value(v, f'{where}.{k}')}" for k, v in value.items()) + "}"
    error = InputError(f"{where}: cannot stand in a scene: {type(value).__name__}")
    error.key = where
    error.message = f"cannot stand in a scene: {type(value).__name__}"
    raise error


def dumps(scene):
    """The text of a scene file: values first, then tables, then lists of tables."""
    lines = []
    tables = []
    for key, value in scene.items():
        if isinstance(value, dict):
            tables.append((f"[{_key(key)}]", key, value))
        elif isinstance(value, (list, tuple)) and value and all(isinstance(v, dict) for v in value):
            tables += [(f"[[{_key(key)}]]", f"{key}[{k}]", v) for k, v in enumerate(value)]
        else:
            lines.append(f"{_key(key)} = {_value(value, str(key))}")
    for head, where, table in tables:
        lines.append("")
        lines.append(head)
        lines += [f"{_key(k)} = {_value(v, f'{where}.{k}')}" for k, v in table.items()]
    return "\n".join(lines) + "\n"
