"""Scenes and simulations: the same bits, views that cannot dangle, edits, callbacks, threads."""

import ctypes
import gc
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import weakref

import numpy
import pytest

import carom

ROOT = pathlib.Path(__file__).resolve().parents[2]


def bouncing():
    scene = carom.Scene(gravity=[0, -9.81], step=1e-3, duration=1.0)
    scene.add_material(restitution=0.5)
    scene.add_ball([0, 1], radius=0.1, name="a")
    scene.add_ball([1, 1], radius=0.1, velocity=[0.5, 0], name="b")
    scene.add_wall([0, 0], [0, 1], name="floor")
    return scene


def test_a_scene_from_a_file_a_text_and_a_dict():
    path = ROOT / "gallery" / "G6-break.toml"
    hashes = set()
    for scene in (carom.Scene.from_toml(path), carom.Scene.from_toml(path.read_text())):
        simulation = scene.start()
        simulation.run(0.3)
        hashes.add(simulation.state_hash)
    assert len(hashes) == 1
    table = {"body": [{"position": [0, 0], "radius": 1, "velocity": [1, 0]}]}
    simulation = carom.Scene.from_dict(table).start()
    simulation.run(0.5)
    assert simulation.positions == pytest.approx(numpy.array([[0.5, 0.0]]))


def test_faults_say_where_they_are(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('kind = "scene"\n[[body]]\nposition = [0, 0]\nradius = -1\n')
    with pytest.raises(carom.InputError) as caught:
        carom.Scene.from_toml(path)
    error = caught.value
    assert (error.file, error.line, error.key) == (str(path), 4, "body[0].radius")
    assert "positive" in error.message
    again = pickle.loads(pickle.dumps(error))
    assert (again.line, again.key, str(again)) == (4, "body[0].radius", str(error))
    with pytest.raises(carom.InputError) as caught:
        carom.Scene.from_dict({"body": [{"position": [0, 0], "radius": 1, "mas": 2}]})
    assert caught.value.key.startswith("body[0]") and caught.value.line is None
    assert "mass" in caught.value.message
    with pytest.raises(carom.InputError, match="cannot stand"):
        carom.Scene.from_dict({"body": [{"position": object(), "radius": 1}]})


def test_everything_that_a_scene_is_built_from():
    scene = carom.Scene(dimension=3, gravity=[0, 0, -9.81], step=1e-3)
    scene.add_material("rubber", restitution=0.3)
    scene.add_wall([0, 0, 0], [0, 0, 1])
    scene.add_box([0, 0, 2], size=[1, 1, 1], angular_velocity=[0, 0, 1], material="rubber")
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    scene.add_mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], position=[3, 0, 2])
    scene.add_grid(counts=[2, 2, 1], radius=0.2, center=[-3, 0, 3], spacing=0.5)
    names = scene.add_balls([[6, 0, 1], [6, 1, 1]], radius=[0.1, 0.2], velocities=[[0, 0, 0], [0, 0, 1]])
    scene.add_spring(*names, stiffness=2.0)
    simulation = scene.start()
    assert len(simulation) == 8
    assert simulation.run(0.3) == "reached"
    assert simulation.orientations.shape == (8, 4)
    other = carom.Scene.from_toml(scene.to_toml()).start()
    other.run(0.3)
    assert other.state_hash == simulation.state_hash


def test_views_show_the_present_state_and_never_dangle():
    simulation = bouncing().start()
    positions = simulation.positions
    assert positions is simulation.positions and not positions.flags.writeable
    assert positions.shape == (2, 2)
    simulation.step()
    assert positions[1, 0] == pytest.approx(1.0005)
    with pytest.raises(ValueError):
        positions[0] = 0
    before = positions.copy()
    del simulation
    gc.collect()
    assert numpy.array_equal(positions, before)


