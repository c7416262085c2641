"""A hundred wrong uses: each ends in an exception that says what is wrong, none in a crash."""

import copy
import gc
import pickle
import tempfile
import threading

import numpy as np
import pytest

import carom

NAN, INF = float("nan"), float("inf")
M, N, V = [1, 1, 1], [[-1, 1, 0], [0, -1, 1]], [1, 0, 0]
TETRAHEDRON = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def scene(**keys):
    built = carom.Scene(gravity=[0, -9.81], step=1e-3, duration=0.01, **keys)
    built.add_wall([0, 0], [0, 1], name="floor")
    built.add_ball([0, 1], radius=0.1, name="a")
    built.add_ball([1, 1], radius=0.1, name="b")
    return built


def sim():
    return scene().start()


def sim_3d():
    built = carom.Scene(dimension=3, step=1e-3)
    built.add_ball([0, 0, 0], radius=0.1)
    return built.start()


def with_ball(**keys):
    built = carom.Scene()
    built.add_ball(**{"position": [0, 0], "radius": 1.0, **keys})
    built.check()


def edited(change):
    simulation = sim()
    with simulation.edit() as edit:
        change(simulation, edit)


def recorded(use, **keys):
    with tempfile.TemporaryDirectory() as place:
        simulation = sim()
        recording = simulation.record(f"{place}/x.h5", **keys)
        simulation.step()
        use(simulation, recording)


def finish_inside_an_edit(simulation, recording):
    with simulation.edit():
        recording.finish()


def overlap(simulation):
    with simulation.edit():
        simulation.positions[0] = simulation.positions[1]


def after_edit(use):
    simulation = sim()
    with simulation.edit() as edit:
        array = simulation.positions
    use(simulation, edit, array)


def write(array, value=0.0):
    array[0] = value


def running(use):
    """`use` from a second thread while a run goes on."""
    built = carom.Scene(step=1e-3)
    built.add_grid(counts=[20, 20], radius=0.5, spacing=1.2, velocity_random=1.0)
    simulation, faults = built.start(), []

    def other():
        while not faults and thread.is_alive():
            try:
                use(simulation)
            except Exception as error:  # noqa: BLE001 - it is raised again below
                faults.append(error)

    thread = threading.Thread(target=simulation.run, args=(0.3,))
    thread.start()
    second = threading.Thread(target=other)
    second.start()
    second.join()
    thread.join()
    raise faults[0]


def raising(value):
    def force(positions):
        return value
    return force


def cyclic():
    table = {"body": []}
    table["body"].append(table)
    return table


def operator_answers(answer, name):
    if name not in [info.name for info in carom.operators()]:
        carom.register_operator(name, lambda application: answer)
    carom.resolve(M, N, V, operator=name)


def problem():
    made = carom.ImpactProblem()
    made.add_body([1.0, 0.0])
    made.add_body([0.0, 0.0])
    return made


def no_gradient(**keys):
    gradient = carom.resolve(M, N, V, gradient=True, **keys).gradient
    gradient.v


