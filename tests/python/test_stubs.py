"""The stub file says what the package has: names, attributes, parameters, and which may be left out."""

import ast
import inspect
import pathlib
import re

import carom

STUB = pathlib.Path(carom.__file__).with_name("__init__.pyi")
TREE = ast.parse(STUB.read_text(encoding="utf-8"))
# Made by functions, or found as attributes: not names of the package itself.
ELSEWHERE = {"ComponentReport": carom._carom.ComponentReport, "Edit": carom._carom.Edit,
             "Operators": type(carom.operators()), "Chart": carom._instants.Chart,
             "Gallery": carom._gallery.Gallery, "Frames": carom._recording.Frames,
             "Events": carom._recording.Events, "Page": carom._recording.Page}


def stubs_of(body):
    """Public names of a module or class: its functions (overloads: the last), classes, variables."""
    found = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = node
    return {name: node for name, node in found.items() if not name.startswith("_")}


def parameters_of_stub(node):
    args = node.args
    names = [a.arg for a in args.posonlyargs + args.args]
    optional = set(names[len(names) - len(args.defaults):] if args.defaults else [])
    optional |= {a.arg for a, default in zip(args.kwonlyargs, args.kw_defaults) if default is not None}
    return [n for n in names if n not in ("self", "cls")], [a.arg for a in args.kwonlyargs], optional


def parameters_of(function):
    """Of a function in Python, or of one in C++ by the first line of its help."""
    try:
        signature = inspect.signature(function)
    except ValueError:
        line = (inspect.getdoc(function) or "").splitlines()[0]
        inside = re.search(r"\((.*)\)", line)[1]
        parts = re.split(r", (?=[\w*]+(?::|$|,))", inside) if inside else []
        names, keywords, optional, only = [], [], set(), False
        for part in parts:
            name = part.split(":")[0].strip()
            if name == "*":
                only = True
            elif name.startswith("*") or name == "self":
                continue
            else:
                (keywords if only else names).append(name)
                if " = " in part:
                    optional.add(name)
        return names, keywords, optional
    kinds = inspect.Parameter
    listed = list(signature.parameters.values())
    names = [p.name for p in listed if p.kind is kinds.POSITIONAL_OR_KEYWORD and p.name not in ("self", "cls")]
    keywords = [p.name for p in listed if p.kind is kinds.KEYWORD_ONLY]
    return names, keywords, {p.name for p in listed if p.default is not kinds.empty}


def test_every_public_name_has_a_stub_and_no_other():
    stubs = stubs_of(TREE.body)
    names = {name for name in carom.__all__ if not name.startswith("_")}
    assert names <= stubs.keys()
    assert stubs.keys() - names == ELSEWHERE.keys()


def test_classes_have_the_attributes_that_their_stubs_say():
    faults = []
    for name, node in stubs_of(TREE.body).items():
        if not isinstance(node, ast.ClassDef):
            continue
        thing = ELSEWHERE.get(name) or getattr(carom, name)
        said = stubs_of(node.body)
        there = {part for part in vars(thing) if not part.startswith("_")}
        faults += [f"{name}.{part} has no stub" for part in there - said.keys()]
        for part, stub in said.items():
            if isinstance(stub, ast.FunctionDef) and part not in there:
                faults.append(f"{name}.{part} is not there")
            elif isinstance(stub, ast.FunctionDef) and not stub.decorator_list:
                if parameters_of(getattr(thing, part)) != parameters_of_stub(stub):
                    faults.append(f"{name}.{part}: {parameters_of(getattr(thing, part))}, "
                                  f"stub {parameters_of_stub(stub)}")
    assert not faults


def test_functions_have_the_parameters_that_their_stubs_say():
    for name, node in stubs_of(TREE.body).items():
        if isinstance(node, ast.FunctionDef) and name != "gallery":
            assert parameters_of(getattr(carom, name)) == parameters_of_stub(node), name
