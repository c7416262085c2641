#!/usr/bin/env python3
"""Bad inputs over the whole command line, counted: bad_inputs.py CAROM.

Each case runs one command in a directory of its own. It has to end by itself within the time, with an
exit code that docs/command-line.md names for bad input, and with a message that says where the fault is: all
words of the case stand in it. It may not end by a signal, print nothing, or change, remove or
leave behind a file.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SECONDS = 60.0  # under the sanitizers and with a busy machine; what is good ends in hundredths
CODES = (2,)    # bad input

BALLS = """kind = "scene"
title = "two balls"
[world]
dimension = 2
gravity = [0, -9.81]
[time]
step = 0.01
duration = 0.1
[impact]
operator = "gr"
[record]
every = 1
[[material]]
name = "steel"
restitution = 0.9
[[shape]]
name = "floor"
type = "half_plane"
point = [0, 0]
normal = [0, 1]
[[body]]
name = "one"
position = [0, 1]
radius = 0.5
mass = 1
material = "steel"
[[body]]
name = "two"
position = [3, 1]
radius = 0.5
"""

SOLIDS = """kind = "scene"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[time]
step = 0.01
duration = 0.1
[[solid]]
name = "brick"
type = "box"
size = [0.5, 0.25, 0.1]
[[shape]]
name = "floor"
type = "half_plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[body]]
name = "one"
solid = "brick"
position = [0, 0, 1]
mass = 1
"""

CLOTH = """kind = "scene"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[time]
scheme = "asynchronous"
step = 0.01
duration = 0.02
[[surface]]
name = "cloth"
type = "rectangle"
size = [1, 1]
counts = [3, 3]
position = [0, 0, 1]
area_density = 0.1
thickness = 0.01
stretching = 100
"""

INSTANT = """kind = "instant"
[impact]
operator = "gr"
[[body]]
name = "a"
mass = 1
velocity = [1]
[[body]]
name = "b"
mass = 1
velocity = [0]
[[contact]]
bodies = ["b", "a"]
normal = [1]
"""

CASES = []


def case(files, command, *words, codes=CODES):
    CASES.append((files, command.split(), words, codes))


def swapped(text, old, new):
    assert old in text, old
    return text.replace(old, new, 1)


def scene(base, old, new, *words, command="run scene.toml -o out.h5 --quiet"):
    """One line of a scene is another; with `old` empty it is added at the end."""
    text = base + new + "\n" if old == "" else swapped(base, old, new)
    case({"scene.toml": text}, command, *words)


def option(command, *words, codes=CODES):
    """A good scene, and a command that is none."""
    case({"scene.toml": BALLS, "instant.toml": INSTANT, "notes.txt": "mine\n"}, command, *words, codes=codes)


# ---- what is no scene -----------------------------------------------------------------------------

for text, word in [
    ("", "kind"), ("\n\n", "kind"), ("kind = 3\n", "kind"), ('kind = "film"\n', "film"),
    ('kind = "scene"\n', "body"), ('kind = "scene\n', "scene.toml:1"), ("= 3\n", "scene.toml:1"),
    ("kind = \"scene\"\n[world\n", "scene.toml:2"), ("\x00\x01\x02", "scene.toml"),
    ("kind = \"scene\"\nkind = \"scene\"\n", "scene.toml:2"), ("<xml/>", "XML"),
    ("{\"kind\": \"scene\"}", "scene.toml:1"), ("kind = \"scene\"\n[[world]]\n", "world"),
    ("kind = \"scene\"\nworld = 3\n", "world"), ("kind = \"scene\"\nbody = 3\n", "body"),
    ("kind = \"scene\"\n[body]\nradius = 1\n", "body"), ("[" * 3000, "scene.toml"),
    ("kind = \"scene\"\ntitle = 3\n", "title"), ("kind = \"scene\"\n[expect]\nstatus = 3\n", "status"),
]:
    case({"scene.toml": text}, "run scene.toml -o out.h5", word)
case({"scene.toml": b"\xff\xfe\x00kind"}, "run scene.toml -o out.h5", "scene.toml")
case({"scene.toml": b"kind = \"scene\"\ntitle = \"\xc3\x28\"\n"}, "run scene.toml -o out.h5", "scene.toml")

# ---- [world], [time], [impact], [record] ----------------------------------------------------------

for new, word in [
    ("dimension = 1", "dimension"), ("dimension = 4", "dimension"), ("dimension = 2.5", "dimension"),
    ("dimension = \"two\"", "dimension"), ("dimension = -2", "dimension"), ("dimesion = 2", "dimesion"),
    ("dimension = 2\nperiodic = [[0, 1], [0, 1], [0, 1]]", "periodic"),
    ("dimension = 2\nperiodic = 3", "periodic"),
    ("dimension = 2\nsymmetry = \"round\"", "symmetry"), ("dimension = 2\nsymetry = \"exact\"", "symetry"),
    ("dimension = 2\ndrag = -1", "drag"), ("dimension = 2\ndrag = nan", "drag"),
]:
    scene(BALLS, "dimension = 2", new, word)
for new in ["gravity = [0, -9.81, 0]", "gravity = [0, 1, 2]", "gravity = \"down\"", "gravity = [0, nan]",
            "gravity = [0, inf]", "gravity = []", "gravity = [0, \"x\"]", "gravity = [[0, 1]]", "gravity = true"]:
    scene(BALLS, "gravity = [0, -9.81]", new, "gravity", "scene.toml:5")
scene(SOLIDS, "gravity = [0, 0, -9.81]", "gravity = 9.81", "gravity")
for new in ["step = 0", "step = -0.01", "step = nan", "step = inf", "step = \"short\"", "step = [1]", "step = true",
            "step = 1e-300"]:
    scene(BALLS, "step = 0.01", new, "step")
for new in ["duration = -1", "duration = nan", "duration = inf", "duration = \"long\"", "duration = 1e300",
            "duration = []"]:
    scene(BALLS, "duration = 0.1", new, "duration")
for new, word in [("scheme = \"stepps\"", "steps"), ("scheme = 3", "scheme"), ("rotation = \"euler\"", "rotation"),
                  ("stepp = 3", "stepp")]:
    scene(BALLS, "duration = 0.1", "duration = 0.1\n" + new, word)
for new, word in [
    ("operator = \"grr\"", "grr"), ("operator = \"\"", "operator"), ("operator = 3", "operator"),
    ("operator = \"gr:order=worst\"", "order"), ("operator = \"gauss_seidel:order=best\"", "best"),
    ("operator = \"lzb:exponent=9\"", "exponent"), ("operator = \"lzb:tolerance=x\"", "'x'"),
    ("operator = \"lzb:x\"", "x"), ("operators = []", "operators"), ("operators = [\"gr\", \"gr\"]", "operators"),
    ("operators = [\"gr\", 3]", "operators"), ("operator = \"gr\"\noperators = [\"gr\"]", "operator"),
    ("restitution_model = \"newton\"", "newton"), ("friction_model = \"sticky\"", "sticky"),
    ("tolerance = 0", "tolerance"), ("tolerance = 2", "tolerance"), ("tolerance = \"fine\"", "tolerance"),
    ("max_applications = -1", "max_applications"), ("max_applications = 1.5", "max_applications"),
    ("lineality_threshold = -1", "lineality_threshold"), ("anti_locking = \"no\"", "anti_locking"),
    ("friction_passes = 0", "friction_passes"), ("mixed_restitution = \"max\"", "mixed_restitution"),
    ("toleranc = 1e-9", "toleranc"),
]:
    scene(BALLS, "operator = \"gr\"", new, word)
for new in ["every = 0", "every = -1", "every = 1.5", "every = \"all\"", "impulses = 3", "checkpoint_every = -1",
            "evry = 1"]:
    scene(BALLS, "every = 1", new, new.split()[0])

# ---- materials, shapes, bodies --------------------------------------------------------------------

for new in ["restitution = -0.1", "restitution = 1.1", "restitution = nan", "restitution = \"high\"",
            "friction = -1", "friction = inf", "stiffness = 0", "rolling = -1", "restituton = 1",
            "restitution = { law = \"newton\" }", "restitution = { law = \"bizon\" }", "restitution = []"]:
    scene(BALLS, "restitution = 0.9", new, new.split()[0])
scene(BALLS, "name = \"steel\"", "name = \"\"", "name")
scene(BALLS, "", "[[material]]\nname = \"steel\"", "steel")
scene(BALLS, "", "[[pair]]\nmaterials = [\"steel\", \"wood\"]\nrestitution = 1", "wood")
scene(BALLS, "", "[[pair]]\nmaterials = [\"steel\"]\nrestitution = 1", "materials")
scene(BALLS, "", "[[pair]]\nmaterials = [\"steel\", \"steel\"]\nrestitution = 2", "restitution")
scene(BALLS, "", "[[pair]]\nrestitution = 1", "materials")
for new, word in [
    ("type = \"plane\"", "plane"), ("type = 3", "type"), ("type = \"half_plane\"\nmotion = 3", "motion"),
    ("type = \"half_plane\"\nmotion = { type = \"fly\" }", "fly"),
    ("type = \"half_plane\"\nmotion = { type = \"oscillation\" }", "motion"),
    ("type = \"half_plane\"\nspin = \"fast\"", "spin"), ("type = \"half_plane\"\nradius = 3", "radius"),
    ("type = \"half_plane\"\nmaterial = \"glue\"", "glue"), ("type = \"half_plane\"\nspin = nan", "spin"),
    ("type = \"segment\"", "shape[0]"), ("type = \"box_inside\"", "shape[0]"),
    ("type = \"sphere_inside\"", "shape[0]"), ("type = \"solid\"", "solid"),
]:
    scene(BALLS, "type = \"half_plane\"", new, word)
for new in ["normal = [0, 0]", "normal = [0, 1, 0]", "normal = [nan, 1]", "normal = 1", "normal = [0, inf]"]:
    scene(BALLS, "normal = [0, 1]", new, "normal")
for new in ["point = [0]", "point = \"here\"", "point = [0, nan]", "point = [0, 1e308]"]:
    scene(BALLS, "point = [0, 0]", new, "point" if "1e308" not in new else "floor")
for new, word in [
    ("name = \"floor\"", "floor"), ("name = \"two\"", "two"), ("name = 3", "name"), ("name = \"\"", "name"),
]:
    scene(BALLS, "name = \"one\"", new, word)
for new, word in [
    ("position = [0]", "position"), ("position = [0, 1, 2]", "position"), ("position = [0, nan]", "position"),
    ("position = [0, 1e308]", "position"), ("position = \"up\"", "position"), ("position = [3, 1]", "overlap"),
    ("position = [0, -3]", "one"), ("positon = [0, 1]", "positon"), ("position = [0, 0.2]", "floor"),
    ("position = [3.2, 1.1]", "overlap"),
]:
    scene(BALLS, "position = [0, 1]", new, word)
for new in ["radius = 0", "radius = -1", "radius = nan", "radius = \"big\"", "radius = [1]", "radius = inf"]:
    scene(BALLS, "radius = 0.5\nmass", new + "\nmass", "radius")
for new in ["mass = 0", "mass = -1", "mass = nan", "mass = inf", "mass = \"heavy\"", "density = -1", "mass = 1\ndensity = 1",
            "mass = 1\nvelocity = [1]", "mass = 1\nvelocity = [nan, 0]", "mass = 1\nvelocity = [1e300, 0]",
            "mass = 1\nvelocity = 3", "mass = 1\nfixed = 3", "mass = 1\nturns = 3", "mass = 1\nsolid = \"brick\"",
            "mass = 1\ncolour = \"red\"", "mass = 1\nangular_velocity = [1, 2, 3]", "mass = 1\norientation = 1",
            "mass = 1\nangular_velocity = \"fast\""]:
    scene(BALLS, "mass = 1", new, new.split("\n")[-1].split()[0])
scene(BALLS, "material = \"steel\"", "material = \"stel\"", "steel", "scene.toml:")
scene(BALLS, "material = \"steel\"", "material = 3", "material")

# ---- solids ---------------------------------------------------------------------------------------

for new, word in [
    ("type = \"cuboid\"", "cuboid"), ("type = \"sphere\"", "radius"), ("type = \"capsule\"", "capsule"),
    ("type = \"cylinder\"", "cylinder"), ("type = \"hull\"", "hull"), ("type = \"mesh\"", "mesh"),
    ("type = \"compound\"", "compound"), ("type = \"mesh\"\nfile = \"none.obj\"", "none.obj"),
]:
    scene(SOLIDS, "type = \"box\"", new, word if word in ("cuboid", "radius", "none.obj") else "solid")
for new in ["size = [0, 1, 1]", "size = [-1, 1, 1]", "size = [1, 1]", "size = 1", "size = [nan, 1, 1]", "size = []"]:
    scene(SOLIDS, "size = [0.5, 0.25, 0.1]", new, "size")
for new, word in [
    ("solid = \"bric\"", "brick"), ("solid = 3", "solid"), ("solid = \"brick\"\nradius = 1", "radius"),
    ("solid = \"brick\"\norientation = [0, 0, 0, 0]", "orientation"),
    ("solid = \"brick\"\norientation = [1, 0]", "orientation"),
    ("solid = \"brick\"\nturned = { axis = [0, 0, 0], degrees = 9 }", "axis"),
    ("solid = \"brick\"\nangular_velocity = [1, 2]", "angular_velocity"),
    ("solid = \"brick\"\nangular_velocity = [1, 2, nan]", "angular_velocity"),
]:
    scene(SOLIDS, "solid = \"brick\"", new, word)
for body, word in [
    ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "vertices 0 and 1"), ("", "hole.obj"), ("v 0 0\nf 1 2 9\n", "hole.obj"),
    ("v 0 0 nan\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 3 4\n", "hole.obj"),
    ("garbage\n", "hole.obj"),
]:
    case({"scene.toml": swapped(SOLIDS, 'type = "box"\nsize = [0.5, 0.25, 0.1]', 'type = "mesh"\nfile = "hole.obj"'),
          "hole.obj": body}, "run scene.toml -o out.h5", word)
case({"scene.toml": swapped(SOLIDS, 'type = "box"\nsize = [0.5, 0.25, 0.1]', 'type = "mesh"\nfile = "x.txt"'),
      "x.txt": "no mesh"}, "run scene.toml -o out.h5", "x.txt")

# ---- generators -----------------------------------------------------------------------------------

for new, word in [
    ("[[grid]]\nradius = 0.1", "counts"), ("[[grid]]\ncounts = [2]\nradius = 0.1", "counts"),
    ("[[grid]]\ncounts = [0, 2]\nradius = 0.1", "counts"), ("[[grid]]\ncounts = [2.5, 2]\nradius = 0.1", "counts"),
    ("[[grid]]\ncounts = [1e9, 1e9]\nradius = 0.1", "counts"), ("[[grid]]\ncounts = [2, 2]\nradius = 0", "radius"),
    ("[[grid]]\ncounts = [2, 2]\nradius = 0.1\nspacing = -1", "spacing"),
    ("[[grid]]\ncounts = [2, 2]\nradius = 0.1\norigin = [9, 9]\ncenter = [9, 9]", "center"),
    ("[[grid]]\ncounts = [2, 2]\nradius = 0.1\njitter = -1", "jitter"),
    ("[[grid]]\ncounts = [2, 2]\nradius = 0.5\nspacing = 0.1\norigin = [9, 9]", "overlap"),
    ("[[rack]]\nradius = 0.1", "rows"), ("[[rack]]\nrows = 0\nradius = 0.1", "rows"),
    ("[[rack]]\nrows = 1e12\nradius = 0.1", "rows"), ("[[line]]\nradius = 0.1", "line"),
    ("[[line]]\ncount = -1\nradius = 0.1", "count"), ("[[ring]]\ncount = 2\nradius = 0.1\nring_radius = -1", "ring"),
    ("[[random]]\nradius = 0.1\nregion = { lower = [5, 5], upper = [9, 9] }", "count"), ("[[random]]\ncount = 3\nradius = 0.1", "random"),
    ("[[random]]\ncount = 1e6\nradius = 0.5\nregion = { lower = [5, 5], upper = [9, 9] }", "random"),
    ("[[random]]\ncount = 3\nradius = { distribution = \"cauchy\" }\nregion = { lower = [5, 5], upper = [9, 9] }", "cauchy"),
    ("[[random]]\ncount = 3\nradius = 0.1\nregion = { lower = [9, 9], upper = [5, 5] }", "region"),
    ("[[random]]\ncount = 3\nradius = 0.1\nregion = { lower = [5], upper = [9, 9] }", "lower"),
    ("[[random]]\ncount = 3\nradius = 0.1\nregion = { lower = [5, 5], upper = [9, 9] }\nseed = -1", "seed"),
    ("[[random]]\ncount = 3\nradius = 0.1\nregion = { lower = [5, 5], upper = [9, 9] }\nvelocty = 1", "velocty"),
    ("[[randm]]\ncount = 3", "randm"),
]:
    scene(BALLS, "", new, word)

# ---- forces, expectations, measures, checks -------------------------------------------------------

for new, word in [
    ("[[spring]]\nbodies = [\"one\", \"three\"]\nstiffness = 1\nlength = 1", "three"),
    ("[[spring]]\nbodies = [\"one\", \"floor\"]\nstiffness = 1\nlength = 1", "floor"),
    ("[[spring]]\nbodies = [\"one\", \"one\"]\nstiffness = 1\nlength = 1", "spring[0].bodies"),
    ("[[spring]]\nbodies = [\"one\", \"two\"]\nstiffness = -1\nlength = 1", "stiffness"),
    ("[[spring]]\nbodies = [\"one\", \"two\"]\nstiffness = nan\nlength = 1", "stiffness"),
    ("[[spring]]\nbodies = [\"one\", \"two\"]\nlength = 1", "stiffness"),
    ("[[spring]]\nbodies = \"one\"\nstiffness = 1\nlength = 1", "bodies"),
    ("[[central]]\ncenter = [0, 0]\nstrength = \"x\"", "central"),
    ("[expect]\nstatus = \"fine\"", "fine"), ("[expect]\nimpact_status = \"fine\"", "fine"),
    ("[expect]\nenergy_drift = -1", "energy_drift"), ("[expect.grr]\nstatus = \"completed\"", "grr"), ("[[expect]]\nstatus = 3", "expect"),
    ("[[expect.at]]\ntime = 0\nposition = { nobody = [0, 0] }", "nobody"), ("[expect]\nenergi_drift = 1", "energi_drift"),
    ("[[expect.at]]\ntime = 99\nposition = { one = [0, 0] }", "time"),
    ("[[expect.symmetry]]\nkind = \"twist\"", "expect.symmetry[0]"),
    ("[[expect.symmetry]]\nmirror = { normal = [0, 0] }", "expect.symmetry[0]"),
    ("[measure]\ntemperature = 3", "temperature"), ("[measure]\nheights = { cell = 0 }", "measure"),
    ("[measure]\nsettled = { speed = -1 }", "settled"), ("[measure]\ntemprature = true", "temprature"),
    ("[measure]\nsides = { axis = \"w\", at = 0 }", "axis"), ("[check]\nname = 3", "name"),
    ("[detection]\nactivation = 1", "activation"), ("[detection]\nbroad_phase = \"tree\"", "tree"),
    ("[detection]\nsweep = 3", "sweep"), ("[detection]\nredetect_rounds = -1", "redetect_rounds"),
    ("[events]\nenvelope = -1", "envelope"), ("[steps]\nrest_tolerance = 1", "rest_tolerance"),
    ("[worlds]\nx = 1", "worlds"), ("[asynchronous]\ncontact_stp = 0.1", "contact_stp"),
]:
    scene(BALLS, "", new, word)

# ---- asynchronous contact, events -----------------------------------------------------------------

for old, new, word in [
    ("counts = [3, 3]", "counts = [0, 3]", "counts"), ("counts = [3, 3]", "counts = [-3, 3]", "counts"),
    ("counts = [3, 3]", "counts = [3.5, 3]", "counts"), ("counts = [3, 3]", "counts = [3]", "counts"),
    ("counts = [3, 3]", "counts = [1e9, 1e9]", "counts"), ("size = [1, 1]", "size = [0, 1]", "size"),
    ("size = [1, 1]", "size = [1]", "size"), ("position = [0, 0, 1]", "position = [0, nan, 1]", "position"),
    ("position = [0, 0, 1]", "position = [0, 0]", "position"), ("area_density = 0.1", "area_density = 0", "area_density"),
    ("area_density = 0.1", "area_density = -1", "area_density"), ("area_density = 0.1", "", "density"),
    ("thickness = 0.01", "thickness = 0", "thickness"), ("thickness = 0.01", "thickness = -1", "thickness"),
    ("thickness = 0.01", "thickness = nan", "thickness"), ("thickness = 0.01", "", "thickness"),
    ("stretching = 100", "stretching = -1", "stretching"), ("stretching = 100", "strech = 100", "strech"),
    ("type = \"rectangle\"", "type = \"round\"", "round"), ("type = \"rectangle\"", "file = \"none.obj\"", "none.obj"),
    ("name = \"cloth\"", "name = \"\"", "name"),
    ("stretching = 100", "stretching = 100\n[[surface.lead]]\nvertices = [99]\nvelocity = [0, 0, 1]", "vertices"),
    ("stretching = 100", "stretching = 100\n[[surface.lead]]\nwhere = \"x <\"", "where"),
    ("stretching = 100", "stretching = 100\n[asynchronous]\nbarrier = \"soft\"", "barrier"),
    ("stretching = 100", "stretching = 100\n[asynchronous]\nstiffness = 0", "stiffness"),
    ("stretching = 100", "stretching = 100\n[impact]\nfriction_model = \"glue\"", "glue"),
]:
    scene(CLOTH, old, new, word)
for new, word in [("scheme = \"events\"\nrotation = 3", "rotation"), ("scheme = \"events\"\n[events]\nenvelope = -1", "envelope"),
                  ("scheme = \"events\"\n[events]\nenvelop = 1", "envelop"),
                  ("scheme = \"events\"\n[detection]\nhalve = 3", "halve")]:
    scene(BALLS, "duration = 0.1", "duration = 0.1\n" + new, word)

# ---- instants -------------------------------------------------------------------------------------

for old, new, word in [
    ("mass = 1", "mass = 0", "mass"), ("mass = 1", "mass = nan", "mass"), ("mass = 1", "mas = 1", "mas"),
    ("velocity = [1]", "velocity = [1, 2]", "instant.toml:12"), ("velocity = [1]", "velocity = [nan]", "velocity"),
    ("velocity = [1]", "velocity = \"fast\"", "velocity"), ("bodies = [\"b\", \"a\"]", "bodies = [\"b\", \"c\"]", "c"),
    ("bodies = [\"b\", \"a\"]", "bodies = [\"b\", \"b\"]", "b"), ("bodies = [\"b\", \"a\"]", "bodies = []", "bodies"),
    ("normal = [1]", "normal = [0]", "normal"), ("normal = [1]", "normal = [1, 0]", "normal"),
    ("normal = [1]", "normal = [inf]", "normal"), ("normal = [1]", "normal = [1]\nrestitution = 2", "restitution"),
    ("normal = [1]", "normal = [1]\nfriction = -1", "friction"), ("operator = \"gr\"", "operator = \"qq\"", "qq"),
    ("name = \"b\"", "name = \"a\"", "a"), ("kind = \"instant\"", "kind = \"instnt\"", "instant"),
    ("normal = [1]", "", "normal"), ("normal = [1]", "normal = [1]\n[[rwo]]\nx = 1", "rwo"),
    ("normal = [1]", "normal = [1]\n[expect]\nvelocities = { c = [1] }", "c"),
]:
    case({"instant.toml": swapped(INSTANT, old, new)}, "impact instant.toml", word, "instant.toml")

# ---- commands and options -------------------------------------------------------------------------

for command, *words in [
    ("", "carom"), ("fly", "fly"), ("runn scene.toml", "runn"), ("--nothing", "--nothing"), ("run", "scene"),
    ("run none.toml", "none.toml"), ("run notes.txt", "notes.txt"), ("run .", "."),
    ("run scene.toml extra.toml", "extra.toml"), ("run scene.toml --nothing", "--nothing"),
    ("run scene.toml -o", "-o"), ("run scene.toml -o out.h5 --operator grr", "grr"),
    ("run scene.toml -o out.h5 --duration x", "duration"), ("run scene.toml -o out.h5 --duration -1", "duration"),
    ("run scene.toml -o out.h5 --duration nan", "duration"), ("run scene.toml -o out.h5 --steps -1", "steps"),
    ("run scene.toml -o out.h5 --steps 1.5", "steps"), ("run scene.toml -o out.h5 --threads -1", "threads"),
    ("run scene.toml -o out.h5 --threads 1000", "threads"), ("run scene.toml -o out.h5 --set", "--set"),
    ("run scene.toml -o out.h5 --set world", "world"), ("run scene.toml -o out.h5 --set world.x=1", "world.x"),
    ("run scene.toml -o out.h5 --set world.dimension=7", "dimension"),
    ("run scene.toml -o out.h5 --set body[9].radius=1", "body[9]"),
    ("run scene.toml -o out.h5 --set body[0].radius=", "radius"), ("run scene.toml -o out.h5 --set =3", "--set"),
    ("run scene.toml -o out.h5 --set time.step=abc", "step"), ("run scene.toml -o none/out.h5", "none"),
    ("run scene.toml -o notes.txt", "notes.txt"), ("run scene.toml -o scene.toml", "scene.toml"),
    ("run scene.toml -o .", "."), ("run scene.toml -o out.h5 --dump-impact 0", "--dump-impact"),
    ("run scene.toml -o x.toml --dump-impact 999", "step"), ("run scene.toml -o out.h5 --audit", "--audit"),
    ("run --resume none.h5", "none.h5"), ("run --resume notes.txt", "notes.txt"),
    ("run --resume scene.toml", "scene.toml"), ("run scene.toml --resume none.h5", "--resume"),
    ("run instant.toml -o out.h5", "instant.toml"), ("impact scene.toml", "scene.toml"), ("impact none.toml", "none.toml"),
    ("impact", "FILE"), ("impact instant.toml --operator no", "no"), ("impact instant.toml --set x=1", "x"),
    ("impact instant.toml --set tolerance=-1", "tolerance"), ("impact instant.toml --friction-model no", "no"),
    ("impact instant.toml --restitution-model no", "no"), ("view none.h5", "none.h5"), ("view notes.txt", "notes.txt"),
    ("view", "view"), ("view scene.toml -o notes.txt", "notes.txt"), ("info none.h5", "none.h5"),
    ("info scene.toml", "scene.toml"), ("info", "FILE"), ("check none.h5", "none.h5"), ("check notes.txt", "notes.txt"),
    ("verify none.h5", "none.h5"), ("verify notes.txt", "notes.txt"), ("audit none.h5", "none.h5"),
    ("audit scene.toml", "scene.toml"), ("recover none.h5 -o x.h5", "none.h5"), ("recover notes.txt -o x.h5", "notes.txt"),
    ("recover scene.toml", "-o"), ("plot none.h5", "none.h5"), ("plot scene.toml", "scene.toml"),
    ("export none.h5 --format vtk -o x", "none.h5"), ("export scene.toml --format vtk -o x", "scene.toml"),
    ("export scene.toml --format doc -o x", "scene.toml"), ("export scene.toml", "format"),
    ("compare none.toml", "none.toml"), ("compare scene.toml --operators grr", "grr"),
    ("compare scene.toml --operators", "operators"),
    ("compare instant.toml --operators gr,lcp", "instant.toml"), ("compare scene.toml --duration -3", "duration"),
    ("compare scene.toml --operators gr --resume", "no interrupted"),
    ("sweep scene.toml", "vary"), ("sweep scene.toml --vary x", "x"), ("sweep scene.toml --vary time.step=1:2:3:4", "time.step"),
    ("sweep scene.toml --vary time.step=1:2:0", "time.step"), ("sweep scene.toml --vary time.step=a:b:3", "time.step"),
    ("sweep scene.toml --vary no.key=1:2:2", "no.key"), ("sweep none.toml --vary time.step=1:2:2", "none.toml"),
    ("sweep scene.toml --vary body[7].radius=1:2:2", "body[7]"),
    ("sweep scene.toml --vary time.step=0.01:0.02:2 --measure nothing", "nothing"),
    ("sweep scene.toml --vary time.step=0.01:0.02:2 --seeds 3", "seed"),
    ("sweep scene.toml --vary time.step=0.01:0.02:99999999999", "time.step"),
    ("operators nothing", "nothing"), ("schemes nothing", "nothing"), ("new notes.txt", "notes.txt"),
    ("new none/x.toml", "none"), ("import notes.txt", "notes.txt"), ("import none.xml", "none.xml"),
    ("import scene.toml", "scene.toml"),
    ("gallery", "gallery"), ("gallery fly", "fly"), ("gallery run NONE", "NONE"), ("gallery check NONE", "NONE"),
    ("gallery run", "run"), ("gallery list --nothing", "--nothing"),
]:
    option(command, *words)

# ---- imports --------------------------------------------------------------------------------------

for text, word in [
    ("", "s.xml"), ("<", "s.xml"), ("<scene/>", "s.xml"), ("<ball2d_scene/>", "s.xml"),
    ("<ball2d_scene><ball x='0 0' v='0 0' m='-1' r='1'/></ball2d_scene>", "s.xml"),
    ("<ball2d_scene><ball x='a b' v='0 0' m='1' r='1'/></ball2d_scene>", "s.xml"),
    ("<rigidbody3d_scene><rigid_body geo='3'/></rigidbody3d_scene>", "s.xml"),
    ("<!DOCTYPE x [<!ENTITY a '&a;'>]><ball2d_scene>&a;</ball2d_scene>", "s.xml"),
]:
    case({"s.xml": text}, "import s.xml -o s.toml", word)

# ---- damaged recordings, and files of others ------------------------------------------------------


def damaged(kind, recording):
    if kind == "empty":
        return b""
    if kind == "head":
        return recording[:100]
    if kind == "half":
        return recording[: len(recording) // 2]
    if kind == "mark":
        return b"\x89HDF\r\n\x1a\n" + b"\x00" * 500
    if kind == "zeros":
        return b"\x00" * 4096
    raise ValueError(kind)


for kind in ["empty", "head", "half", "mark", "zeros"]:
    for command in ["info r.h5", "view r.h5 -o v.html", "check r.h5", "verify r.h5", "plot r.h5 -o p.svg",
                    "export r.h5 --format csv -o x.csv", "run --resume r.h5", "recover r.h5 -o s.h5", "audit r.h5"]:
        case({"r.h5": kind}, command, "r.h5")
for command in ["view good.h5 -o mine.txt", "view good.h5 -o good.h5", "plot good.h5 -o mine.txt",
                "export good.h5 --format csv -o mine.txt", "export good.h5 --format glb -o mine.txt",
                "export good.h5 --format nothing -o x",
                "plot good.h5 -o none/x.svg", "view good.h5 -o none/x.html", "recover good.h5 -o good.h5",
                "recover good.h5 -o mine.txt", "audit good.h5", "run --resume good.h5 --duration 0.01",
                "run --resume good.h5 --operator gr", "plot good.h5 --heights -o p.png"]:
    name = next((w for w in command.split() if w in ("mine.txt",)), "")
    case({"good.h5": "good", "mine.txt": "mine\n"}, command, name)


# ---- running them ---------------------------------------------------------------------------------


def state_of(directory):
    """What files there are, with their contents."""
    found = {}
    for root, _, names in os.walk(directory):
        for name in names:
            path = pathlib.Path(root) / name
            found[str(path.relative_to(directory))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def judge(carom, good, number, files, command, words, codes):
    """What is wrong with a case; "" for nothing."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="carom-bad-"))
    try:
        for name, content in files.items():
            if name.endswith(".h5"):
                content = good if content == "good" else damaged(content, good)
            path = directory / name
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        before = state_of(directory)
        try:
            done = subprocess.run([carom, *command], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"still runs after {SECONDS} s"
        said = done.stderr.decode(errors="replace")
        faults = []
        if done.returncode < 0:
            faults.append(f"ended by signal {-done.returncode}")
        elif done.returncode not in codes:
            faults.append(f"exit code {done.returncode}, expected {codes}")
        if not said.strip():
            faults.append("says nothing")
        for bad in ["terminate called", "Traceback", "what():", "std::", "Assertion"]:
            if bad in said:
                faults.append(f"says '{bad}'")
        faults += [f"does not name '{word}'" for word in words if word not in said]
        if len(said) > 4000:
            faults.append(f"says {len(said)} characters")
        after = state_of(directory)
        lost = [name for name in before if after.get(name) != before[name]]
        left = [name for name in after if name not in before]
        if lost:
            faults.append("changed or removed " + ", ".join(lost))
        if left:
            faults.append("left behind " + ", ".join(left))
        if not faults:
            return ""
        return "; ".join(faults) + "\n      said: " + said.strip()[:300].replace("\n", "\n            ")
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def main():
    carom = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place)
        (path / "scene.toml").write_text(BALLS)
        subprocess.run([carom, "run", "scene.toml", "-o", "good.h5", "--quiet"], cwd=path, check=True,
                       stdout=subprocess.DEVNULL)
        good = (path / "good.h5").read_bytes()
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        jobs = [pool.submit(judge, carom, good, k, *c) for k, c in enumerate(CASES)]
        faults = [job.result() for job in jobs]
    for (files, command, _, _), fault in zip(CASES, faults):
        if fault:
            print(f"carom {' '.join(command)}")
            for name, content in files.items():
                if name == "scene.toml":
                    lines = [x for x in str(content).splitlines() if x not in BALLS + SOLIDS + CLOTH]
                    print("      " + " | ".join(lines[:4])[:160])
            print(f"   {fault}")
    failed = sum(1 for fault in faults if fault)
    print(f"{len(CASES)} bad inputs, {len(CASES) - failed} told as they should be, {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
