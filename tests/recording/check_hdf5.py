"""Reads a recording of the sample run (sample_run.cpp) with h5py and compares every number.

    check_hdf5.py FILE BODIES LAST_STEP
"""

import sys

import h5py
import numpy

from sample_run import diagnostics, events, mass, material, name, position, radius, time, velocity


def main(path, bodies, last):
    steps = range(last + 1)
    with h5py.File(path) as recording:
        assert recording.attrs["format"] == b"carom recording", recording.attrs["format"]
        assert recording.attrs["format_version"] == 1
        run = recording["run"].attrs
        assert run["impact_operator"] == b"gr" and run["status"] == b"finished"
        assert run["step"] == 0.01
        text = recording["scene/text"][0].decode()
        assert text.startswith("# a scene\n") and "\u00e9toile" in text, text
        assert recording["scene"].attrs["dimension"] == 3

        names = [field.decode() for field in recording["bodies/name"]]
        assert names == [name(body) for body in range(bodies)], names
        numpy.testing.assert_array_equal(recording["bodies/mass"], list(map(mass, range(bodies))))
        numpy.testing.assert_array_equal(recording["bodies/radius"],
                                         list(map(radius, range(bodies))))
        numpy.testing.assert_array_equal(recording["bodies/material"],
                                         list(map(material, range(bodies))))

        frames = recording["frames"]
        numpy.testing.assert_array_equal(frames["step"], list(steps))
        numpy.testing.assert_array_equal(frames["time"], list(map(time, steps)))
        numpy.testing.assert_array_equal(
            frames["position"], [[position(b, s) for b in range(bodies)] for s in steps])
        numpy.testing.assert_array_equal(
            frames["velocity"], [[velocity(b, s) for b in range(bodies)] for s in steps])
        assert frames["position"].attrs["unit"] == b"m"

        kinetic, rows = zip(*map(diagnostics, steps))
        numpy.testing.assert_array_equal(recording["diagnostics/kinetic"], kinetic)
        numpy.testing.assert_array_equal(recording["diagnostics/rows"], rows)
        assert recording["diagnostics/kinetic"].attrs["unit"] == b"J"

        expected = [event for step in steps for event in events(step)]
        found = recording["events"]
        assert len(found["step"]) == len(expected)
        for key in ("step", "time", "body_a", "body_b", "normal", "impulse", "point"):
            numpy.testing.assert_array_equal(found[key], [event[key] for event in expected], key)

        # The newest two checkpoints; here a state is positions and velocities.
        checkpoints = recording["checkpoints"]
        assert list(checkpoints["step"]) == [last // 10 * 10 - 10, last // 10 * 10]
        state = checkpoints["state"][-int(checkpoints["size"][-1]):].view("<f8")
        step = last // 10 * 10
        numpy.testing.assert_array_equal(
            state, numpy.array([[position(b, step) for b in range(bodies)],
                                [velocity(b, step) for b in range(bodies)]]).ravel())
    print("check_hdf5: all numbers agree")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
