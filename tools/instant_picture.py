"""Draws an instant of the gallery as SVG: every body's velocity before, and after each operator.

An instant has no shapes, only masses, rows and velocities. Bodies stand where the file places them, otherwise
below each other; an arrow is a velocity, in one scale for all panels.
"""

import html
import math

PANEL = 172  # px, width of a panel
HEIGHT = 190
HEAD = 26
MARGIN = 14
MOST_PANELS = 9
MOST_IN_ROW = 4
COLOURS = ("#586069", "#1f6feb", "#d1571e", "#2a8f4f", "#8a5ab5", "#a0722a", "#b5386b", "#2b8a9a", "#5b6b1f")


def plane(vector):
    """The two numbers of a velocity or a place that are drawn: along x and up."""
    values = [float(x) for x in vector]
    if len(values) == 1:
        return values[0], 0.0
    if len(values) == 6 or len(values) == 3 and all(abs(x) < 1e-12 for x in values[:2]):
        return values[0], values[2]
    return values[0], values[1]


def places_of(bodies, positions):
    """Where each body stands, in units of the largest distance; and whether the file says so."""
    given = [positions.get(body["name"]) for body in bodies]
    if len(bodies) > 1 and all(place is not None for place in given):
        drawn = [plane(place) for place in given]
        size = max(max(abs(a[k] - b[k]) for k in range(2)) for a in drawn for b in drawn)
        if size > 0:
            middle = [sum(p[k] for p in drawn) / len(drawn) for k in range(2)]
            return [((p[0] - middle[0]) / size, (p[1] - middle[1]) / size) for p in drawn], True
    count = len(bodies)
    return [(0.0, 0.5 - (k + 0.5) / count) for k in range(count)], False


def arrow(x, y, dx, dy, colour):
    length = math.hypot(dx, dy)
    if length < 1.0:
        return [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>']
    ux, uy = dx / length, dy / length
    head = min(7.0, 0.5 * length)
    base = (x + dx - head * ux, y + dy - head * uy)
    corners = [(x + dx, y + dy), (base[0] - 0.45 * head * uy, base[1] + 0.45 * head * ux),
               (base[0] + 0.45 * head * uy, base[1] - 0.45 * head * ux)]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>',
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{base[0]:.1f}" y2="{base[1]:.1f}" stroke="{colour}" stroke-width="2"/>',
            f'<polygon points="{points}" fill="{colour}"/>']


def spin_of(velocity):
    """How fast it turns, for bodies that do: three or six numbers."""
    if len(velocity) == 3:
        return velocity[2]
    return math.hypot(*velocity[3:]) if len(velocity) == 6 else 0.0


def panels_of(document):
    bodies = document["bodies"]
    panels = [("before", [body["velocity"] for body in bodies])]
    for run in document["runs"]:
        if all(body["name"] in run["velocities"] for body in bodies):
            panels.append((run["operator"], [run["velocities"][body["name"]] for body in bodies]))
    return panels[:MOST_PANELS]


def draw(document, positions):
    """`document`: what `carom impact --json` prints; `positions`: of bodies by name, from the file."""
    bodies = document["bodies"]
    panels = panels_of(document)
    places, are_given = places_of(bodies, positions)
    speeds = [plane(velocity) for _, velocities in panels for velocity in velocities]
    fastest = max(math.hypot(*speed) for speed in speeds) or 1.0
    room = min(PANEL, HEIGHT - HEAD) - 2 * MARGIN
    spread = 0.42 * room if are_given else HEIGHT - HEAD - 2 * MARGIN
    scale = 0.36 * room / fastest
    rows = math.ceil(len(panels) / MOST_IN_ROW)
    columns = math.ceil(len(panels) / rows)
    width, height = PANEL * columns, HEIGHT * rows
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" font-family="sans-serif" '
             f'font-size="12"><rect width="{width}" height="{height}" fill="#fdfdfd"/>']
    for k, (title, velocities) in enumerate(panels):
        left, top = PANEL * (k % columns), HEIGHT * (k // columns)
        lines.append(f'<rect x="{left}" y="{top}" width="{PANEL}" height="{HEIGHT}" fill="none" stroke="#e1e4e8"/>')
        name, _, options = title.partition(":")
        lines.append(f'<text x="{left + MARGIN}" y="{top + 17}" fill="#24292f">{html.escape(name)}</text>')
        if options:
            lines.append(f'<text x="{left + MARGIN}" y="{top + 30}" fill="#6e7781" font-size="10">{html.escape(options)}</text>')
        for body, place, velocity in zip(bodies, places, velocities):
            x = left + PANEL / 2 + spread * place[0]
            y = top + HEAD + (HEIGHT - HEAD) / 2 - spread * place[1]
            dx, dy = (scale * part for part in plane(velocity))
            lines += arrow(x, y, dx, -dy, COLOURS[k % len(COLOURS)])
            if k == 0 and not are_given:
                lines.append(f'<text x="{left + 6}" y="{y + 4:.1f}" fill="#6e7781" font-size="10">{html.escape(body["name"])}</text>')
            spin = spin_of(velocity)
            if abs(spin) > 1e-9 * fastest:
                lines.append(f'<text x="{x + 6:.1f}" y="{y + 16:.1f}" fill="#6e7781" font-size="10">turns, {spin:.3g}/s</text>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"
