"""tools/python_reference writes a page with everything that is public, and each of it has a help."""

import pathlib
import subprocess
import sys

import carom

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_reference_has_every_public_name(tmp_path):
    page = tmp_path / "python.md"
    result = subprocess.run([sys.executable, ROOT / "tools" / "python_reference", page], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    headings = {line.removeprefix("### ") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("### ")}
    assert {name for name in carom.__all__ if not name.startswith("_")} <= headings
