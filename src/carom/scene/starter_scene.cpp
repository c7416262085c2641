// The scene that `carom new` writes.
#include "carom/scene/write_scene.h"

namespace carom {

std::string starter_scene() {
  return R"toml(# A pool break. Everything here can be changed; docs/scene-format.md describes all of it.
kind = "scene"
title = "A pool break"
description = """
A cue ball hits a rack of fifteen. The rack is symmetric, so the break should be too: with the
operator "gr" it is, with "gauss_seidel" (one pair after the other) it is not. Try
--set impact.operator=gauss_seidel."""

[world]
dimension = 2             # 2 or 3
gravity = 0.0             # m/s^2, downwards along y; or a vector, in 3D always

[time]
step = 0.001              # s
duration = 1.0            # s

[impact]
operator = "gr"           # gr, lcp, gauss_seidel, jacobi, qce, lzb

# How the balls bounce. Every ball and every wall is of the material "default" unless it names
# another one.
[[material]]
name = "default"
restitution = 1.0         # 0: no bounce, 1: no loss

[[body]]
name = "cue"
position = [-0.5, 0.0]    # m
velocity = [3.0, 0.0]     # m/s
radius = 0.02625          # m
mass = 0.17               # kg

# Fifteen balls in a triangle: rack-1-1 at the apex, rack-2-1 and rack-2-2 behind it, ...
[[rack]]
rows = 5
apex = [0.0, 0.0]
direction = [1.0, 0.0]    # from the apex to the last row
radius = 0.02625
mass = 0.17
# spacing = 0.0526        # between centres; without it the balls touch

# Walls are shapes, for example a table of one by two metres:
# [[shape]]
# name = "cushions"
# type = "box_inside"
# lower = [-1.0, -0.5]
# upper = [1.0, 0.5]

[record]
every = 5                 # steps from one frame to the next
impulses = true           # also what every contact did

# What should come out.
[expect]
status = "completed"
energy_drift = 1e-10      # largest, relative
momentum_drift = 1e-10

[[expect.symmetry]]
mirror = "y"              # y and -y change places ...
error_at_most = 1e-9      # ... and no ball is further than this from where that puts it, in m
)toml";
}

}  // namespace carom
