// The extension module: what each file of this directory binds, in the order of the library.
#include "bindings.h"

PYBIND11_MODULE(_carom, module) {
  module.doc() = "Carom, as its library has it; the package carom says it in Python's manner.";
  carom::python::bind_core(module);
  carom::python::bind_operators(module);
  carom::python::bind_impact(module);
  carom::python::bind_scene(module);
  carom::python::bind_live(module);
  carom::python::bind_recording(module);
  carom::python::bind_study(module);
}
