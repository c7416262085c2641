"""The site's pages of the gallery: every experiment with its picture, its claim and what its check said last."""

import base64
import json
import math
import re
import subprocess
import tomllib
import zlib

import instant_picture

MOST_BODIES = 400  # that a page opens in the lab
MOST_CLAIMS = 20  # of a check, on its page
GROUPS = [
    ("G", "Reflections on simultaneous impact", "Smith and others, 2012"),
    ("A", "All's well that ends well", "Vouga and others, 2017"),
    ("Q", "Quadratic contact energy model", "Zhang and others, 2015"),
    ("C", "Asynchronous contact mechanics; Asynchronous variational contact mechanics",
     "Harmon and others, 2009; Vouga and others, 2011"),
    ("M", "Impulse-based simulation of rigid bodies", "Mirtich and Canny, 1995"),
    ("U", "What users of other engines ask for", ""),
]


def lab_link(text, data):
    """What opens this scene in the lab, as viewer/src/lab/share.js writes it."""
    impact = data.get("impact", {})
    operators = impact.get("operators") or [impact.get("operator", "gr")]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")
    return f"#scene={packed}&operators={','.join(operators[:2]).replace(':', '%3A').replace('=', '%3D')}"


def count_of(maker, table):
    """How many bodies or vertices a table makes; throws where it does not say so in plain numbers."""
    if maker == "rack":
        return int(table["rows"]) * (int(table["rows"]) + 1) // 2
    if "file" in table:
        raise KeyError("file")
    return math.prod(int(number) for number in table["counts"]) if "counts" in table else int(table["count"])


def body_count(data):
    """From the file's own numbers; None where they are not plain."""
    count = len(data.get("body", []))
    try:
        for maker in ("grid", "line", "rack", "ring", "random", "surface"):
            count += sum(count_of(maker, table) for table in data.get(maker, []))
    except (KeyError, ValueError, TypeError):
        return None
    # Rails are not drawn there.
    return None if {"pile", "track"} & data.keys() else count


def fits_the_lab(data, text):
    count = body_count(data)
    return data.get("kind") == "scene" and count is not None and 0 < count <= MOST_BODIES and "file =" not in text


def checks(root):
    """What `carom gallery check --json` said last, by the files' names (./dev site runs it)."""
    path = root / "build" / "gallery-checks.json"
    if not path.exists():
        return {}
    return {check["name"]: check for check in json.loads(path.read_text(encoding="utf-8"))}


def shown(value):
    return "–" if value is None else f"{value:.4g}"


def check_lines(check):
    claims = check["claims"]
    held = sum(claim["passed"] for claim in claims)
    lines = ["## Its check", "", f"{held} of {len(claims)} claims held, in {check['seconds']:.2f} s.", ""]
    if claims:
        lines += ["| claim | measured | | bound |", "| --- | --- | --- | --- |"]
    for claim in claims[:MOST_CLAIMS]:
        words = claim["claim"].replace("|", "\\|").replace("<", "&lt;")
        lines.append(f"| {words} | {shown(claim['measured'])} | {claim['relation'].replace('<', '&lt;')} | {shown(claim['bound'])} |")
    if len(claims) > MOST_CLAIMS:
        lines += ["", f"The first {MOST_CLAIMS} are shown; `carom gallery check {check['name']} --verbose` prints all."]
    return [*lines, ""]


def number(value):
    """A number of a file, or one written as an expression."""
    if not isinstance(value, str):
        return float(value)
    expression = re.fullmatch(r"[\d.+\-*/() ]*(?:(?:sqrt|pi)[\d.+\-*/() ]*)*", value)
    if not expression:
        raise ValueError(value)
    return float(eval(value, {"__builtins__": {}, "sqrt": math.sqrt, "pi": math.pi}))


def draw_instant(carom, path, data, out):
    """The picture of an instant; False where there is nothing to draw."""
    if not data.get("body"):
        return False
    positions = {}
    for body in data["body"]:
        try:
            positions[body["name"]] = [number(value) for value in body["position"]]
        except (KeyError, ValueError):
            positions = {}
            break
    done = subprocess.run([carom, "impact", path, "--json", "--no-expect"], capture_output=True, text=True)
    out.write_text(instant_picture.draw(json.loads(done.stdout), positions), encoding="utf-8")
    return True


