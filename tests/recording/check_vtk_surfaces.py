"""Reads the VTK series of the sample run with a surface and compares every number.

    check_vtk_surfaces.py SERIES.pvd BODIES LAST_STEP EVERY
"""

import pathlib
import sys
import xml.etree.ElementTree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

from sample_run import mass, position, radius, time, velocity


def main(path, bodies, last, every):
    steps = range(0, last + 1, every)
    entries = xml.etree.ElementTree.parse(path).getroot().findall("Collection/DataSet")
    assert len(entries) == len(steps), len(entries)
    everybody = range(bodies)
    for entry, step in zip(entries, steps):
        assert float(entry.get("timestep")) == time(step)
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(pathlib.Path(path).parent / entry.get("file")))
        reader.Update()
        assert reader.GetErrorCode() == 0
        data = reader.GetOutput()
        assert data.GetNumberOfVerts() == 1  # the ball
        assert list(vtk_to_numpy(data.GetPolys().GetConnectivityArray())) == [1, 2, 3]
        assert list(vtk_to_numpy(data.GetLines().GetConnectivityArray())) == [3, 4]
        points = data.GetPointData()
        arrays = {points.GetArrayName(k): vtk_to_numpy(points.GetArray(k))
                  for k in range(points.GetNumberOfArrays())}
        numpy.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()),
                                         [position(b, step) for b in everybody])
        numpy.testing.assert_array_equal(arrays["velocity"],
                                         [velocity(b, step) for b in everybody])
        numpy.testing.assert_array_equal(arrays["id"], list(everybody))
        numpy.testing.assert_array_equal(arrays["mass"], list(map(mass, everybody)))
        numpy.testing.assert_array_equal(arrays["radius"], [radius(0)] + 4 * [0.0])
        numpy.testing.assert_array_equal(arrays["thickness"], [0.0] + 4 * [0.02])
        numpy.testing.assert_array_equal(arrays["surface"], [-1] + 4 * [0])
    print("check_vtk_surfaces: all numbers agree")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