Input, Type, Value = carom.InputError, TypeError, ValueError
USES = [
    # ---- instants: shapes, kinds, numbers
    ("rows too short", Input, lambda: carom.resolve(M, [[1, 0]], V)),
    ("rows of one axis", Input, lambda: carom.resolve(M, [1, 0, 0], V)),
    ("rows of three axes", Input, lambda: carom.resolve(M, np.zeros((1, 1, 3)), V)),
    ("ragged rows", Input, lambda: carom.resolve(M, [[1, 0, 0], [1]], V)),
    ("rows of text", Input, lambda: carom.resolve(M, [["a", "b", "c"]], V)),
    ("rows of objects", Input, lambda: carom.resolve(M, np.array([[object()] * 3]), V)),
    ("rows of nothing", Input, lambda: carom.resolve(M, None, V)),
    ("complex rows", Input, lambda: carom.resolve(M, [[1j, 0, 0]], V)),
    ("row that touches nothing", Input, lambda: carom.resolve(M, [[0, 0, 0]], V)),
    ("row of three bodies", Input, lambda: carom.resolve(M, [[1, 1, 1]], V, bodies=[1, 1, 1])),
    ("rows with NaN", Input, lambda: carom.resolve(M, [[NAN, 1, 0]], V)),
    ("rows with infinity", Input, lambda: carom.resolve(M, [[INF, 1, 0]], V)),
    ("velocities with NaN", Input, lambda: carom.resolve(M, N, [NAN, 0, 0])),
    ("velocities of two axes", Input, lambda: carom.resolve(M, N, [[1, 0, 0]])),
    ("velocities of text", Input, lambda: carom.resolve(M, N, "fast")),
    ("velocities of times", Input, lambda: carom.resolve(M, N, np.array(["2020", "2021", "2022"], "M8[Y]"))),
    ("complex velocities", Input, lambda: carom.resolve(M, N, np.array([1, 0, 0j]))),
    ("no velocities", Input, lambda: carom.resolve(M, N, None)),
    ("negative mass", Input, lambda: carom.resolve([1, -1, 1], N, V)),
    ("mass zero", Input, lambda: carom.resolve([1, 0, 1], N, V)),
    ("mass NaN", Input, lambda: carom.resolve([1, NAN, 1], N, V)),
    ("too many masses", Input, lambda: carom.resolve([1, 1, 1, 1], N, V)),
    ("mass matrix too small", Input, lambda: carom.resolve(np.eye(2), N, V)),
    ("mass matrix not symmetric", Input,
     lambda: carom.resolve(np.array([[1, 0.5], [0, 1]]), [[1, 0]], [-1, 0], bodies=[2])),
    ("mass matrix not definite", Input,
     lambda: carom.resolve(np.array([[1, 2], [2, 1]]), [[1, 0]], [-1, 0], bodies=[2])),
    ("masses of a dict", Input, lambda: carom.resolve({"a": 1}, N, V)),
    ("restitution above one", Input, lambda: carom.resolve(M, N, V, 1.5)),
    ("negative restitution", Input, lambda: carom.resolve(M, N, V, -0.1)),
    ("restitution NaN", Input, lambda: carom.resolve(M, N, V, NAN)),
    ("too many restitutions", Input, lambda: carom.resolve(M, N, V, [1, 1, 1])),
    ("restitution of text", Input, lambda: carom.resolve(M, N, V, "full")),
    ("friction without tangents", Input, lambda: carom.resolve(M, N, V, mu=0.5)),
    ("negative friction", Input, lambda: carom.resolve(1, [[0, 1]], [1, -1], mu=-1, T=[[1, 0]], bodies=[2])),
    ("tangents of another size", Input, lambda: carom.resolve(1, [[0, 1]], [1, -1], mu=1, T=[[1, 0, 0]])),
    ("unknown operator", Input, lambda: carom.resolve(M, N, V, operator="newton")),
    ("operator that is a number", Type, lambda: carom.resolve(M, N, V, operator=3)),
    ("unknown option of an operator", Input, lambda: carom.resolve(M, N, V, operator="gauss_seidel:oder=worst")),
    ("unknown option", Input, lambda: carom.resolve(M, N, V, tolerence=1)),
    ("negative tolerance", Input, lambda: carom.resolve(M, N, V, tolerance=-1.0)),
    ("tolerance of text", Input, lambda: carom.resolve(M, N, V, tolerance="small")),
    ("unknown restitution model", Input, lambda: carom.resolve(M, N, V, restitution_model="magic")),
    ("bodies of five numbers", Input, lambda: carom.resolve(1, np.eye(1, 5), np.zeros(5), bodies=[5])),
    ("bodies that do not add up", Input, lambda: carom.resolve(M, N, V, bodies=[2])),
    ("bodies of text", (Input, Type), lambda: carom.resolve(M, N, V, bodies=["a"])),
    ("too few arguments", Type, lambda: carom.resolve(M, N)),
    ("gradient at a kink", Input, lambda: no_gradient()),
    ("gradient in a wrong direction", Value,
     lambda: carom.resolve([1, 1], [[-1, 1]], [1, 0], gradient=True).gradient.along(dv=[1, 2, 3])),
    ("contact of a body that is not there", Input, lambda: problem().add_contact(0, 7, normal=[1, 0])),
    ("contact of a body with itself", Input, lambda: problem().add_contact(0, 0, normal=[1, 0])),
    ("normal of no length", Input, lambda: problem().add_contact(0, 1, normal=[0, 0])),
    ("normal of three numbers in the plane", Input, lambda: problem().add_contact(0, 1, normal=[1, 0, 0])),
    ("body of four numbers", Input, lambda: problem().add_body([1, 2, 3, 4])),
    ("body of no numbers", Input, lambda: problem().add_body([])),
    ("velocity of a body that is not there", Input, lambda: problem().set_velocity(9, [1, 0])),
    ("negative number of a body", (Input, Type), lambda: problem().add_contact(-1, 1, normal=[1, 0])),
    # ---- operators in Python
    ("operator without a name", Input, lambda: carom.register_operator("", lambda application: [])),
    ("operator of a known name", Input, lambda: carom.register_operator("gr", lambda application: [])),
    ("operator that is no function", Type, lambda: carom.register_operator("no_function", 3)),
    ("operator with an unknown promise", Input,
     lambda: carom.register_operator("promising", lambda application: [], promises=["ALL"])),
    ("operator that answers too much", Input, lambda: operator_answers([1.0] * 9, "wrong_many")),
    ("operator that answers text", Input, lambda: operator_answers("much", "wrong_text")),
    ("operator that answers NaN", Input, lambda: operator_answers([NAN], "wrong_nan")),
    ("chart of nothing known", Input, lambda: carom.chart(["nobody"])),
    ("chart of no problems", Input, lambda: carom.chart(["gr"], problems=0)),
    # ---- scenes
    ("file that is not there", Input, lambda: carom.Scene.from_toml("nowhere.toml")),
    ("text that is no TOML", Input, lambda: carom.Scene.from_toml("= 3\n")),
    ("scene of no bodies", Input, lambda: carom.Scene().start()),
    ("unknown key", Input, lambda: with_ball(colour="red")),
    ("unknown table", Input, lambda: carom.Scene.from_dict({"balls": []})),
    ("object in a scene", Input, lambda: with_ball(velocity=object())),
    ("scene that holds itself", (Input, RecursionError), lambda: carom.Scene.from_dict(cyclic())),
    ("position of three numbers in the plane", Input, lambda: with_ball(position=[0, 0, 0])),
    ("position of text", Input, lambda: with_ball(position="here")),
    ("position NaN", Input, lambda: with_ball(position=[NAN, 0])),
    ("negative radius", Input, lambda: with_ball(radius=-1)),
    ("mass zero in a scene", Input, lambda: with_ball(mass=0)),
    ("unknown material", Input, lambda: with_ball(material="jelly")),
    ("step zero", Input, lambda: carom.Scene.from_dict({"time": {"step": 0}, "body": [{"position": [0, 0], "radius": 1}]})),
    ("unknown scheme", Input, lambda: scene(scheme="magic").start()),
    ("overlapping start", Input, lambda: (lambda s: (s.add_ball([0, 1.1], radius=0.1), s.start()))(scene())),
    ("one name twice", Input, lambda: (lambda s: (s.add_ball([5, 5], radius=0.1, name="a"), s.start()))(scene())),
    ("positions of one axis", Input, lambda: scene().add_balls([1, 2, 3], radius=1)),
    ("too few velocities", Input, lambda: scene().add_balls([[5, 5], [6, 5]], radius=0.1, velocities=[[0, 0]])),
    ("too many radii", (Input, Value), lambda: scene().add_balls([[5, 5], [6, 5]], radius=[0.1, 0.1, 0.1])),
    ("mesh that is open", Input,
     lambda: (lambda s: (s.add_mesh(TETRAHEDRON[0], TETRAHEDRON[1][:3], position=[0, 0, 0]), s.start()))(
         carom.Scene(dimension=3))),
    ("surface in steps", Input,
     lambda: (lambda s: (s.add_surface(type="disc", radius=1, rings=3, thickness=0.01, area_density=1,
                                       stretching=1), s.start()))(carom.Scene(dimension=3))),
    ("building on a file", Input,
     lambda: carom.Scene.from_toml(carom.gallery("G6-break")).add_ball([90, 0], radius=1)),
    ("unknown override", Input, lambda: scene().with_values({"time.stepp": 1})),
    ("unknown experiment", Input, lambda: carom.gallery("G99")),
    ("unknown operator of a start", Input, lambda: scene().start(operator="newton")),
    ("threads of text", Type, lambda: scene().start(threads="all")),
    ("negative threads", Type, lambda: scene().start(threads=-1)),
    # ---- simulations
    ("a simulation of nothing", Type, lambda: carom.Simulation()),
    ("pickled simulation", Type, lambda: pickle.dumps(sim())),
    ("copied simulation", Type, lambda: copy.deepcopy(sim())),
    ("pickled problem", Type, lambda: pickle.dumps(problem())),
    ("writing outside of an edit", Value, lambda: write(sim().positions)),
    ("writing to masses that are not there", AttributeError, lambda: setattr(sim(), "masses", [1, 2])),
    ("assigning positions", AttributeError, lambda: setattr(sim(), "positions", [[0, 0]])),
    ("run until NaN", Input, lambda: sim().run(NAN)),
    ("run until infinity", Input, lambda: sim().run(INF)),
    ("run until text", (Input, Type), lambda: sim().run("later")),
    ("gradient along too many velocities", Input,
     lambda: carom.resolve([1, 1], [[-1, 1]], [1, 0], gradient=True).gradient.along(dv=[1, 0, 0])),
    ("gradient along text", Input,
     lambda: carom.resolve([1, 1], [[-1, 1]], [1, 0], gradient=True).gradient.along(dv="fast")),
    ("body that is neither id nor name", Input, lambda: sim().number_of(None)),
    ("restitution above 1 in an edit", Input, lambda: edited(lambda s, e: e.set_material(restitution=1.5))),
    ("restitution NaN in an edit", Input, lambda: edited(lambda s, e: e.set_material(restitution=NAN))),
    ("unknown id", Input, lambda: sim().number_of(77)),
    ("negative id", (Input, Type), lambda: sim().number_of(-1)),
    ("callback that is no function", (Input, Type), lambda: setattr(sim(), "on_step", 3)),
    ("callback that is no function, of impacts", (Input, Type), lambda: setattr(sim(), "on_impact", "x")),
    ("step while another thread runs", Input, lambda: running(lambda s: s.step())),
    ("positions while another thread runs", Input, lambda: running(lambda s: s.positions)),
    ("edit while another thread runs", Input, lambda: running(lambda s: s.edit().__enter__())),
    # ---- edits
    ("edit that is not open", Input, lambda: sim().edit().add_ball([0, 0], radius=1)),
    ("step inside an edit", Input, lambda: edited(lambda s, e: s.step())),
    ("edit inside an edit", Input, lambda: edited(lambda s, e: s.edit().__enter__())),
    ("edit that has ended", Input, lambda: after_edit(lambda s, e, a: e.remove(0))),
    ("array of an edit that has ended", Value, lambda: after_edit(lambda s, e, a: write(a))),
    ("position NaN in an edit", Input, lambda: edited(lambda s, e: write(s.positions, NAN))),
    ("overlap in an edit", Input, lambda: edited(lambda s, e: write(s.positions, s.positions[1]))),
    ("wrong shape in an edit", Value, lambda: edited(lambda s, e: write(s.positions, [1, 2, 3]))),
    ("ball of negative radius", Input, lambda: edited(lambda s, e: e.add_ball([5, 5], radius=-1))),
    ("ball of mass NaN", Input, lambda: edited(lambda s, e: e.add_ball([5, 5], radius=1, mass=NAN))),
    ("ball of an unknown material", Input, lambda: edited(lambda s, e: e.add_ball([5, 5], radius=1, material="ice"))),
    ("removing what is not there", Input, lambda: edited(lambda s, e: e.remove(9))),
    ("removing one twice", Input, lambda: edited(lambda s, e: (e.remove(0), e.remove(0)))),
    ("moving an unknown shape", Input, lambda: edited(lambda s, e: e.move_shape("flor", [0, 1]))),
    ("moving a shape with NaN", Input, lambda: edited(lambda s, e: e.move_shape("floor", [0, NAN]))),
    ("gravity of four numbers", Input, lambda: edited(lambda s, e: setattr(e, "gravity", [1, 2, 3, 4]))),
    ("unknown operator in an edit", Input, lambda: edited(lambda s, e: setattr(e, "operator", "newton"))),
    ("restitution of text in an edit", (Input, Type), lambda: edited(lambda s, e: e.set_material(restitution="x"))),
    ("mesh in the plane", Input, lambda: edited(lambda s, e: e.add_mesh(*TETRAHEDRON, position=[5, 5]))),
    ("mesh with an unknown vertex", Input,
     lambda: (lambda s: s.edit().__enter__().add_mesh(TETRAHEDRON[0], [[0, 1, 9]], position=[5, 0, 0]))(sim_3d())),
    # ---- forces of one's own
    ("force that is no function", Input, lambda: scene().start(forces=[3])),
    ("forces that are no list", (Input, Type), lambda: scene().start(forces=3)),
    ("force of a wrong shape", Input, lambda: scene().start(forces=[raising([[1, 2, 3]])])),
    ("force NaN", Input, lambda: scene().start(forces=[raising([[NAN, 0], [0, 0]])])),
    ("force None", Input, lambda: scene().start(forces=[raising(None)])),
    ("force that raises", ZeroDivisionError, lambda: scene().start(forces=[lambda q: 1 / 0])),
    ("potential of text", (Input, Value, Type, AttributeError),
     lambda: scene().start(forces=[(lambda q: 0 * q, lambda q: "much")])),
    ("force that writes positions", Value, lambda: scene().start(forces=[lambda q: write(q) or q])),
    ("force under events", Input, lambda: scene(scheme="events").start(forces=[lambda q: 0 * q])),
    ("force at the address 0", Input,
     lambda: scene().start(forces=[type("Compiled", (), {"address": 0})()])),
    # ---- recordings, comparisons, studies
    ("recording that is not there", Input, lambda: carom.open("nowhere.h5")),
    ("recording that is none", Input, lambda: carom.open(__file__)),
    ("recording into nowhere", (Input, OSError), lambda: scene().record("/no/such/place/x.h5")),
    ("simulation recorded into nowhere", (Input, OSError), lambda: sim().record("/no/such/place/x.h5")),
    ("simulation recorded into a directory", Input, lambda: sim().record("/")),
    ("simulation recorded twice", Input, lambda: recorded(lambda s, r: s.record(r.path.with_name("other.h5")))),
    ("frame every 0 steps", Input, lambda: recorded(lambda s, r: None, every=0)),
    ("frame every half a step", Input, lambda: recorded(lambda s, r: None, every=0.5)),
    ("recording that begins inside an edit", Input, lambda: edited(lambda s, e: s.record("x.h5"))),
    ("recording that ends inside an edit", Input, lambda: recorded(finish_inside_an_edit)),
    ("recording that ends twice", Input, lambda: recorded(lambda s, r: (r.finish(), r.finish()))),
    ("pickled recording of a simulation", Type, lambda: recorded(lambda s, r: pickle.dumps(r))),
    ("recorded bodies that overlap", Input, lambda: recorded(lambda s, r: overlap(s))),
    ("resuming nothing", Input, lambda: carom.resume("nowhere.h5")),
    ("page of nothing", Input, lambda: carom.page([])),
    ("comparison of nothing", Input, lambda: carom.compare(scene(), [])),
    ("comparison of one twice", Input, lambda: carom.compare(scene(), ["gr", "gr"])),
    ("study of nothing", Input, lambda: carom.study(scene(), {}, ["kinetic"])),
    ("study of no values", Input, lambda: carom.study(scene(), {"time.step": []}, ["kinetic"])),
    ("study of an unknown key", Input, lambda: carom.study(scene(), {"time.stepp": [1]}, ["kinetic"])),
    ("study of an unknown measure", Input, lambda: carom.study(scene(), {"time.step": [1e-3]}, ["happiness"])),
    ("study of a measure that is a function", Input, lambda: carom.study(scene(), {"time.step": [1e-3]}, lambda r: 1)),
    ("study with an executor that is none", (Input, Type, AttributeError),
     lambda: carom.study(scene(), {"time.step": [1e-3]}, ["kinetic"], executor=3)),
]


@pytest.mark.parametrize("expected, use", [use[1:] for use in USES], ids=[use[0] for use in USES])
def test_it_is_refused(expected, use):
    with pytest.raises(expected) as caught:
        use()
    assert str(caught.value).strip()
    del caught
    gc.collect()


def test_there_are_a_hundred():
    assert len(USES) >= 100 and len({use[0] for use in USES}) == len(USES)


def test_what_is_kept_after_its_simulation_is_gone():
    """Views, reports, contacts and edits outlive what they are of."""
    simulation = sim()
    simulation.run(0.005)
    with simulation.edit() as edit:
        written = simulation.velocities
    kept = [simulation.positions, simulation.velocities, simulation.contacts, simulation.report,
            simulation.ledger, written]
    del simulation
    gc.collect()
    assert all(repr(thing) for thing in kept)
    with pytest.raises(ValueError):
        write(kept[0])
    with pytest.raises(carom.InputError):
        edit.remove(0)
