"""A pool break under two operators: which of them keeps the symmetry of the start?

Writes compare_operators.html, a page with both side by side, and compare_operators.png.
"""

import matplotlib

matplotlib.use("agg")
import numpy

import carom

scene = carom.Scene(title="A symmetric break", step=0.005, duration=2.0)
scene.add_ball([-5, 0], radius=1.0, velocity=[10, 0], name="cue")
scene.add_rack(rows=5, radius=1.0)
comparison = carom.compare(scene, ["gr", "gauss_seidel"])


def asymmetry(recording):
    """How far the last frame is from its mirror image, in the balls' radii."""
    last = recording.positions[-1]
    mirrored = last * [1, -1]
    distances = numpy.linalg.norm(last[:, None] - mirrored[None, :], axis=2)
    return distances.min(axis=1).max()


for name, recording in comparison.items():
    print(f"{name:13} asymmetry {asymmetry(recording):.1e}, energy drift {recording.summary['energy_drift']:.1e}")
comparison.page().save("compare_operators.html")
comparison.plot("rows").figure.savefig("compare_operators.png")
assert asymmetry(comparison["gr"]) < 1e-9 < asymmetry(comparison["gauss_seidel"])
