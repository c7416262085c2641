// One state, one window: boxes, near pairs, and what is asked about each.

#include "carom/asynchronous/detail/audit_search.h"

#include <algorithm>
#include <tuple>

#include "carom/asynchronous/detail/exact_meeting.h"
#include "carom/asynchronous/detail/motion_proof.h"
#include "carom/core/error.h"

namespace carom::asynchronous::detail {
namespace {

// Tests pairs exactly and keeps the first faults in the order of their primitives.
class StateTest {
 public:
  StateTest(std::span<const Vec3> places, const AuditSettings& settings)
      : places_(places), most_faults_(settings.most_faults) {}

  void operator()(const PrimitivePair& pair) {
    ++report_.pairs;
    std::array<Vec3, 5> x;
    for (std::size_t i = 0; i < pair.count; ++i) x[i] = places_[pair.vertices[i]];
    const Intersection found = exact_meeting(pair, x);
    if (!found) return;
    const std::array<AuditPrimitive, 2> primitives = primitives_of(pair);
    const auto kind =
        found.meeting == Meeting::cross ? AuditFault::Kind::crossing : AuditFault::Kind::touch;
    keep({kind, primitives[0], primitives[1], std::nullopt, found.place, 0.0});
  }

  // The vertices of one edge and those of one triangle are no pair; they must not be in one place
  // or on one line.
  void test_own(const AuditElements& elements) {
    for (Index e = 0; e < elements.edges().size(); ++e) {
      const auto& [a, b] = elements.edges()[e];
      if (!(elements.is_fixed(a) && elements.is_fixed(b))) {
        (*this)({PrimitivePair::Kind::vertex_vertex, a, b, 1, 2, {a, b}});
      }
    }
    if (!elements.in_space()) return;
    for (std::size_t t = 0; t < elements.triangles().size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) test_corner(elements, t, k);
    }
  }

  [[nodiscard]] StateReport take_report() { return std::move(report_); }

 private:
  // Corner k of a triangle against the side that is not its own.
  void test_corner(const AuditElements& elements, std::size_t triangle, std::size_t k) {
    const std::array<Index, 3>& t = elements.triangles()[triangle];
    const std::array<Index, 3> v = {t[k], t[(k + 1) % 3], t[(k + 2) % 3]};
    if (elements.is_fixed(v[0]) && elements.is_fixed(v[1]) && elements.is_fixed(v[2])) return;
    ++report_.pairs;
    const Intersection found = point_segment(places_[v[0]], {places_[v[1]], places_[v[2]]});
    if (!found || found.second.kind == Feature::Kind::corner) return;  // an edge's fault
    const Index edge = elements.sides(triangle)[(k + 1) % 3];
    keep({AuditFault::Kind::touch,
          {AuditPrimitive::Kind::vertex, v[0]},
          {AuditPrimitive::Kind::edge, edge},
          std::nullopt,
          found.place,
          0.0});
  }

  void keep(const AuditFault& fault) {
    ++report_.fault_count;
    const auto key = [](const AuditFault& f) {
      return std::tuple(f.first.kind, f.second.kind, f.first.number, f.second.number);
    };
    const auto less = [&](const AuditFault& a, const AuditFault& b) { return key(a) < key(b); };
    auto& faults = report_.faults;
    faults.insert(std::upper_bound(faults.begin(), faults.end(), fault, less), fault);
    if (faults.size() > most_faults_) faults.pop_back();
  }

  std::span<const Vec3> places_;
  std::size_t most_faults_;
  StateReport report_;
};

AxisBox enlarged(AxisBox box, double margin) {
  const Vec3 by = {margin, margin, margin};
  box.lower -= by;
  box.upper += by;
  return box;
}

}  // namespace

StateReport AuditSearch::state(std::span<const Vec3> places, const AuditSettings& settings) {
  if (places.size() != elements_.vertex_count()) {
    throw InputError({{}, 0, 0, "places"}, "one for each vertex");
  }
  const auto is_usable = [&](const Vec3& x) {
    return is_finite(x) && (elements_.in_space() || x.z == 0.0);
  };
  if (!std::all_of(places.begin(), places.end(), is_usable)) {
    StateReport report;
    report.status = AuditStatus::refused;
    return report;
  }
  vertex_boxes_.resize(places.size());
  for (std::size_t v = 0; v < places.size(); ++v) vertex_boxes_[v] = {places[v], places[v]};
  StateTest test(places, settings);
  test.test_own(elements_);
  const bool finished = visit_near_pairs(true, settings, test);
  StateReport report = test.take_report();
  if (!report.faults.empty()) {
    report.status = AuditStatus::fault;
  } else if (!finished) {
    report.status = AuditStatus::cancelled;
  }
  return report;
}

MotionReport AuditSearch::motion(const AuditPath& given, const AuditSettings& settings) {
  const RecordedPath path(given);
  MotionReport report;
  if (!path.is_usable(elements_.in_space())) {
    report.status = AuditStatus::refused;
    return report;
  }
  path.check(elements_.vertex_count());
  const std::size_t count = elements_.vertex_count();
  vertex_boxes_.resize(count);
  pieces_.resize(count);
  for (Index v = 0; v < count; ++v) {
    vertex_boxes_[v] = enlarged(path.swept_box(v), 0.5 * settings.reach);
    pieces_[v] =
        path.piece(v, path.at(v, path.begin()), path.at(v, path.end()), {path.begin(), path.end()});
  }
  MotionProof proof(path, pieces_, elements_.in_space(), settings);
  const auto examine = [&](const PrimitivePair& pair) { proof.examine(pair); };
  const bool finished = visit_near_pairs(false, settings, examine);
  report = proof.report();
  if (report.fault) {
    report.status = AuditStatus::fault;
  } else if (!finished) {
    report.status = AuditStatus::cancelled;
  } else if (report.undecided) {
    report.status = AuditStatus::undecided;
  }
  return report;
}

}  // namespace carom::asynchronous::detail
