#!/usr/bin/env python3
"""Makes a wheel from a build of the package carom: ./dev wheel.

    make_wheel.py BUILD OUTPUT [--quick]

BUILD is a build directory that has the target carom_python; OUTPUT the directory that the wheel
is written to. --quick hardly compresses, for tests.

Inside are the extension module, the package's files in Python, the gallery, and every shared
library that the module needs and that a Debian with Python and numpy need not have. They are told to
look beside themselves, so the wheel can be anywhere. Their names stay: where another module of the
same process has loaded one of them already (h5py an HDF5), that one is used, and versions that do not
fit have other names.
"""

import argparse
import base64
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Part of every system with Python and numpy: glibc, and the C++ runtime, of which a process should
# have only one.
OF_THE_SYSTEM = ("linux-vdso", "ld-linux", "libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so",
                 "libresolv.so", "libutil.so", "libstdc++.so", "libgcc_s.so")
METADATA = """Metadata-Version: 2.1
Name: carom
Version: {version}
Summary: An engine for simultaneous impact
License: MIT
Requires-Python: >={python}
Requires-Dist: numpy
Provides-Extra: plot
Requires-Dist: matplotlib; extra == 'plot'
Provides-Extra: tables
Requires-Dist: pandas; extra == 'tables'
Description-Content-Type: text/markdown

{readme}"""
WHEEL = """Wheel-Version: 1.0
Generator: carom make_wheel
Root-Is-Purelib: false
Tag: {tag}
"""


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed_by(library):
    """Names that a library asks for, and where the loader finds them."""
    found = {}
    for line in run("ldd", str(library)).splitlines():
        words = line.split()
        if len(words) >= 3 and words[1] == "=>":
            if words[2] == "not":
                sys.exit(f"make_wheel: {library} needs {words[0]}, which is not there")
            if not words[0].startswith(OF_THE_SYSTEM):
                found[words[0]] = pathlib.Path(words[2])
    return found


def add_libraries(package, module):
    """Copies what the module needs into package/libs and makes all of them find each other."""
    libraries = needed_by(module)
    if not libraries:
        return
    target = package / "libs"
    target.mkdir()

    def look_in(file, place):
        run("patchelf", "--force-rpath", "--set-rpath", place, str(file))

    def add(name):
        file = target / name
        shutil.copyfile(libraries[name], file)
        file.chmod(0o755)
        look_in(file, "$ORIGIN")

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(add, sorted(libraries)))
    look_in(module, "$ORIGIN/libs")


def make_tree(build, tree):
    """The package as it is in a site-packages directory."""
    source = build / "python" / "carom"
    package = tree / "carom"
    package.mkdir(parents=True)
    modules = list(source.glob("_carom*.so"))
    if len(modules) != 1:
        sys.exit(f"make_wheel: no extension module in {source}; build the target carom_python first")
    for file in sorted(source.iterdir()):
        if file.suffix in (".py", ".pyi") or file.name == "py.typed":
            shutil.copyfile(file, package / file.name)
    module = package / modules[0].name
    run("strip", "--strip-unneeded", "-o", str(module), str(modules[0]))
    add_libraries(package, module)
    gallery = HERE.parent / "gallery"
    shutil.copytree(gallery, package / "gallery", ignore=shutil.ignore_patterns("*.md", "__pycache__"))
    return package


def version_of(build):
    code = "import sys; sys.path.insert(0, sys.argv[1]); import carom; print(carom.__version__)"
    return run(sys.executable, "-B", "-c", code, str(build / "python")).strip()


def add_information(tree, version, tag):
    information = tree / f"carom-{version}.dist-info"
    information.mkdir()
    readme = (HERE.parent / "docs" / "python.md").read_text(encoding="utf-8")
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    (information / "METADATA").write_text(
        METADATA.format(version=version, python=python, readme=readme), encoding="utf-8")
    (information / "WHEEL").write_text(WHEEL.format(tag=tag), encoding="utf-8")
    shutil.copyfile(HERE.parent / "LICENSE", information / "LICENSE")
    return information


def write_wheel(tree, information, path, level):
    """Packs the tree, with the list of its files and their hashes: same files, same bytes."""
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:

        def add(name, content, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content, compresslevel=level)

        for file in sorted(p for p in tree.rglob("*") if p.is_file()):
            name = file.relative_to(tree).as_posix()
            content = file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")
            add(name, content, 0o755 if ".so" in file.name else 0o644)
        name = f"{information.name}/RECORD"
        add(name, "\n".join([*record, f"{name},,", ""]).encode(), 0o644)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    version = version_of(given.build)
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"{python}-{python}-{platform}"
    given.output.mkdir(parents=True, exist_ok=True)
    for old in given.output.glob("carom-*.whl"):
        old.unlink()
    path = given.output / f"carom-{version}-{tag}.whl"
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory)
        make_tree(given.build, tree)
        information = add_information(tree, version, tag)
        write_wheel(tree, information, path, 1 if given.quick else 9)
    print(path)


if __name__ == "__main__":
    main()
