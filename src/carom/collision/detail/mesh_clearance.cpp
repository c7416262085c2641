// A lower bound on how far a mesh is from something, by looking at its nearest balls first.
#include "carom/collision/detail/mesh_clearance.h"

#include <algorithm>
#include <vector>

namespace carom::detail {
namespace {

constexpr int kMostLooks = 4000;

struct Piece {
  Vec3 a;
  Vec3 b;
  Vec3 c;
  double least = 0.0;       // lower bound on its distance
  bool is_sampled = false;  // `least` stems from the field itself

  [[nodiscard]] Vec3 middle() const { return (1.0 / 3.0) * (a + b + c); }
  [[nodiscard]] double radius() const {
    const Vec3 m = middle();
    return std::sqrt(std::max({norm_squared(a - m), norm_squared(b - m), norm_squared(c - m)}));
  }
};

// For a heap with the smallest on top; equal ones in the order of their places, for the same bits.
bool is_later(const Piece& left, const Piece& right) { return left.least > right.least; }

class Search {
 public:
  Search(const MeshPart& mesh, const Pose& pose, const DistanceField& field) : field_(field) {
    std::vector<Vec3> places;
    places.reserve(mesh.mesh->vertices.size());
    for (const Vec3& vertex : mesh.mesh->vertices) places.push_back(pose.to_world(vertex));
    pieces_.reserve(mesh.mesh->triangles.size());
    for (const TriangleMesh::Triangle& t : mesh.mesh->triangles) {
      Piece piece{places[t.a], places[t.b], places[t.c]};
      piece.least = field.radius < kInfinity
                        ? norm(piece.middle() - field.center) - field.radius - piece.radius()
                        : -kInfinity;
      pieces_.push_back(piece);
    }
    std::make_heap(pieces_.begin(), pieces_.end(), is_later);
  }

  double run(double accuracy) {
    double nearest = kInfinity;  // of all places looked at
    for (int looks = 0; looks < kMostLooks;) {
      const double least = pieces_.front().least;
      if (least >= (1.0 - accuracy) * nearest) return least;
      std::pop_heap(pieces_.begin(), pieces_.end(), is_later);
      const Piece piece = pieces_.back();
      pieces_.pop_back();
      if (!piece.is_sampled) {
        nearest = std::min(nearest, look(piece));
        ++looks;
        continue;
      }
      const Vec3 ab = 0.5 * (piece.a + piece.b);
      const Vec3 bc = 0.5 * (piece.b + piece.c);
      const Vec3 ca = 0.5 * (piece.c + piece.a);
      for (const Piece& part : {Piece{piece.a, ab, ca}, Piece{ab, piece.b, bc},
                                Piece{ca, bc, piece.c}, Piece{ab, bc, ca}}) {
        nearest = std::min(nearest, look(part));
        ++looks;
      }
    }
    return pieces_.front().least;
  }

 private:
  // Puts a piece back with what the field says of its middle, and returns that.
  double look(Piece piece) {
    const double distance = field_.distance(piece.middle());
    piece.least = std::max(piece.least, distance - piece.radius());
    piece.is_sampled = true;
    pieces_.push_back(piece);
    std::push_heap(pieces_.begin(), pieces_.end(), is_later);
    return distance;
  }

  const DistanceField& field_;
  std::vector<Piece> pieces_;
};

}  // namespace

double mesh_clearance(const MeshPart& mesh, const Pose& pose, const DistanceField& field,
                      double accuracy) {
  return Search(mesh, pose, field).run(accuracy);
}

}  // namespace carom::detail
