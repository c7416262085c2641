"""Makes the wheel of a build and installs it into a fresh virtual environment, offline.

    install_wheel.py BUILD WORK        then WORK/venv/bin/python has it

Nothing is done where the wheel there is of this build already.
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADED = """
import pathlib, shutil, tempfile  # of which some load libraries of Python
import numpy
def libraries():
    lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    return {line.split()[-1] for line in lines if ".so" in line.split()[-1]}
before = libraries()
import carom
inside = str(pathlib.Path(carom.__file__).parent)
system = ("libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "libresolv.so", "libdl.so", "librt.so", "libpthread.so")
for path in sorted(libraries() - before):
    name = pathlib.Path(path).name
    if not path.startswith(inside) and not name.startswith(system) and "/lib-dynload/" not in path:
        print(path)
"""
MAKE = ROOT / "python" / "make_wheel.py"


def fingerprint(build):
    """Of all that goes into the wheel."""
    digest = hashlib.sha256()
    package = build / "python" / "carom"
    files = [MAKE, ROOT / "docs" / "python.md", *sorted(package.iterdir()), *sorted((ROOT / "gallery").rglob("*"))]
    for file in files:
        if file.is_file():
            digest.update(str(file.name).encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def main():
    build, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    stamp, wanted = work / "made-of", fingerprint(build)
    venv = work / "venv"
    if stamp.exists() and stamp.read_text() == wanted and (venv / "bin" / "python").exists():
        print("the wheel is installed already")
        return
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    subprocess.run([sys.executable, MAKE, build, work / "dist", "--quick"], check=True)
    (wheel,) = (work / "dist").glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", venv], check=True)
    python = venv / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile", wheel],
                   check=True)
    where = subprocess.run([python, "-c", "import carom; print(carom.__file__)"], check=True,
                           stdout=subprocess.PIPE, text=True, cwd=work).stdout.strip()
    # What is loaded is inside, but for the C and C++ libraries.
    loaded = subprocess.run([python, "-c", LOADED], check=True, stdout=subprocess.PIPE, text=True, cwd=work).stdout
    if loaded.strip():
        sys.exit(f"carom loads libraries from outside of the wheel:\n{loaded}")
    if not pathlib.Path(where).is_relative_to(venv):
        sys.exit(f"carom was imported from {where}, not from the wheel")
    stamp.write_text(wanted)


if __name__ == "__main__":
    main()
