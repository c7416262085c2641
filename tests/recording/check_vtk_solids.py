"""Reads the VTK series of the sample run with bodies that turn and compares every number.

    check_vtk_solids.py SERIES.pvd BODIES LAST_STEP EVERY
"""

import pathlib
import sys
import xml.etree.ElementTree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

from sample_run import (TRIANGLES, VERTICES, angular_velocity, mass, material, orientation,
                        position, radius, time, turned, velocity)

BALLS = 2


def read(path, entry):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(pathlib.Path(path).parent / entry.get("file")))
    reader.Update()
    assert reader.GetErrorCode() == 0
    return reader.GetOutput()


def check_shapes(path, entries, steps):
    """A floor that all bodies stand above, and the stone where the header puts it, in one file."""
    assert [float(entry.get("timestep")) for entry in entries] == [time(step) for step in steps]
    assert len({entry.get("file") for entry in entries}) == 1
    data = read(path, entries[0])
    ids = vtk_to_numpy(data.GetPointData().GetArray("id"))
    places = vtk_to_numpy(data.GetPoints().GetData())
    assert sorted(set(ids)) == [-2, -1], ids
    assert data.GetNumberOfPolys() == 2 + 4
    floor = places[ids == -1]
    numpy.testing.assert_array_equal(floor[:, 1], 0.0)
    for step in steps:
        for body in range(5):
            x, _, z = position(body, step)
            assert floor[:, 0].min() < x < floor[:, 0].max()
            assert floor[:, 2].min() < z < floor[:, 2].max()
    corners = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
    stone = [[a + b for a, b in zip([1, -2, 0.5], turned([0.6, 0, 0.8, 0], corner))]
             for corner in corners]
    numpy.testing.assert_allclose(places[ids == -2], stone, rtol=0, atol=2e-15)


def main(path, bodies, last, every):
    steps = range(0, last + 1, every)
    all_entries = xml.etree.ElementTree.parse(path).getroot().findall("Collection/DataSet")
    entries = [entry for entry in all_entries if entry.get("part") == "0"]
    assert len(entries) == len(steps), len(entries)
    check_shapes(path, [entry for entry in all_entries if entry.get("part") == "1"], steps)
    solids = range(BALLS, bodies)
    owners = list(range(BALLS)) + [body for body in solids for _ in VERTICES]
    for entry, step in zip(entries, steps):
        assert float(entry.get("timestep")) == time(step)
        data = read(path, entry)
        assert data.GetNumberOfVerts() == BALLS
        assert data.GetNumberOfPolys() == len(TRIANGLES) * len(solids)
        points = data.GetPointData()
        arrays = {points.GetArrayName(k): vtk_to_numpy(points.GetArray(k))
                  for k in range(points.GetNumberOfArrays())}
        expected = [position(body, step) for body in range(BALLS)]
        for body in solids:
            for vertex in VERTICES:
                arm = turned(orientation(body, step), vertex)
                expected.append([x + y for x, y in zip(position(body, step), arm)])
        found = vtk_to_numpy(data.GetPoints().GetData())
        numpy.testing.assert_allclose(found, expected, rtol=0, atol=2e-15)
        numpy.testing.assert_array_equal(found[:BALLS], expected[:BALLS])
        for key, value in (("velocity", velocity), ("orientation", orientation),
                           ("angular_velocity", angular_velocity)):
            numpy.testing.assert_array_equal(arrays[key], [value(b, step) for b in owners], key)
        for key, value in (("mass", mass), ("material", material), ("id", int)):
            numpy.testing.assert_array_equal(arrays[key], [value(b) for b in owners], key)
        numpy.testing.assert_array_equal(
            arrays["radius"], [radius(b) if b < BALLS else 0.0 for b in owners])
        corners = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        numpy.testing.assert_array_equal(
            corners, [[BALLS + k * len(VERTICES) + corner for corner in triangle]
                      for k in range(len(solids)) for triangle in TRIANGLES])
    print("check_vtk_solids: all numbers agree")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
