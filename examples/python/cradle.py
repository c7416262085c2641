"""Newton's cradle in ten lines: what each operator makes of five balls in a row."""

import carom

masses = [1, 1, 1, 1, 1]
rows = [[-1, 1, 0, 0, 0], [0, -1, 1, 0, 0], [0, 0, -1, 1, 0], [0, 0, 0, -1, 1]]
before = [1, 1, 0, 0, 0]  # two balls arrive
for operator in ("gr", "lcp", "gauss_seidel"):
    result = carom.resolve(masses, rows, before, operator=operator)
    print(f"{operator:13}", result.velocities.round(3))
