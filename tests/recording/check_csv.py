"""Reads the CSV export of the sample run with Python's csv module and compares every number.

    check_csv.py DIRECTORY PREFIX BODIES LAST_STEP EVERY [turns]
"""

import csv
import sys

from sample_run import (angular_velocity, diagnostics, events, name, orientation, position, radius,
                        time, velocity)


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def main(directory, prefix, bodies, last, every, turns):
    rows = rows_of(f"{directory}/{prefix}.frames.csv")
    expected = [(step, body) for step in range(0, last + 1, every) for body in range(bodies)]
    assert len(rows) == len(expected), len(rows)
    for row, (step, body) in zip(rows, expected):
        assert (int(row["step"]), int(row["body"])) == (step, body), row
        assert row["name"] == name(body), row
        assert float(row["time"]) == time(step), row
        assert [float(row[key]) for key in ("x", "y", "z")] == position(body, step), row
        assert [float(row[key]) for key in ("vx", "vy", "vz")] == velocity(body, step), row
        assert float(row["radius"]) == radius(body), row
        assert ("qw" in row) == turns and ("wx" in row) == turns, row
        if turns:
            found = [float(row[key]) for key in ("qw", "qx", "qy", "qz")]
            assert found == orientation(body, step), row
            found = [float(row[key]) for key in ("wx", "wy", "wz")]
            assert found == angular_velocity(body, step), row

    rows = rows_of(f"{directory}/{prefix}.diagnostics.csv")
    assert len(rows) == last + 1
    for step, row in enumerate(rows):
        assert int(row["step"]) == step and float(row["time"]) == time(step), row
        assert (float(row["kinetic"]), int(row["rows"])) == diagnostics(step), row

    rows = rows_of(f"{directory}/{prefix}.events.csv")
    expected = [event for step in range(last + 1) for event in events(step)]
    assert len(rows) == len(expected), len(rows)
    for row, event in zip(rows, expected):
        for key in ("step", "body_a", "body_b"):
            assert int(row[key]) == event[key], row
        for key in ("normal", "impulse", "point"):
            assert [float(row[f"{key}_{axis}"]) for axis in "xyz"] == event[key], row
    print("check_csv: all numbers agree")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6]), "turns" in sys.argv[6:])
