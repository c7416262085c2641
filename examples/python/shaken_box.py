"""Grains in a box whose floor a controller moves: it aims at a mean height of the grains.

The controller is a callback. After every hundredth of a second it looks at the grains and chooses
the velocity of the floor.
"""

import numpy

import carom

scene = carom.Scene(gravity=[0, -9.81], step=1e-3, duration=3.0)
scene.add_material(restitution=0.9)
scene.add_wall([0, 0], [0, 1], name="floor")
scene.add_wall([-1, 0], [1, 0])
scene.add_wall([1, 0], [-1, 0])
scene.add_grid(counts=[8, 4], radius=0.05, spacing=0.2, center=[0, 0.6], velocity_random=0.5, seed=3)
simulation = scene.start()

heights, strokes = [], []
aim, place = 0.9, 0.0


def control(sim):
    """The floor goes up and down; the lower the grains, the faster."""
    global place
    if sim.step_number % 10:
        return
    heights.append(sim.positions[:, 1].mean())
    speed = numpy.clip(6.0 * (aim - heights[-1]), 0.0, 3.0) * numpy.sign(numpy.sin(40 * sim.time))
    if place < -0.05:
        speed = max(speed, 0.5)
    if place > 0.05:
        speed = min(speed, -0.5)
    with sim.edit() as edit:
        edit.move_shape("floor", [0, speed])
    place += 0.01 * speed
    strokes.append(speed)


simulation.on_step = control
simulation.run()
late = numpy.mean(heights[len(heights) // 2:])
print(f"mean height {late:.2f} m, the floor did {simulation.ledger.external_work:.1f} J of work, "
      f"impacts took {simulation.ledger.dissipated:.1f} J")
simulation.on_step = None
with simulation.edit() as edit:
    edit.move_shape("floor", [0, 0])
simulation.run(until=6.0)
print(f"without a controller the grains sink to {simulation.positions[:, 1].mean():.2f} m")
assert simulation.positions[:, 1].mean() < late
