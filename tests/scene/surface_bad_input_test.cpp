// What is refused of [[surface]], [[lead]] and [[force]], with the place and what would be right.

#include <string>

#include <gtest/gtest.h>

#include "carom/core/error.h"
#include "carom/scene/scene.h"

namespace carom {
namespace {

const std::string kHead = R"(kind = "scene"
[world]
dimension = 3
[time]
scheme = "asynchronous"
)";
const std::string kPlane = "kind = \"scene\"\n[time]\nscheme = \"asynchronous\"\n";
const std::string kMade = "thickness = 0.01\narea_density = 1\nstretching = 1\n";
const std::string kSquare =
    "[[surface]]\nname = \"cloth\"\ntype = \"rectangle\"\nsize = [1, 1]\ncounts = [2, 2]\n" + kMade;
const std::string kLine =
    "[[surface]]\nname = \"line\"\ntype = \"chain\"\nfrom = [0, 0]\nto = [1, 0]\ncount = 2\n"
    "thickness = 0.01\nlength_density = 1\nstretching = 1\n";

// The first one.
std::string fault_of(const std::string& text) {
  try {
    static_cast<void>(read_scene(text, "s.toml"));
  } catch (const InputError& error) {
    const std::string all = error.what();
    return all.substr(0, all.find('\n'));
  }
  return "";
}

// The message, in three dimensions; the head has five lines.
void expect_fault(const std::string& text, const std::string& message) {
  EXPECT_EQ(fault_of(kHead + text), message) << text;
}
// The same, of a square and what is added to it; the square has eight lines.
void expect_square_fault(const std::string& more, const std::string& message) {
  expect_fault(kSquare + more, message);
}
// Of a surface with this source, which begins in line 7.
void expect_source_fault(const std::string& source, const std::string& message) {
  expect_fault("[[surface]]\n" + source + "\n" + kMade, message);
}

TEST(SurfaceBadInput, TheSchemeMustKnowSurfaces) {
  std::string text = kHead + kSquare;
  text.replace(text.find("asynchronous"), 12, "steps");
  EXPECT_EQ(fault_of(text),
            "s.toml:6:1: surface[0]: surface 'cloth' needs time.scheme \"asynchronous\", found "
            "\"steps\"");
  text.replace(text.find("steps"), 5, "events");
  EXPECT_EQ(fault_of(text),
            "s.toml:6:1: surface[0]: surface 'cloth' needs time.scheme \"asynchronous\", found "
            "\"events\"");
  const std::string ball =
      "kind = \"scene\"\n[[body]]\nname = \"a\"\nposition = [0, 0]\nradius = 1\n";
  EXPECT_EQ(fault_of(ball + "[[lead]]\nbody = \"a\"\n"),
            "s.toml:2:1: body[0]: motion of body 'a' needs time.scheme \"asynchronous\", found "
            "\"steps\"");
  EXPECT_EQ(fault_of(ball + "[[force]]\nbody = \"a\"\nforce = [1, 0]\n"),
            "s.toml:2:1: body[0]: force on body 'a' needs time.scheme \"asynchronous\", found "
            "\"steps\"");
}

TEST(SurfaceBadInput, WhatEverySurfaceNeeds) {
  expect_fault("[[surface]]\ntype = \"disc\"\n",
               "s.toml:6:1: surface[0].thickness: is missing; expected a length; contact begins at "
               "that distance");
  expect_source_fault("",
                      "s.toml:6:1: surface[0].type: is missing; expected one of file, a type such "
                      "as \"rectangle\", and vertices");
  expect_fault("[[surface]]\ntype = \"sphere\"\nradius = 1\nthickness = 0.01\nstretching = 1\n",
               "s.toml:6:1: surface[0].area_density: is missing; expected kg/m^2 of its triangles, "
               "or mass, that of the whole");
  expect_fault("[[surface]]\ntype = \"sphere\"\nradius = 1\nthickness = 0.01\nmass = 1\n",
               "s.toml:6:1: surface[0].stretching: is missing; expected how stiff it is "
               "(docs/scene-format.md); 0: nothing but a stretch_limit holds it together");
  expect_square_fault("strething = 1\n",
                      "s.toml:14:1: surface[0]: unknown key 'strething'; did you mean "
                      "'stretching'? Known: name, material, thickness, file, type, size, counts, "
                      "alternates, scale, rest, rest_scale, orientation, turned, "
                      "position, mass, area_density, length_density, masses, velocities, velocity, "
                      "angular_velocity, stretching, stretching_damping, bending, bending_damping, "
                      "yield, stretch_model, bend_model, edge_law, flat_at_rest, poisson, "
                      "stretch_limit, compression_limit, limit_stiffness, limit_restitution, lead, "
                      "force");
}

TEST(SurfaceBadInput, SourcesOfGeometry) {
  expect_source_fault(
      "type = \"rectangel\"",
      "s.toml:7:8: surface[0].type: unknown type of surface 'rectangel'; did you "
      "mean 'rectangle'? Known: rectangle, ribbon, disc, sphere, tube, chain, mesh");
  expect_source_fault("type = \"disc\"\nradius = 1\nrings = 0",
                      "s.toml:9:9: surface[0].rings: expected whole numbers from 1 to 1000000, "
                      "found 0");
  expect_source_fault("type = \"disc\"\nradius = -1\nrings = 1",
                      "s.toml:8:10: surface[0].radius: must be positive, found -1");
  expect_source_fault("type = \"rectangle\"\nsize = [1, 0]\ncounts = [1, 1]",
                      "s.toml:8:8: surface[0].size: lengths must be positive");
  expect_source_fault("type = \"rectangle\"\nsize = [1, 1]\ncounts = 3",
                      "s.toml:9:10: surface[0].counts: expected two numbers, found 1");
  expect_source_fault("type = \"rectangle\"\nsize = [1, 1]\ncounts = [1e5, 1e5]",
                      "s.toml:9:10: surface[0].counts: a scene can have at most 50000000 balls, "
                      "here would be 10000200001");
  expect_source_fault("type = \"tube\"\nradius = 1\nlength = 1\ncounts = [5, 2]",
                      "s.toml:10:10: surface[0].counts: columns must be even where diagonals "
                      "alternate, found 5");
  expect_source_fault("type = \"ribbon\"\npoints = [[0, 0, 0], [1, 0, 0]]\nwidth = 1",
                      "s.toml:6:1: surface[0].side: is missing; expected the direction of the "
                      "width where the ribbon begins");
  expect_source_fault(
      "type = \"ribbon\"\npoints = [[0, 0, 0], [1, 0, 0], [0, 0, 0]]\nwidth = 1\nside = [0, 0, 1]",
      "s.toml:8:10: surface[0].points: points[1] is where the curve turns back");
  expect_source_fault("type = \"sphere\"\nradius = 1\nsubdivisions = 9",
                      "s.toml:9:16: surface[0].subdivisions: must be at most 7");
  expect_source_fault("file = \"a.obj\"\nvertices = []",
                      "s.toml:8:12: surface[0].vertices: give file or vertices, not both");
  expect_source_fault("file = \"a.obj\"\ntype = \"disc\"",
                      "s.toml:8:8: surface[0].type: give file or type, not both");
  expect_source_fault("file = \"not-there.obj\"",
                      "s.toml:7:8: surface[0].file: \"not-there.obj\" cannot be opened: No such "
                      "file or directory");
  expect_source_fault("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]",
                      "s.toml:6:1: surface[0].triangles: is missing; expected lists of numbers of "
                      "vertices, from 0: triangles, edges, or both");
  expect_source_fault("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\ntriangles = [[0, 1, 3]]",
                      "s.toml:8:13: surface[0].triangles: there is no vertex 3");
  expect_source_fault("vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\ntriangles = [[0, 1]]",
                      "s.toml:8:13: surface[0].triangles: expected 3 numbers of vertices for each, "
                      "found 2");
}

TEST(SurfaceBadInput, MeshesThatAreNoSurfaces) {
  const std::string places = "vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0]]\n";
  expect_source_fault(places + "triangles = [[0, 1, 3]]",
                      "s.toml:8:13: surface[0].triangles: triangles[0] has no area at rest: "
                      "vertices 0, 1, 3");
  expect_source_fault(places + "triangles = [[0, 1, 2]]",
                      "s.toml:6:1: surface[0]: rest[3] is a vertex of no triangle and no chain");
  expect_source_fault(places + "triangles = [[0, 1, 2]]\nedges = [[0, 1], [2, 3]]",
                      "s.toml:9:9: surface[0].edges: edges[0] is there already: the edge of "
                      "vertices 0 and 1");
}

TEST(SurfaceBadInput, RestShapes) {
  expect_square_fault("rest = \"flat\"\n",
                      "s.toml:14:8: surface[0].rest: \"flat\" is the rest shape of ribbons only");
  expect_square_fault("rest = \"texture\"\n",
                      "s.toml:14:8: surface[0].rest: \"texture\" needs a file with texture "
                      "coordinates");
  expect_square_fault(
      "rest = \"textur\"\n",
      "s.toml:14:8: surface[0].rest: unknown rest 'textur'; did you mean 'texture'? "
      "Known: shape, flat, texture");
  expect_square_fault("rest = [[0, 0]]\n",
                      "s.toml:14:8: surface[0].rest: expected one place per vertex, 9, found 1");
  expect_square_fault("rest_scale = [1, 1]\n",
                      "s.toml:14:14: surface[0].rest_scale: belongs to rest = \"texture\"");
}

TEST(SurfaceBadInput, MassesAndVelocities) {
  expect_square_fault("mass = 1\n",
                      "s.toml:14:8: surface[0].mass: give mass, or densities, or masses");
  expect_square_fault("length_density = 1\n",
                      "s.toml:14:18: surface[0].length_density: there is no chain; triangles have "
                      "an area_density, kg/m^2");
  expect_fault("[[surface]]\ntype = \"sphere\"\nradius = 1\nthickness = 1\nmasses = [1]\n",
               "s.toml:10:10: surface[0].masses: expected one for each vertex, 162, found 1");
  expect_square_fault("velocities = [[0, 0, 0]]\n",
                      "s.toml:14:14: surface[0].velocities: expected one for each vertex, 9, found "
                      "1");
  expect_square_fault("velocities = [[0, 0, 0]]\nvelocity = [0, 0, 0]\n",
                      "s.toml:15:12: surface[0].velocity: give velocities or velocity, not both");
}

TEST(SurfaceBadInput, Elasticity) {
  expect_square_fault("poisson = 1\n",
                      "s.toml:14:11: surface[0].poisson: must lie between -1 and 1, found 1");
  expect_square_fault("bending = -1\n",
                      "s.toml:14:11: surface[0].bending: must not be negative, found -1");
  expect_square_fault("edge_law = \"per_strain\"\n",
                      "s.toml:14:12: surface[0].edge_law: there are no springs: give stretch_model "
                      "= \"edges\"");
  expect_square_fault("stretch_model = \"edges\"\npoisson = 0.3\n",
                      "s.toml:15:11: surface[0].poisson: there are no elastic triangles, to which "
                      "it belongs");
  expect_square_fault("stretch_model = \"edge\"\n",
                      "s.toml:14:17: surface[0].stretch_model: unknown stretch_model 'edge'; did "
                      "you mean 'edges'? Known: edges, triangles");
  expect_square_fault("bend_model = \"quadratic\"\nyield = 1\n",
                      "s.toml:15:9: surface[0].yield: needs bend_model = \"angles\": quadratic "
                      "hinges are flat at rest");
}

TEST(SurfaceBadInput, LimitsOfLength) {
  expect_square_fault("stretch_limit = 0\n",
                      "s.toml:14:17: surface[0].stretch_limit: must be positive, found 0");
  expect_square_fault("compression_limit = 1\n",
                      "s.toml:14:21: surface[0].compression_limit: must be below 1, the whole "
                      "length, found 1");
  expect_square_fault("stretch_limit = 0.1\nlimit_restitution = 2\n",
                      "s.toml:15:21: surface[0].limit_restitution: must lie between 0 and 1, found "
                      "2");
  expect_square_fault("limit_stiffness = 100\n",
                      "s.toml:14:19: surface[0].limit_stiffness: there is no limit, to which it "
                      "belongs: give stretch_limit or compression_limit");
}

TEST(SurfaceBadInput, Selections) {
  const std::string lead = "[[surface.lead]]\n";
  expect_square_fault(lead + "vertices = [9]\n",
                      "s.toml:15:12: surface[0].lead[0].vertices: there is no vertex 9; surface "
                      "'cloth' has those from 0 to 8");
  expect_square_fault(lead + "vertices = [1, 0, 1]\n",
                      "s.toml:15:12: surface[0].lead[0].vertices: vertex 1 is given twice");
  expect_square_fault(
      lead + "vertices = []\n",
      "s.toml:15:12: surface[0].lead[0].vertices: hits no vertex of surface 'cloth' "
      "at the start");
  expect_square_fault(lead + "where = \"x > 1\"\n",
                      "s.toml:15:9: surface[0].lead[0].where: hits no vertex of surface 'cloth' at "
                      "the start");
  expect_square_fault(lead + "where = \"x > w\"\n",
                      "s.toml:15:9: surface[0].lead[0].where: expected a condition such as \"x < "
                      "0.1 && y > 2\", found \"x > w\": unknown name 'w'; known: x, y, z, abs, "
                      "sqrt, sin, cos, tan, pi, deg");
  expect_square_fault(lead + "region = { lower = [1, 1, 1], upper = [2, 2, 2] }\n",
                      "s.toml:15:10: surface[0].lead[0].region: hits no vertex of surface 'cloth' "
                      "at the start");
  expect_square_fault(lead + "region = { lower = [1, 1, 1], upper = [2, 0, 2] }\n",
                      "s.toml:15:39: surface[0].lead[0].region.upper: must not be below lower "
                      "along any axis");
  expect_square_fault(lead + "vertices = [0]\nwhere = \"x > 1\"\n",
                      "s.toml:15:12: surface[0].lead[0].vertices: give one of vertices, region and "
                      "where");
  expect_square_fault(
      lead + "vertices = [0]\n[[surface.lead]]\nwhere = \"x < 0\"\n",
      "s.toml:16:1: surface[0].lead[1]: body 'cloth-0' is led already, by the table "
      "in line 14");
  expect_square_fault("[[surface.lead]]\nvertex = [0]\n",
                      "s.toml:15:1: surface[0].lead[0]: unknown key 'vertex'; known: vertices, "
                      "region, where, motion");
}

TEST(SurfaceBadInput, LeadsAndForcesOfBodies) {
  expect_square_fault("[[lead]]\n",
                      "s.toml:14:1: lead[0].body: is missing; expected the name of a ball, or "
                      "bodies, several; vertices of a surface have [[surface.lead]] and "
                      "[[surface.force]]");
  expect_square_fault("[[lead]]\nbody = \"cloth-9\"\n",
                      "s.toml:15:8: lead[0].body: unknown ball 'cloth-9'; did you mean 'cloth-0'? "
                      "Known: cloth-0, cloth-1, cloth-2, cloth-3, cloth-4, cloth-5, cloth-6, "
                      "cloth-7, cloth-8");
  expect_square_fault("[[lead]]\nbodies = [\"cloth-1\", \"cloth-1\"]\n",
                      "s.toml:15:10: lead[0].bodies: 'cloth-1' is given twice");
  expect_square_fault(
      "[[force]]\nbody = \"cloth-1\"\n",
      "s.toml:14:1: force[0].force: is missing; expected the force on each of them, "
      "or total, which they share");
  expect_square_fault("[[force]]\nbody = \"cloth-1\"\nforce = [1, 0, 0]\ntotal = [1, 0, 0]\n",
                      "s.toml:17:9: force[0].total: give force or total, not both");
  expect_square_fault("[[force]]\nbody = \"cloth-1\"\nforce = [1, 0, 0]\nbegin = 2\nend = 2\n",
                      "s.toml:18:7: force[0].end: must be after begin, 2, found 2");
  expect_square_fault("[[force]]\nbody = \"cloth-1\"\nforce = [1, 0]\n",
                      "s.toml:16:9: force[0].force: expected 3 numbers, as many as the world has "
                      "dimensions, found 2");
}

TEST(SurfaceBadInput, TheirStartIsChecked) {
  // Two cloths through each other, and a motion that the engine cannot follow.
  const std::string fault = fault_of(
      kHead + kSquare + "[[surface]]\nname = \"other\"\ntype = \"rectangle\"\nsize = [1, 1]\n" +
      "counts = [1, 1]\nturned = { axis = [1, 0, 0], degrees = 90 }\n" + kMade);
  EXPECT_NE(fault.find("nothing may touch or cross at the start"), std::string::npos) << fault;
  EXPECT_NE(fault.find("'cloth-"), std::string::npos) << fault;
  expect_square_fault(
      "[[surface.lead]]\nvertices = [0]\n"
      "motion = { type = \"sinusoid\", amplitude = [0, 0, 1], frequency = 1 }\n",
      "s.toml:6:1: surface[0]: body 'cloth-0' under time.scheme \"asynchronous\" motions are "
      "constant or tables: a sinusoid is not piecewise straight");
}

TEST(SurfaceBadInput, InTwoDimensionsThereAreChains) {
  EXPECT_EQ(fault_of(kPlane + kSquare),
            "s.toml:6:8: surface[0].type: a rectangle needs three dimensions; in two there are "
            "chains");
  EXPECT_EQ(fault_of(kPlane + "[[surface]]\nfile = \"a.obj\"\n" + kMade),
            "s.toml:5:8: surface[0].file: a mesh needs three dimensions");
  EXPECT_EQ(fault_of(kPlane +
                     "[[surface]]\nvertices = [[0, 0], [1, 0], [0, 1]]\n"
                     "triangles = [[0, 1, 2]]\n" +
                     kMade),
            "s.toml:6:13: surface[0].triangles: need three dimensions; in two there are chains: "
            "edges");
  EXPECT_EQ(fault_of(kPlane + kLine + "area_density = 1\n"),
            "s.toml:13:16: surface[0].area_density: there are no triangles; a chain has a "
            "length_density, kg/m");
  EXPECT_EQ(fault_of(kPlane + kLine + "closed = true\npoints = [[0, 0], [1, 0]]\n"),
            "s.toml:14:10: surface[0].points: give points, or from, to and count, not both");
  EXPECT_EQ(fault_of(kPlane + kLine + "[[surface.lead]]\nwhere = \"z > 0\"\n"),
            "s.toml:14:9: surface[0].lead[0].where: expected a condition such as \"x < 0.1 && y > "
            "2\", found \"z > 0\": unknown name 'z'; known: x, y, abs, sqrt, sin, cos, tan, pi, "
            "deg");
}

TEST(SurfaceBadInput, NamesOccurOnce) {
  expect_square_fault(
      "[[body]]\nname = \"cloth\"\nposition = [0, 0, 9]\nradius = 1\n",
      "s.toml:7:8: surface[0].name: \"cloth\" is the name of an earlier body, shape "
      "or generator");
  expect_square_fault("[[body]]\nname = \"cloth-3\"\nposition = [0, 0, 9]\nradius = 1\n",
                      "s.toml:6:1: surface[0]: body 'cloth-3' the name occurs twice");
}

}  // namespace
}  // namespace carom
