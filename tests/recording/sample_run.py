"""The formulas of sample_run.cpp once more, evaluated in the same order, so to the same bits."""


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


def diagnostics(step):
    return 1.0 / (step + 1), step * step


def events(step):
    return [{"step": step, "time": time(step), "body_a": k, "body_b": -1 - k,
             "normal": [0.0, 1.0, -0.0], "impulse": [0.0, (step + k) / 3.0, 0.0],
             "point": [float(step + k), (step + k) / 7.0, 0.1]} for k in range(step % 5)]
