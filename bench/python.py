"""What Python costs: ./dev bench python.

- A step of a thousand balls from Python, beside the same steps in C++ alone (run(), which loops there).
  The two simulations take the same steps in turns, so that the machine's moods hit both.
- resolve() of a cradle of three balls, numpy and lists in, result out.
- The positions of a million balls: the first time, and again.
"""

import gc
import os
import statistics
import time

import numpy as np

import carom


def record(what, measure, unit, value):
    path = os.environ.get("CAROM_BENCH_RESULTS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{what},{measure},{unit},{value:.6g}\n")


def gas(counts):
    scene = carom.Scene(step=1e-3)
    scene.add_grid(counts=counts, radius=0.2, spacing=0.6, velocity_random=1.0, seed=1)
    half = 0.3 * counts[0]
    scene.add_shape("box_inside", lower=[-half, -half], upper=[half, half])
    return scene


def steps(blocks=60, block=25):
    scene = gas([32, 32])
    from_python, in_cpp = scene.start(), scene.start()
    python_times, cpp_times = [], []
    gc.disable()
    for number in range(blocks):
        def python():
            begin = time.perf_counter()
            for _ in range(block):
                from_python.step()
            python_times.append((time.perf_counter() - begin) / block)

        def cpp():
            begin = time.perf_counter()
            in_cpp.run(until=(number + 1) * block * 1e-3)
            cpp_times.append((time.perf_counter() - begin) / block)

        for measure in (python, cpp) if number % 2 else (cpp, python):
            measure()
    gc.enable()
    assert from_python.state_hash == in_cpp.state_hash
    ratios = [a / b for a, b in zip(python_times, cpp_times)]
    a, b, ratio = (statistics.median(v) for v in (python_times, cpp_times, ratios))
    print(f"step of {len(in_cpp)} balls: {1e6 * a:.1f} us from Python, {1e6 * b:.1f} us in C++: "
          f"{100 * (ratio - 1):+.1f}%")
    record(f"step of {len(in_cpp)} balls", "from Python", "s", a)
    record(f"step of {len(in_cpp)} balls", "in C++", "s", b)
    record(f"step of {len(in_cpp)} balls", "overhead", "%", 100 * (ratio - 1))


def cradle(repeats=40, calls=500):
    given = {"lists": ([1.0] * 3, [[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]], [1.0, 0.0, 0.0])}
    given["numpy"] = tuple(np.array(part) for part in given["lists"])
    for kind, (M, N, v) in given.items():
        times = []
        for _ in range(repeats):
            begin = time.perf_counter()
            for _ in range(calls):
                carom.resolve(M, N, v)
            times.append((time.perf_counter() - begin) / calls)
        print(f"resolve() of a cradle of three, {kind}: {1e6 * statistics.median(times):.2f} us")
        record("cradle of 3", f"resolve with {kind}", "s", statistics.median(times))


def million():
    scene = carom.Scene(step=1e-3)
    scene.add_grid(counts=[1000, 1000], radius=0.2, spacing=0.6, velocity_random=0.1)
    simulation = scene.start()

    def timed(look):
        begin = time.perf_counter()
        look()
        return time.perf_counter() - begin

    first = timed(lambda: simulation.positions)
    positions = simulation.positions
    again = statistics.median(timed(lambda: simulation.positions) for _ in range(1000))
    assert simulation.positions is positions and np.shares_memory(positions, simulation.positions)
    with_view = min(timed(simulation.step) for _ in range(4))
    moved = positions.copy()
    del positions
    assert (moved == simulation.positions).all()
    print(f"positions of a million balls: {1e3 * first:.1f} ms the first time, {1e6 * again:.2f} us again; "
          f"a step that keeps them up to date {1e3 * with_view:.0f} ms")
    record("million positions", "first read", "s", first)
    record("million positions", "read", "s", again)
    record("million positions", "step", "s", with_view)


if __name__ == "__main__":
    print(f"carom {carom.__version__}, {carom._carom.build_type}")
    steps()
    cradle()
    million()
