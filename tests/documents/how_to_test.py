#!/usr/bin/env python3
"""A how-to page does what it says.

    how_to_test.py PAGE.md --carom PROGRAM [--prefix DIRECTORY] [--python PROGRAM --package DIRECTORY]
    how_to_test.py --self-test

In an empty directory, in their order:

- "`name`:" and a block: the block is written into that file;
- a block "console": each "$ command" is run; it has to end with 0, or with N where its line ends with "# exit N". What
  stands below is what it prints: "..." stands for anything, round-off and wall times may differ;
- a block "sh" is not run (it needs another machine): every `carom` in it has to know its options;
- blocks "cpp" without a name are tools/check_docs' affair.

Every other block is a fault, so that no snippet is left unchecked.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:^`([\w./-]+)`[^\n`]*:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Round-off differs from build to build, and times from run to run.
TINY = re.compile(r"-?\d[\d.]*e-(1[2-9]|[2-9]\d)\b")
WALL_TIME = re.compile(r"wall time [^\n]*")


class Fault(Exception):
    pass


def plain(text):
    return " ".join(WALL_TIME.sub("wall time", TINY.sub("0", text)).split())


def matches(expected, shown):
    pattern = r"\s+".join(re.escape(word) for word in plain(expected).split()).replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, plain(shown), re.DOTALL) is not None


def steps_of(block):
    """[command, expected output, exit code] of a console block."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            command, _, code = line[2:].partition("# exit ")
            found.append([command.strip(), "", int(code or 0)])
        elif found and found[-1][0].endswith("\\"):
            found[-1][0] = found[-1][0][:-1] + line.strip()
        elif found:
            found[-1][1] += line + "\n"
        else:
            raise Fault(f"a console block begins with {line!r}, not with a command")
    return found


def run(command, expected, code, environment):
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, timeout=240)
    shown = result.stdout + result.stderr
    if result.returncode != code:
        raise Fault(f"$ {command}\nended with {result.returncode}, not {code}:\n{shown}")
    if expected.strip() and not matches(expected, shown):
        raise Fault(f"$ {command}\nprints\n{shown}\nand not\n{expected}")


def check_options(block, environment):
    """Of commands that are not run."""
    for line in block.replace("\\\n", " ").splitlines():
        for command in re.findall(r"(?:^|&& )carom ([a-z]+)([^#&]*)", line):
            known = subprocess.run(["carom", command[0], "--help"], capture_output=True, text=True, env=environment)
            if known.returncode != 0:
                raise Fault(f"there is no carom {command[0]}")
            for option in re.findall(r"(?<!\S)(--?[a-z][\w-]*)", command[1]):
                if not re.search(rf"(?<![\w-]){re.escape(option)}\b(?!-)", known.stdout):
                    raise Fault(f"carom {command[0]} has no option {option}")


def check(text, environment):
    """How many blocks were checked; in the current directory."""
    count = 0
    for name, language, block in BLOCK.findall(text):
        if name:
            pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(name).write_text(block, encoding="utf-8")
        elif language == "console":
            for command, expected, code in steps_of(block):
                run(command, expected, code, environment)
        elif language == "sh":
            check_options(block, environment)
        elif language == "cpp":
            pass
        else:
            raise Fault(f"nothing checks this block of {language or 'no language'}:\n{block}")
        count += 1
    if len(re.findall(r"^\s*(?:- )?```", text, re.MULTILINE)) != 2 * count:
        raise Fault("a block is not closed, or is indented")
    if count == 0:
        raise Fault("a how-to page without a snippet")
    return count


def environment_of(given, programs):
    """With programs by their plain names, and nothing of this machine's own settings of Python or CMake."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "CMAKE"))}
    programs.mkdir()
    (programs / "carom").symlink_to(pathlib.Path(given.carom).resolve())
    if given.python:
        # A link would lose the packages of an interpreter that finds them by its own place.
        (programs / "python3").write_text(f'#!/bin/sh\nexec "{given.python}" "$@"\n')
        (programs / "python3").chmod(0o755)
        environment["PYTHONPATH"] = str(pathlib.Path(given.package).resolve())
    if given.prefix:
        environment["CMAKE_PREFIX_PATH"] = str(pathlib.Path(given.prefix).resolve())
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return environment


SELF_TEST = [  # page, a piece of the fault
    ("```console\n$ echo 1\n2\n```\n", "prints"),
    ("```console\n$ false\n```\n", "ended with 1"),
    ("```console\n$ false # exit 1\n```\n", ""),
    ("```toml\na = 1\n```\n", "nothing checks this block of toml"),
    ("`a.toml`:\n\n```toml\na = 1\n```\n\n```console\n$ cat a.toml\na = 1\n```\n", ""),
    ("```console\n$ echo one 1.2e-17 three\none ...\n```\n", ""),
    ("```console\n$ echo one 1.2e-17 three\none 3e-16 three\n```\n", ""),
    ("```console\n$ echo one two three\none ... four\n```\n", "prints"),
    ("words\n", "without a snippet"),
    ("- ```console\n  $ echo 1\n  ```\n\n```console\n$ true\n```\n", "is indented"),
]


def self_test():
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        for page, piece in SELF_TEST:
            try:
                check(page, dict(os.environ))
                fault = ""
            except Fault as error:
                fault = str(error)
            if bool(piece) != bool(fault) or piece not in fault:
                failures += 1
                print(f"{page}: expected {piece!r}, found {fault!r}")
        os.chdir("/")
    print(f"how_to_test: {len(SELF_TEST)} cases, {failures} failures")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", nargs="?", type=pathlib.Path)
    parser.add_argument("--carom")
    parser.add_argument("--prefix", help="where Carom is installed, for pages with CMake")
    parser.add_argument("--python", help="the interpreter that the package was made for")
    parser.add_argument("--package", help="where the package carom is")
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args()
    if given.self_test:
        return self_test()
    page = given.page.resolve()
    with tempfile.TemporaryDirectory() as directory:
        environment = environment_of(given, pathlib.Path(directory) / "programs")
        work = pathlib.Path(directory) / "work"
        work.mkdir()
        os.chdir(work)
        try:
            count = check(page.read_text(encoding="utf-8"), environment)
        except Fault as fault:
            print(f"{page}: {fault}")
            return 1
        finally:
            os.chdir("/")
    print(f"{page.name}: {count} snippets do what they say")
    return 0


if __name__ == "__main__":
    sys.exit(main())
