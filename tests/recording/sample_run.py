"""The formulas of sample_run.cpp once more, evaluated in the same order, so to the same bits."""

import math


def name(body):
    return 'a, "quoted" name' if body == 1 else f"ball{body}"


def mass(body):
    return 1.0 + 0.5 * body


def radius(body):
    return 0.1 * (body + 1)


def material(body):
    return body % 2


def time(step):
    return 0.01 * step


def position(body, step):
    return [body / 3.0 + 0.1 * (k + 1) * time(step) for k in range(3)]


def velocity(body, step):
    return [0.1 * (k + 1) - body * step / 7.0 for k in range(3)]


def orientation(body, step):
    w, x = 1.0 + body, 0.1 * step
    length = math.sqrt(w * w + x * x + 0.25)
    return [w / length, x / length, -0.5 / length, 0.0]


def angular_velocity(_, step):
    return [step / 3.0, 0.5, -(step / 3.0)]


# Of the bodies from 2 on, in body coordinates.
VERTICES = [[0.1, 0, 0], [-0.2, 0.25, 0], [-0.2, -0.25, 0], [0, 0, 0.75]]
TRIANGLES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]


def turned(quaternion, vector):
    """By q v q*, multiplied out quaternion by quaternion."""
    def times(p, q):
        a, b, c, d = p
        w, x, y, z = q
        return [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
                a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w]
    w, x, y, z = quaternion
    return times(times(quaternion, [0.0] + list(vector)), [w, -x, -y, -z])[1:]


def diagnostics(step):
    return 1.0 / (step + 1), step * step


def events(step):
    return [{"step": step, "time": time(step), "body_a": k, "body_b": -1 - k,
             "normal": [0.0, 1.0, -0.0], "impulse": [0.0, (step + k) / 3.0, 0.0],
             "point": [float(step + k), (step + k) / 7.0, 0.1]} for k in range(step % 5)]
