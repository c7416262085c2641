"""The restitution of a measured bounce, fitted by its gradient.

A ball falls on a plate; its speeds before and after each bounce were measured, with noise. What
resolve() predicts depends on the coefficient, and result.gradient.e says how: Gauss and Newton do the
rest.
"""

import numpy

import carom

true, plate = 0.83, 0.4  # the plate is free, too: kg, beside a ball of 0.05 kg
random = numpy.random.default_rng(1)
before = numpy.array([4.2, 3.5, 2.9, 2.4, 2.0])
MASSES, ROW = [0.05, plate], [[1, -1]]


def predict(e, speed):
    """Velocity of the ball after the impact, and its derivative by e."""
    result = carom.resolve(MASSES, ROW, [-speed, 0.0], e=e, gradient=True)
    return result.velocities[0], result.gradient.e[0]


measured = numpy.array([predict(true, speed)[0] for speed in before]) + random.normal(0, 0.01, len(before))
e = 0.5
for round_ in range(6):
    values, slopes = numpy.array([predict(e, speed) for speed in before]).T
    misses = measured - values
    print(f"round {round_}: e = {e:.6f}, rms {numpy.sqrt(numpy.mean(misses**2)):.2e} m/s")
    step = (slopes @ misses) / (slopes @ slopes)
    e += step
    if abs(step) < 1e-12:
        break
error = 0.01 / numpy.sqrt(slopes @ slopes)
print(f"e = {e:.4f} +- {error:.4f}")
assert abs(e - true) < 3 * error
