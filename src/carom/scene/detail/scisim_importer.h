#pragma once

#include <string>
#include <utility>
#include <vector>

#include "carom/scene/detail/xml.h"
#include "carom/scene/scene.h"

namespace carom::detail {

/// Turns the elements of one file of SCISim into a scene. All three kinds of its files are read by
/// the same functions; a table for each kind says which elements it knows.
class ScisimImporter {
 public:
  explicit ScisimImporter(const std::string& file);

  Scene run(const XmlElement& root);

 private:
  using Reader = void (ScisimImporter::*)(const XmlElement&);
  struct Known {
    std::string name;
    Reader read;
    std::vector<std::string> attributes;  ///< those that SCISim knows, used here or not
    std::vector<std::string> children;
  };
  struct FileKind {
    std::string root;
    int dimension = 2;
    std::vector<Known> known;
  };
  /// What bodies of one geometry are made of.
  struct Geometry {
    Index solid = kNone;
    double radius = 0.0;  ///< of a sphere; 0: another solid
  };

  [[nodiscard]] static const std::vector<FileKind>& kinds();
  void read(const XmlElement& element, const FileKind& kind);
  void ignore(const XmlElement& /*element*/) {}

  void read_integrator(const XmlElement& element);
  void read_end_time(const XmlElement& element);
  void read_gravity(const XmlElement& element);
  void read_near_earth_gravity(const XmlElement& element);
  void read_ball(const XmlElement& element);
  void read_plane(const XmlElement& element);
  void read_drum(const XmlElement& element);
  void read_portal(const XmlElement& element);
  // scisim_bodies.cpp
  void read_cylinder(const XmlElement& element);
  void read_geometry(const XmlElement& element);
  void read_rigid_body(const XmlElement& element);
  // scisim_solvers.cpp
  void read_impact_operator(const XmlElement& element);
  void read_friction_solver(const XmlElement& element);

  void set_restitution(const XmlElement& element);
  [[nodiscard]] const Geometry& geometry_of(const XmlElement& element) const;
  void add_fixed(const XmlElement& element, std::string name, const Geometry& geometry,
                 const Quaternion& orientation);
  void check_once(const XmlElement& root) const;
  void make_portals();
  void make_overlaps_touch();
  void finish(const XmlElement& root);
  [[nodiscard]] double largest_overlap() const;

  Scene scene_;
  std::vector<std::string> notes_;  ///< what is not as it was, for the description
  std::vector<InputPlace> places_;  ///< of the bodies that move
  std::vector<Geometry> geometry_;
  std::vector<const XmlElement*> portals_;
  Index bodies_ = 0;  ///< so far, fixed ones too
  Index planes_ = 0;
  Index drums_ = 0;
  Index cylinders_ = 0;
};

}  // namespace carom::detail
