"""A cloth falls onto a ball that stands there (asynchronous contact: nothing ever passes through).

Writes cloth_on_a_sphere.h5 and the page cloth_on_a_sphere.html.
"""

import numpy

import carom

scene = carom.Scene(title="A cloth on a sphere", dimension=3, gravity=[0, 0, -9.81], step=0.02, duration=0.3,
                    scheme="asynchronous")
scene.set("asynchronous", stiffness=100.0)
scene.add_material(restitution=0.0, friction=0.4)
scene.add_surface(type="rectangle", size=[1, 1], counts=[8, 8], thickness=0.02, area_density=0.25,
                  stretching=100.0, stretching_damping=0.2, bending=1e-5, position=[0, 0, 0.32], name="cloth")
scene.add_solid("ball", "mesh", figure="icosphere", radius=0.29, subdivisions=2)
scene.add_shape("solid", solid="ball", position=[0, 0, 0])
recording = scene.record("cloth_on_a_sphere.h5")
print(recording)

cloth = recording.positions[-1][[name.startswith("cloth-") for name in recording.names]]
distance = numpy.linalg.norm(cloth, axis=1)
print(f"nearest vertex {distance.min():.3f} m from the centre of a ball of 0.29 m, "
      f"the corners have fallen to {cloth[:, 2].min():.3f} m")
recording.page().save("cloth_on_a_sphere.html")
assert distance.min() > 0.28 and cloth[:, 2].min() < 0.25  # the ball is a polyhedron inside its sphere
