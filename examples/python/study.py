"""A study with its plot: how much energy do three balls lose on a wall, by their restitution?

Writes study.csv, which a second run takes over instead of running again, and study.png.
"""

import matplotlib

matplotlib.use("agg")
import carom

scene = carom.Scene(step=0.005, duration=1.0)
scene.add_material(restitution=0.5)
scene.add_line(count=3, radius=0.1, spacing=0.25, center=[-0.5, 0], velocity=[2, 0], name="ball")
scene.add_wall([0.3, 0], [-1, 0])
study = carom.study(scene, {"time.step": [0.005, 0.01],
                            "material.default.restitution": [0, 0.25, 0.5, 0.75, 1]},
                    ["kinetic", "ball-1.x"], path="study.csv", progress=True)
print(study.to_pandas().to_string())
study.plot("kinetic").figure.savefig("study.png")
assert study.finished == 10
assert max(study["kinetic"]) <= 6.0 + 1e-9
