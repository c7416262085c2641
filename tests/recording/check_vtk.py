"""Reads the VTK series of the sample run with VTK's own reader and compares every number.

    check_vtk.py SERIES.pvd BODIES LAST_STEP EVERY
"""

import math
import pathlib
import sys
import xml.etree.ElementTree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

from sample_run import mass, material, position, radius, time, velocity


def main(path, bodies, last, every):
    steps = range(0, last + 1, every)
    entries = xml.etree.ElementTree.parse(path).getroot().findall("Collection/DataSet")
    assert len(entries) == len(steps), len(entries)
    for entry, step in zip(entries, steps):
        assert float(entry.get("timestep")) == time(step)
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(pathlib.Path(path).parent / entry.get("file")))
        reader.Update()
        assert reader.GetErrorCode() == 0
        data = reader.GetOutput()
        assert data.GetNumberOfPoints() == bodies and data.GetNumberOfVerts() == bodies
        points = data.GetPointData()
        arrays = {points.GetArrayName(k): vtk_to_numpy(points.GetArray(k))
                  for k in range(points.GetNumberOfArrays())}
        everybody = range(bodies)
        numpy.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()),
                                         [position(b, step) for b in everybody])
        numpy.testing.assert_array_equal(arrays["velocity"],
                                         [velocity(b, step) for b in everybody])
        numpy.testing.assert_array_equal(arrays["radius"], list(map(radius, everybody)))
        numpy.testing.assert_array_equal(arrays["mass"], list(map(mass, everybody)))
        numpy.testing.assert_array_equal(arrays["material"], list(map(material, everybody)))
        numpy.testing.assert_array_equal(arrays["id"], list(everybody))
        numpy.testing.assert_allclose(
            arrays["speed"], [math.hypot(*velocity(b, step)) for b in everybody], rtol=1e-15)
        stored = vtk_to_numpy(data.GetFieldData().GetArray("TimeValue"))
        assert list(stored) == [time(step)], stored
    print("check_vtk: all numbers agree")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