def test_edits_are_taken_whole_or_not_at_all():
    simulation = bouncing().start()
    simulation.run(0.1)
    with simulation.edit() as edit:
        simulation.velocities[0] = [2, 0]
        kept = edit.velocities
        added = edit.add_ball([5, 5], radius=0.2, mass=3.0)
    assert simulation.velocities[0].tolist() == [2, 0] and not kept.flags.writeable
    assert simulation.ids.tolist() == [0, 1, 2] and added == 2
    assert simulation.ledger.drift == pytest.approx(0.0, abs=1e-11)
    before = simulation.state_hash
    with pytest.raises(carom.InputError, match="overlaps"):
        with simulation.edit():
            simulation.positions[0] = simulation.positions[1]
    with pytest.raises(carom.InputError, match="finite"):
        with simulation.edit() as edit:
            edit.velocities[0, 0] = numpy.nan
    with pytest.raises(RuntimeError, match="mine"):
        with simulation.edit() as edit:
            edit.remove(0)
            raise RuntimeError("mine")
    assert simulation.state_hash == before and len(simulation) == 3
    with simulation.edit() as edit:
        edit.remove(0)
        edit.gravity = [0, 0]
    assert simulation.ids.tolist() == [1, 2] and simulation.number_of(2) == 1
    y = simulation.positions[1, 1]
    speed = simulation.velocities[1, 1]
    simulation.run(0.3)
    assert simulation.positions[1, 1] == pytest.approx(y + 0.2 * speed)


def test_an_edit_that_changes_nothing_keeps_every_bit():
    plain, edited = bouncing().start(), bouncing().start()
    for _ in range(500):
        plain.step()
        edited.step()
        with edited.edit():
            edited.velocities[:] = edited.velocities
    assert plain.state_hash == edited.state_hash


def well(positions):
    return -4.0 * positions


def test_forces_of_ones_own_with_and_without_a_potential():
    """A harmonic well: back where it began after a period of pi, with a band of h^2."""
    ends = []
    for forces in ([(well, lambda q: 2.0 * (q**2).sum())], [well]):
        scene = carom.Scene(step=1e-3)
        scene.add_ball([1, 0], radius=0.1)
        simulation = scene.start(forces=forces)
        simulation.run(numpy.pi)
        ends.append(simulation.positions.copy())
        assert simulation.positions == pytest.approx(numpy.array([[1, 0]]), abs=1e-3)
    assert numpy.array_equal(*ends)
    assert simulation.ledger.drift == pytest.approx(0, abs=1e-12)  # all of it is work
    central = carom.Scene(step=1e-3)
    central.add_ball([1, 0], radius=0.1)
    central.add_force("central", center=[0, 0], strength=4.0, exponent=1.0)
    other = central.start()
    other.run(numpy.pi)
    assert other.positions == pytest.approx(ends[0], abs=1e-12)


def test_a_force_that_fails_ends_the_step_cleanly():
    def breaks(positions):
        if positions[0, 0] > 0.5:
            raise ZeroDivisionError("mine")
        return 0 * positions

    scene = carom.Scene(step=0.125)
    scene.add_ball([0, 0], radius=0.1, velocity=[1, 0])
    simulation = scene.start(forces=[breaks])
    with pytest.raises(ZeroDivisionError, match="mine"):
        simulation.run(2.0)
    assert simulation.step_number == 4 and simulation.positions[0, 0] == 0.5
    assert simulation.run(2.0) == "failed" and "force" in simulation.report.message
    with simulation.edit() as edit:
        edit.clear_forces()
    assert simulation.run(1.0) == "reached" and simulation.positions[0, 0] == 1.0
    with pytest.raises(ZeroDivisionError):
        with simulation.edit() as edit:
            edit.add_force(breaks)
    assert simulation.run(2.0) == "reached"


def test_compiled_forces_are_called_without_python():
    kind = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double), ctypes.c_ssize_t)

    @kind
    def well_in_c(positions, forces, bodies):
        for k in range(3 * bodies):
            forces[k] += -4.0 * positions[k]

    class Compiled:  # as numba.cfunc makes them
        address = ctypes.cast(well_in_c, ctypes.c_void_p).value

    ends = []
    for force in (well, Compiled()):
        scene = carom.Scene(step=1e-2)
        scene.add_ball([1, 0.5], radius=0.1)
        simulation = scene.start(forces=[force])
        simulation.run(1.0)
        ends.append(simulation.positions.copy())
    assert numpy.array_equal(*ends)


def test_forces_that_hold_their_simulation_are_collected():
    class Marker:
        pass

    simulation, marker = bouncing().start(), Marker()
    with simulation.edit() as edit:
        edit.add_force(lambda q, kept=(simulation, marker): 0 * q)
    gone = weakref.ref(marker)
    del simulation, marker, edit
    gc.collect()
    assert gone() is None


