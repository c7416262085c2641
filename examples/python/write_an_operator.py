"""An impact operator written in Python: it reflects the one row that closes fastest.

Registered, it takes part everywhere: in resolve(), in scenes, in the chart of operators and laws.
"""

import numpy

import carom


def fastest_first(application):
    """One impulse for each violated row: b is its speed, b + A x what impulses x make of it."""
    impulses = numpy.zeros(len(application.b))
    k = int(numpy.argmin(application.b))
    impulses[k] = -(1 + application.response[k]) * application.b[k] / application.A[k, k]
    return impulses


carom.register_operator("fastest_first", fastest_first, summary="reflects the row that closes fastest",
                        promises=["ONE", "MOM", "KIN", "FEAS"])
cradle = carom.resolve([1, 1, 1], [[-1, 1, 0], [0, -1, 1]], [1, 0, 0], operator="fastest_first")
print(cradle)
chart = carom.chart(["fastest_first", "gr"], problems=5)
print(chart)

scene = carom.Scene(step=0.01, duration=2.0)
scene.add_ball([-4, 0], radius=1.0, velocity=[5, 0])
scene.add_rack(rows=3, radius=1.0)
simulation = scene.start(operator="fastest_first")
simulation.run()
print(simulation.ledger)
assert abs(simulation.ledger.drift) < 1e-11
assert all(broken == 0 for promise, _, broken, _ in chart["fastest_first"].values() if promise == "yes")
