// The audit's front: meshes, messages, and audits of a single state or motion.

#include "carom/asynchronous/audit.h"

#include "carom/asynchronous/detail/audit_search.h"
#include "carom/core/names.h"

namespace carom::asynchronous {
namespace {

std::string place_text(const Vec3& x, bool in_space) {
  const std::string start = "(" + number_text(x.x) + ", " + number_text(x.y);
  return in_space ? start + ", " + number_text(x.z) + ")" : start + ")";
}

std::string primitive_text(const AuditPrimitive& primitive, const detail::AuditElements& elements) {
  const std::string number = std::to_string(primitive.number);
  const auto with = [&](const std::string& name, std::span<const Index> corners) {
    std::string text = name + " " + number + " (vertices ";
    for (std::size_t k = 0; k < corners.size(); ++k) {
      text += (k == 0 ? "" : ", ") + std::to_string(corners[k]);
    }
    return text + ")";
  };
  if (primitive.kind == AuditPrimitive::Kind::edge) {
    return with("edge", elements.edges()[primitive.number]);
  }
  if (primitive.kind == AuditPrimitive::Kind::face) {
    return with("face", elements.triangles()[primitive.number]);
  }
  return "vertex " + number;
}

}  // namespace

Audit::Audit(const AuditMesh& mesh) : search_(std::make_unique<detail::AuditSearch>(mesh)) {}
Audit::~Audit() = default;
Audit::Audit(Audit&&) noexcept = default;
Audit& Audit::operator=(Audit&&) noexcept = default;

StateReport Audit::state(std::span<const Vec3> places, const AuditSettings& settings) {
  return search_->state(places, settings);
}

MotionReport Audit::motion(const AuditPath& path, const AuditSettings& settings) {
  return search_->motion(path, settings);
}

std::span<const std::array<Index, 2>> Audit::edges() const { return search_->elements().edges(); }

std::string Audit::text(const AuditFault& fault) const {
  const detail::AuditElements& elements = search_->elements();
  const std::string first = primitive_text(fault.first, elements);
  const std::string second = primitive_text(fault.second, elements);
  const std::string when = (fault.time ? " at t = " + number_text(*fault.time) + "," : "") +
                           " near " + place_text(fault.place, elements.in_space());
  switch (fault.kind) {
    case AuditFault::Kind::crossing:
      return first + " passes through " + second + when;
    case AuditFault::Kind::touch:
      return first + " touches " + second + when;
    case AuditFault::Kind::undecided:
      break;
  }
  return first + " and " + second + " are too near each other to tell" + when + ": " +
         number_text(fault.gap) + " apart";
}

StateReport audit_state(const AuditMesh& mesh, std::span<const Vec3> places,
                        const AuditSettings& settings) {
  return Audit(mesh).state(places, settings);
}

MotionReport audit_motion(const AuditMesh& mesh, const AuditPath& path,
                          const AuditSettings& settings) {
  return Audit(mesh).motion(path, settings);
}

}  // namespace carom::asynchronous