def test_shapes_are_moved_from_where_they_are():
    simulation = bouncing().start()
    with simulation.edit() as edit:
        edit.gravity = [0, 0]
        edit.move_shape("floor", [0, 1.0])
    simulation.run(0.95)  # it meets the balls, 0.9 m above it, at 0.9 s: e = 1/2
    assert simulation.velocities[0, 1] == pytest.approx(1.5, abs=1e-9)
    assert simulation.ledger.external_work == pytest.approx(2 * 1.5)  # force times way: impulse times speed
    with simulation.edit() as edit:
        edit.move_shape("floor", [0, 0])
    assert simulation.run(1.5) == "reached"


def test_solids_join_a_simulation():
    scene = carom.Scene(dimension=3, step=1e-2)
    scene.add_ball([0, 0, 0], radius=0.1)
    simulation = scene.start()
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    with simulation.edit() as edit:
        box = edit.add_box([5, 0, 0], size=[1, 1, 1], density=2.0)
        mesh = edit.add_mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], position=[-5, 0, 0], density=6.0,
                             angular_velocity=[0, 0, 1])
    masses = simulation.masses
    assert masses[simulation.number_of(box)] == pytest.approx(2.0)
    assert masses[simulation.number_of(mesh)] == pytest.approx(1.0)
    simulation.run(0.1)
    assert simulation.orientations.shape == (3, 4)


def test_callbacks():
    simulation = bouncing().start()
    times, impacts = [], []
    simulation.on_step = lambda sim: times.append(sim.time)
    simulation.on_impact = lambda sim, contacts: impacts.append(contacts)
    assert simulation.run(0.6) == "reached"
    assert len(times) == 600 and times[-1] == simulation.time
    assert impacts[0]["impulse"][0] > 0 and impacts[0]["shape"][0] == 0
    simulation.on_step = lambda sim: False
    assert simulation.run(1.0) == "stopped"

    def fails(sim):
        raise KeyError("mine")

    simulation.on_step = fails
    step = simulation.step_number
    with pytest.raises(KeyError, match="mine"):
        simulation.run(1.0)
    assert simulation.step_number == step + 1
    simulation.on_step = None
    assert simulation.run(1.0) == "reached"


def test_a_callback_that_holds_its_simulation_is_collected():
    class Marker:
        pass

    simulation, marker = bouncing().start(), Marker()
    simulation.on_step = lambda sim, kept=(simulation, marker): None
    gone = weakref.ref(marker)
    del simulation, marker
    gc.collect()
    assert gone() is None


def test_the_lock_is_free_while_a_run_goes_on_and_a_second_user_is_refused():
    scene = carom.Scene(step=1e-3)
    scene.add_grid(counts=[20, 20], radius=0.5, spacing=1.2, velocity_random=1.0)
    simulation = scene.start()
    refused = []
    thread = threading.Thread(target=simulation.run, args=(0.5,))
    thread.start()
    while thread.is_alive():
        try:
            simulation.state_hash
        except carom.InputError as error:
            refused.append(str(error))
        time.sleep(0.001)
    thread.join()
    assert refused and all("another thread" in text for text in refused)


def test_threads_of_ours_and_of_numpy_work_side_by_side():
    scene = carom.Scene(step=1e-3)
    scene.add_grid(counts=[40, 40], radius=0.5, spacing=1.05, velocity_random=1.0)
    alone = scene.start()
    alone.run(0.05)
    simulation = scene.start(threads=2)
    thread = threading.Thread(target=simulation.run, args=(0.05,))
    matrix = numpy.random.default_rng(1).normal(size=(200, 200))
    expected = matrix @ matrix
    thread.start()
    products = [matrix @ matrix]
    while thread.is_alive():
        products.append(matrix @ matrix)
    thread.join()
    assert simulation.state_hash == alone.state_hash
    assert all(numpy.array_equal(product, expected) for product in products)