def draw_chart(chart, out):
    """The table of operators and laws, from what `carom gallery chart` prints."""
    lines = chart.splitlines()
    head = next(k for k, line in enumerate(lines) if line.split()[:1] == ["BRK"])
    laws = lines[head].split()
    rows = []
    for line in lines[head + 1:]:
        if not line.strip():
            break
        name, *words = re.split(r" {2,}| (?=yes)", line.strip())
        rows.append((name, [word.strip() for word in words if word.strip()]))
    cell, left, top = (74, 24), 110, 34
    width, height = left + cell[0] * len(laws) + 8, top + cell[1] * len(rows) + 10
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" font-family="sans-serif" '
           f'font-size="13"><rect width="{width}" height="{height}" fill="#fdfdfd"/>']
    svg += [f'<text x="{left + cell[0] * (k + 0.5)}" y="22" text-anchor="middle" fill="#24292f">{law}</text>' for k, law in enumerate(laws)]
    for r, (name, words) in enumerate(rows):
        if len(words) != len(laws):
            raise ValueError(f"carom gallery chart: {name}: {len(words)} words for {len(laws)} laws")
        y = top + cell[1] * r
        svg.append(f'<text x="10" y="{y + 17}" fill="#24292f">{name}</text>')
        for k, word in enumerate(words):
            holds = word == "yes"
            svg.append(f'<rect x="{left + cell[0] * k + 1}" y="{y + 1}" width="{cell[0] - 2}" height="{cell[1] - 2}" '
                       f'fill="{"#dff3e4" if holds else "#fbdcd4"}"/><text x="{left + cell[0] * (k + 0.5)}" y="{y + 17}" '
                       f'text-anchor="middle" fill="{"#1a7f37" if holds else "#a12a12"}">{word}</text>')
    out.write_text("\n".join([*svg, "</svg>"]) + "\n", encoding="utf-8")


def picture_of(carom, path, data, pictures):
    """The place of the experiment's picture below the directory of all pictures, or None."""
    name = path.stem
    if (pictures / "gallery" / f"{name}.webp").exists():
        return f"gallery/{name}.webp"
    if data.get("kind") == "instant" and draw_instant(carom, path, data, pictures / "gallery" / f"{name}.svg"):
        return f"gallery/{name}.svg"
    return next(further_pictures(pictures, name), None)


def further_pictures(pictures, name):
    """Those that begin with the experiment's id ("M4-..." for "M4-bowling")."""
    for path in sorted(pictures.iterdir()):
        if path.is_file() and path.suffix != ".md" and path.stem.split("-")[0] == name.split("-")[0]:
            yield path.name


def order_of(path):
    """G2 before G10."""
    head = re.match(r"([A-Z]+)(\d+)", path.stem)
    return (head[1], int(head[2]), path.stem) if head else (path.stem, 0, "")


def experiment_page(root, carom, path, work, has_lab, results):
    """Writes the page; gives what the index shows of it."""
    text = path.read_text(encoding="utf-8")
    data = tomllib.loads(text)
    name = path.stem
    title, figure = data.get("title", name), data.get("figure", "")
    chart = None
    if data.get("check", {}).get("name") == "desiderata":
        chart = subprocess.run([carom, "gallery", "chart"], capture_output=True, text=True, check=True, cwd=root).stdout
        draw_chart(chart, work / "pictures" / "gallery" / f"{name}.svg")
    picture = f"gallery/{name}.svg" if chart else picture_of(carom, path, data, work / "pictures")
    lines = [f"# {title}", "", f"*{name}*" + (f", {figure}" if figure else ""), ""]
    if picture:
        lines += [f"![{title}](../pictures/{picture})", ""]
    lines += [data.get("description", "").strip(), ""]
    is_in_lab = has_lab and fits_the_lab(data, text)
    if is_in_lab:
        # Raw HTML: the page of the lab is no document, and its link is long.
        lines += [f'<p><a class="open-lab" href="../lab/index.html{lab_link(text, data)}">Open it in the lab</a></p>', ""]
    word = "run" if data.get("kind") == "scene" else "impact"
    lines += ["```", f"carom gallery {word} {name}" if word == "run" else f"carom impact {path.relative_to(root)}",
              f"carom gallery check {name}", "```", ""]
    if name in results:
        lines += check_lines(results[name])
    if chart:
        lines += ["## The table", "", "```", chart.rstrip(), "```", ""]
    more = [one for one in further_pictures(work / "pictures", name) if one != picture]
    if more:
        lines += ["## More pictures", ""]
        for one in more:
            lines += [f"![{one}](../pictures/{one})", ""]
    lines += ["## The file", "", "```toml", text.rstrip(), "```", ""]
    (work / "gallery" / f"{name}.md").write_text("\n".join(lines), encoding="utf-8")
    return {"name": name, "title": title, "figure": figure, "picture": picture, "lab": is_in_lab}


def cards(entries):
    """The index of a group: a picture and a title each."""
    lines = ['<div class="cards" markdown="1">', ""]
    for entry in entries:
        inside = f"![]({'../pictures/' + entry['picture']})<br>" if entry["picture"] else ""
        lab = " · lab" if entry["lab"] else ""
        lines += [f"[{inside}**{entry['name'].split('-')[0]}** {entry['title']}]({entry['name']}.md) *{entry['figure']}{lab}*", ""]
    return [*lines, "</div>", ""]


def write_gallery(root, carom, work, has_lab):
    results = checks(root)
    (work / "gallery").mkdir(exist_ok=True)
    entries = [experiment_page(root, carom, path, work, has_lab, results)
               for path in sorted((root / "gallery").rglob("*.toml"), key=order_of)]
    lines = ["# Gallery", "", f"Every experiment of the papers, and of users of other engines: {len(entries)} files, each with a check. "
             "Those marked *lab* open in the browser.", ""]
    for letter, title, authors in GROUPS:
        lines += [f"## {title}", ""] + ([authors, ""] if authors else [])
        lines += cards([entry for entry in entries if entry["name"].startswith(letter)])
    (work / "gallery" / "index.md").write_text("\n".join(lines), encoding="utf-8")
    return entries
