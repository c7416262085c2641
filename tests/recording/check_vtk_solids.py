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


def main(path, bodies, last, every):
    steps = range(0, last + 1, every)
    entries = xml.etree.ElementTree.parse(path).getroot().findall("Collection/DataSet")
    assert len(entries) == len(steps), len(entries)
    solids = range(BALLS, bodies)
    owners = list(range(BALLS)) + [body for body in solids for _ in VERTICES]
    for entry, step in zip(entries, steps):
        assert float(entry.get("timestep")) == time(step)
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(pathlib.Path(path).parent / entry.get("file")))
        reader.Update()
        assert reader.GetErrorCode() == 0
        data = reader.GetOutput()
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