def test_control_c_is_answered_within_a_second():
    program = """
import carom, os, signal, sys, threading, time
scene = carom.Scene(step=1e-3, duration=1e6)
scene.add_grid(counts=[5, 5], radius=0.5, spacing=1.2, velocity_random=1.0)
scene.add_shape("box_inside", lower=[-5, -5], upper=[5, 5])
simulation = scene.start()
sent = []
def send():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.3, send).start()
try:
    simulation.run()
except KeyboardInterrupt:
    late = time.monotonic() - sent[0]
    simulation.step()
    sys.exit(0 if late < 1.0 else 3)
sys.exit(2)
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_wrong_uses_of_a_simulation():
    simulation = bouncing().start()
    with pytest.raises(TypeError):
        pickle.dumps(simulation)
    with pytest.raises(TypeError):
        carom.Simulation()
    with pytest.raises(carom.InputError, match="not open"):
        simulation.edit().add_ball([0, 0], radius=1)
    with simulation.edit() as edit:
        for wrong, word in ((lambda: simulation.step(), "inside"), (lambda: simulation.run(1.0), "inside"),
                            (lambda: simulation.edit().__enter__(), "another edit"),
                            (lambda: edit.remove(77), "no body"),
                            (lambda: edit.add_ball([1], radius=1), "two or three"),
                            (lambda: edit.add_ball([1, 1], radius=1, material="ice"), "unknown material")):
            with pytest.raises(carom.InputError, match=word):
                wrong()
    with pytest.raises(carom.InputError):
        edit.remove(0)
    with pytest.raises(carom.InputError, match="finite"):
        simulation.run(float("nan"))
    simulation.on_step = lambda sim: sim.step()
    with pytest.raises(carom.InputError, match="callback"):
        simulation.step()
    with pytest.raises(carom.InputError, match="operator"):
        bouncing().start(operator="grr")


@pytest.mark.slow
def test_control_c_is_answered_within_a_step_that_takes_long():
    """A step of 600,000 balls takes seconds; it is left undone, and can be done again."""
    program = """
import carom, os, signal, sys, threading, time
scene = carom.Scene(step=1e-2, duration=1e6)
scene.add_grid(counts=[800, 800], radius=0.5, spacing=1.0, velocity_random=1.0)
simulation = scene.start()
sent = []
def send():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.7, send).start()
before = simulation.state_hash
try:
    simulation.step()
except KeyboardInterrupt:
    late = time.monotonic() - sent[0]
    sys.exit(0 if late < 1.0 and simulation.step_number == 0 and simulation.state_hash == before else 3)
sys.exit(2)
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=300).returncode == 0


def test_a_misspelt_key_is_refused_where_it_is_written():
    """And the scene stays as it was, so that one can go on."""
    scene = bouncing()
    before = scene.to_toml()
    for wrong, meant in [(lambda: scene.add_ball([3, 3], radius=0.1, velocitty=[1, 0]), "velocity"),
                         (lambda: scene.add_box([3, 3], size=[1, 1], denisty=2), "density"),
                         (lambda: scene.add_wall([0, -1], [0, 1], nam="low"), "name"),
                         (lambda: scene.add_material("rubber", restitutio=0.5), "restitution"),
                         (lambda: scene.set("record", evry=2), "every"),
                         (lambda: scene.set("recrd", every=2), "record")]:
        with pytest.raises(carom.InputError, match=f"did you mean '{meant}'"):
            wrong()
        assert scene.to_toml() == before
    scene.add_box([3, 3], size=[1, 1], density=2)
    assert len(scene.start()) == 3


def test_bodies_have_ids_and_names():
    simulation = bouncing().start()
    assert simulation.number_of("b") == simulation.number_of(1) == 1
    with simulation.edit() as edit:
        edit.remove("a")
        edit.gravity = 2.0
        assert edit.gravity == (0.0, -2.0, 0.0)
    assert simulation.names == ["b"] and simulation.number_of("b") == 0
    with pytest.raises(carom.InputError, match="unknown body"):
        simulation.number_of("a")
    with pytest.raises(carom.InputError, match="restitution must be between 0 and 1"):
        with simulation.edit() as edit:
            edit.set_material(restitution=2)
    with pytest.raises(carom.InputError, match="friction"):
        with simulation.edit() as edit:
            edit.set_material(friction=-1)
    falling = bouncing().start(forces=lambda positions: 0 * positions)
    falling.run(0.1)
    plain = bouncing().start()
    plain.run(0.1)
    assert falling.state_hash == plain.state_hash
