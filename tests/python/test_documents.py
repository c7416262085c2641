"""docs/python.md does what it says: its snippets are run in their order, in one namespace.

A ```text block after a ```python block is what that prints, as in a notebook: the value of a last
line that is an expression counts. "..." stands for anything.
"""

import ast
import contextlib
import inspect
import io
import os
import pathlib
import re

import pytest

import carom

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_as_a_notebook(code, namespace, line):
    """What a cell prints."""
    tree = ast.parse(code)
    ast.increment_lineno(tree, line)
    shown = io.StringIO()
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(shown):
        exec(compile(tree, str(PAGE), "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), str(PAGE), "eval"), namespace)
            if value is not None:
                print(repr(value))
    return shown.getvalue()


def matches(expected, shown):
    pattern = r"\s+".join(re.escape(word) for word in expected.split()).replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, " ".join(shown.split()), re.DOTALL) is not None


def test_every_snippet_does_what_it_says(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    pytest.importorskip("pandas")
    text = PAGE.read_text(encoding="utf-8")
    namespace = {"__name__": "__main__"}
    shown, count = None, 0
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        for block in BLOCK.finditer(text):
            line = text[: block.start()].count("\n") + 1
            if block[1] == "python":
                shown = run_as_a_notebook(block[2], namespace, line)
                count += 1
            else:
                assert shown is not None, f"line {line}: output of nothing"
                assert matches(block[2], shown), f"line {line}: it prints\n{shown}"
                shown = None
    finally:
        os.chdir(here)
    assert count >= 20


def test_the_readme_does_what_it_says(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.chdir(tmp_path)
    blocks = [block[2] for block in BLOCK.finditer((ROOT / "README.md").read_text(encoding="utf-8")) if block[1] == "python"]
    assert len(blocks) == 1
    shown = run_as_a_notebook(blocks[0], {"__name__": "__main__"}, 1)
    assert "1.0" in shown or "1." in shown
    assert len(opened) == 1


def test_everything_public_has_a_help():
    """Each name, and each attribute of each class."""
    silent = []
    for name in carom.__all__:
        if name.startswith("__"):
            continue
        thing = getattr(carom, name)
        if not inspect.getdoc(thing):
            silent.append(name)
        if inspect.isclass(thing) and thing is not carom.InputError:  # of whose attributes the class tells
            silent += [f"{name}.{part}" for part, value in vars(thing).items()
                       if not part.startswith("_") and not inspect.getdoc(value)]
    assert not silent
