// Impact operators and friction solvers of SCISim, and what of Carom's answers to them.
#include <algorithm>

#include "carom/core/names.h"
#include "carom/scene/detail/scisim_importer.h"
#include "carom/scene/detail/table_reader.h"
#include "carom/scene/detail/xml_values.h"

namespace carom::detail {
namespace {

const std::vector<std::string> kOperators = {"gr", "lcp", "gauss_seidel", "jacobi"};

std::string operator_type(const XmlElement& element, const std::vector<std::string>& known) {
  const XmlAttribute& type = xml::required(element, "type");
  if (std::find(known.begin(), known.end(), type.value) == known.end()) {
    xml::refuse(type.place, unknown_name_message("impact operator", printable(type.value), known));
  }
  // An absolute speed; Carom's tolerance is relative and stays as it is.
  if (element.attribute("v_tol") != nullptr) static_cast<void>(xml::number(element, "v_tol"));
  return type.value;
}

// An operator inside grr may say its coefficient, which follows from what it is there for.
void check_coefficient(const XmlElement& element, double expected) {
  if (element.attribute("CoR") == nullptr) return;
  if (xml::number(element, "CoR") == expected) return;
  xml::refuse(xml::required(element, "CoR").place, "must be " + number_text(expected) +
                                                       " for the " + element.name +
                                                       " of grr, whose own CoR is the coefficient");
}

}  // namespace

void ScisimImporter::set_restitution(const XmlElement& element) {
  MaterialTable& materials = scene_.simulation.world.materials;
  Material material = materials.material(0);
  material.restitution = xml::number(element, "CoR");
  if (!(material.restitution >= 0.0 && material.restitution <= 1.0)) {
    xml::refuse(xml::required(element, "CoR").place,
                "must be between 0 and 1, found " + number_text(material.restitution));
  }
  materials.replace(0, material);
}

void ScisimImporter::read_impact_operator(const XmlElement& element) {
  Simulation& simulation = scene_.simulation;
  std::vector<std::string> known = kOperators;
  known.emplace_back("grr");
  std::string name = operator_type(element, known);
  set_restitution(element);
  if (name == "grr") {
    const XmlElement* elastic = element.child("elastic_operator");
    const XmlElement* inelastic = element.child("inelastic_operator");
    if (elastic == nullptr || inelastic == nullptr) {
      xml::refuse(element.place, "grr holds an elastic_operator and an inelastic_operator");
    }
    for (const XmlElement* part : {elastic, inelastic}) {
      xml::demand_known(*part, {"type", "v_tol", "CoR"}, {"solver"});
    }
    check_coefficient(*elastic, 1.0);
    check_coefficient(*inelastic, 0.0);
    name = operator_type(*elastic, kOperators);
    static_cast<void>(operator_type(*inelastic, {"lcp"}));
  } else if (simulation.world.materials.material(0).restitution < 1.0) {
    // Without grr the coefficient acts inside the iteration.
    simulation.impact.restitution_model = "propagated";
  }
  simulation.impact.impact_operator = name;
  scene_.operators = {name};
}

// SCISim solves impacts and friction as one problem there, with Newton's coefficient in it. Carom
// resolves what bounces by an operator and then all that rests and rubs as one problem. A lone
// contact comes out alike.
void ScisimImporter::read_friction_solver(const XmlElement& element) {
  Simulation& simulation = scene_.simulation;
  set_restitution(element);
  Material material = simulation.world.materials.material(0);
  material.friction = xml::number(element, "mu");
  if (!(material.friction >= 0.0)) {
    xml::refuse(xml::required(element, "mu").place,
                "must not be negative, found " + number_text(material.friction));
  }
  simulation.world.materials.replace(0, material);
  simulation.impact.impact_operator = "gr";
  scene_.operators = {"gr"};
  std::string note = "SCISim's " + element.name + " became ";
  if (material.friction > 0.0) {
    simulation.impact.friction_model = "coulomb";
    note +=
        "the operator gr for what bounces and the friction model coulomb for what rests and "
        "rubs; impacts of several contacts at once come out otherwise.";
  } else {
    note +=
        "the operator gr, as its mu is 0; impacts of several contacts at once come out "
        "otherwise.";
  }
  notes_.push_back(std::move(note));
}

}  // namespace carom::detail
