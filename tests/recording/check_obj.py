"""Reads the OBJ files of the sample run with a surface and compares every number.

    check_obj.py PREFIX BODIES LAST_STEP EVERY
"""

import sys

from sample_run import position


def main(prefix, bodies, last, every):
    for step in range(0, last + 1, every):
        with open(f"{prefix}_{step:06}.obj", encoding="utf-8") as file:
            lines = [line.split() for line in file]
        assert lines[0] == ["#", "made", "by", "Carom"], lines[0]
        assert lines[1] == ["o", "a_kite"], lines[1]
        places = [[float(x) for x in line[1:]] for line in lines if line[0] == "v"]
        assert places == [list(position(body, step)) for body in range(1, bodies)], places
        assert [line[1:] for line in lines if line[0] == "f"] == [["1", "2", "3"]]
        assert [line[1:] for line in lines if line[0] == "l"] == [["3", "4"]]
        assert len(lines) == 1 + 1 + 4 + 1 + 1
    print("check_obj: all numbers agree")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
