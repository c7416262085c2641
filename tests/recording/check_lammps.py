"""Reads the LAMMPS dump of the sample run with ASE and compares every number.

    check_lammps.py FILE BODIES LAST_STEP EVERY [PERIOD_BEGIN PERIOD_LENGTH | turns]

With a period the box is that period along x.
"""

import sys

import ase.io
import numpy

from sample_run import (angular_velocity, mass, material, orientation, position, radius,
                        velocity)


def box(bodies, steps):
    low = [min(position(b, s)[k] - radius(b) for b in range(bodies) for s in steps)
           for k in range(3)]
    high = [max(position(b, s)[k] + radius(b) for b in range(bodies) for s in steps)
            for k in range(3)]
    return numpy.array(low), numpy.array(high)


def main(path, bodies, last, every, period=None, turns=False):
    steps = range(0, last + 1, every)
    low, high = box(bodies, steps)
    if period:
        low[0], high[0] = period[0], period[0] + period[1]
    frames = ase.io.read(path, index=":", format="lammps-dump-text", units="si", order=True)
    assert len(frames) == len(steps), len(frames)
    # ASE states its own units; lengths in m and times in s must become those.
    metre = 1e10
    second = ase.units.second
    for frame, step in zip(frames, steps):
        assert len(frame) == bodies
        numpy.testing.assert_allclose(frame.get_positions() / metre,
                                      [position(b, step) for b in range(bodies)], rtol=1e-13)
        numpy.testing.assert_allclose(frame.get_velocities() * second / metre,
                                      [velocity(b, step) for b in range(bodies)], rtol=1e-12,
                                      atol=1e-13)
        numpy.testing.assert_allclose(numpy.diag(frame.get_cell()) / metre, high - low, rtol=1e-12)
        assert list(frame.get_atomic_numbers()) == [material(b) + 1 for b in range(bodies)]
        assert list(frame.get_pbc()) == [bool(period), False, False], frame.get_pbc()

    # What ASE does not keep: the exact digits, the radii and the masses.
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    bounds = lines.index("ITEM: BOX BOUNDS " + ("pp ff ff" if period else "ff ff ff")) + 1
    for k in range(3):
        assert list(map(float, lines[bounds + k].split())) == [low[k], high[k]], lines[bounds + k]
    columns = ("ITEM: ATOMS id type x y z vx vy vz radius mass"
               + (" quatw quati quatj quatk omegax omegay omegaz" if turns else ""))
    starts = [k + 1 for k, line in enumerate(lines) if line == columns]
    assert len(starts) == len(steps), len(starts)
    for first, step in zip(starts, steps):
        for body in range(bodies):
            fields = list(map(float, lines[first + body].split()))
            turn = orientation(body, step) + angular_velocity(body, step) if turns else []
            assert fields == ([body + 1, material(body) + 1] + position(body, step)
                              + velocity(body, step) + [radius(body), mass(body)] + turn), fields
    print("check_lammps: all numbers agree")


if __name__ == "__main__":
    TURNS = sys.argv[5:] == ["turns"]
    main(sys.argv[1], *map(int, sys.argv[2:5]),
         None if TURNS else tuple(map(float, sys.argv[5:7])), TURNS)
