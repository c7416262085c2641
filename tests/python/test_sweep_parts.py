"""Parts of a sweep, as the tasks of a cluster make them: together they are the whole table."""

import os
import pathlib
import subprocess

import carom

COMMAND = pathlib.Path(os.environ["CAROM_BINARY_DIR"]) / "apps/carom/carom"
SWEEP = [COMMAND, "sweep", carom.gallery("M1-break"), "--vary", "time.duration=0.01,0.02,0.03,0.04", "--measure",
         "energy", "--quiet", "-o"]


def rows(path):
    return [line for line in path.read_text().splitlines() if line[:1].isdigit()]


def test_parts_are_the_whole(tmp_path):
    subprocess.run([*SWEEP, tmp_path / "whole"], check=True, capture_output=True)
    whole = rows(tmp_path / "whole.csv")
    for part, numbers in (("a", "2"), ("b", "4,1"), ("c", "2:3")):
        subprocess.run([*SWEEP, tmp_path / part, "--runs", numbers], check=True, capture_output=True)
        assert not (tmp_path / part).with_suffix(".svg").exists()
    assert rows(tmp_path / "a.csv") == [whole[1]]
    assert rows(tmp_path / "b.csv") == [whole[0], whole[3]]
    assert rows(tmp_path / "c.csv") == [whole[1], whole[2]]
    subprocess.run([*SWEEP, tmp_path / "a"], check=True, capture_output=True)  # goes on
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_wrong_parts_are_refused(tmp_path):
    for numbers in ("0", "5", "x", "2:9", "", "1,,2", "-1"):
        done = subprocess.run([*SWEEP, tmp_path / "x", f"--runs={numbers}"], capture_output=True, text=True)
        assert done.returncode == 2 and "--runs" in done.stderr, (numbers, done.stderr)
        assert not (tmp_path / "x.csv").exists()
    done = subprocess.run([*SWEEP, tmp_path / "x", "--slurm", "--runs", "1"], capture_output=True, text=True)
    assert done.returncode == 2
