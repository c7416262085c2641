"""One instant: results, errors, operators in Python, gradients."""

import math

import numpy
import pytest

import carom

CRADLE = ([1.0, 1.0, 1.0], [[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]], [1.0, 0.0, 0.0])


def test_a_cradle_passes_the_velocity_on():
    result = carom.resolve(*CRADLE)
    assert result.status == "resolved" and result.resolved
    assert result.velocities == pytest.approx([0, 0, 1], abs=1e-15)
    assert result.impulses == pytest.approx([1, 1], abs=1e-15)
    assert abs(result.report.energy) < 1e-14
    assert "resolved by gr" in repr(result) and "velocities" in repr(result)


def test_matrices_of_every_kind_give_the_same_bits():
    sparse = pytest.importorskip("scipy.sparse")
    M, N, v = CRADLE
    expected = carom.resolve(M, N, v).velocities
    for masses in (1.0, numpy.diag(M), sparse.csr_matrix(numpy.diag(M)), numpy.array(M, dtype=int)):
        for rows in (numpy.array(N), sparse.csr_matrix(N), sparse.coo_matrix(N), numpy.asfortranarray(N)):
            assert numpy.array_equal(carom.resolve(masses, rows, v).velocities, expected)


def test_bodies_and_contacts_give_the_same_bits_as_matrices():
    problem = carom.ImpactProblem()
    for speed in (1.0, 0.0, 0.0):
        problem.add_body([speed], mass=1.0)
    problem.add_contact(1, 0, normal=[1.0])
    problem.add_contact(2, 1, normal=[1.0])
    assert problem.bodies == 3 and problem.rows == 2
    assert numpy.array_equal(problem.resolve().velocities, carom.resolve(*CRADLE).velocities)


def test_numbers_of_one_body_are_found_or_given():
    c, s = math.cos(0.3), math.sin(0.3)
    N, v = [[-c, -s, c, s], [0, 1, 0, 0]], [1.0, -0.5, 0.0, 0.0]  # two discs, one on a wall
    result = carom.resolve(2.0, N, v)
    assert numpy.array_equal(result.velocities, carom.resolve(2.0, N, v, bodies=[2, 2]).velocities)
    with pytest.raises(carom.InputError, match="more than two"):
        carom.resolve(2.0, N, v, bodies=[1, 1, 1, 1])


def test_restitution_and_friction():
    assert carom.resolve(1, [[1]], [-2], e=0.25).velocities == pytest.approx([0.5])
    # A disc that does not turn, on the ground: friction takes mu times the normal impulse.
    result = carom.resolve(1, [[0, 1]], [3, -1], e=0.0, mu=0.5, T=[[1, 0]], bodies=[2])
    assert result.velocities == pytest.approx([2.5, 0], abs=1e-12)
    assert result.friction_impulses[0, 0] == pytest.approx(-0.5)


@pytest.mark.parametrize("arguments, word", [
    ((1, [[1, 0]], [1]), "one column for each"),
    ((1, [1, 0], [1, 0]), "2 axes"),
    (([1, -1], [[1, 0]], [-1, 0]), "positive"),
    ((1, [[1, 0]], [float("nan"), 0]), "finite"),
    ((1, [[float("inf"), 0]], [1, 0]), "finite"),
    (([1, 2, 3], [[1, 0]], [1, 0]), "one for each of 2"),
    ((numpy.eye(3), [[1, 0]], [1, 0]), "2 x 2"),
    ((1, [[0, 0]], [1, 0]), "touches no body"),
    ((1, "rows", [1, 0]), "numbers"),
    ((1, [[1]], [1], 2.0), "restitution"),
    ((1, [[1]], [1], [0.5, 0.5]), "one for each of 1"),
    ((1, [[1]], [1], 1.0, 0.5), "needs T"),
    ((1, [[1]], [1], 1.0, 0.0, "grr"), "did you mean"),
])
def test_bad_input_is_an_input_error(arguments, word):
    with pytest.raises(carom.InputError, match=word) as caught:
        carom.resolve(*arguments)
    assert isinstance(caught.value, ValueError)


def test_unknown_options_name_the_nearest():
    with pytest.raises(carom.InputError, match="did you mean 'tolerance'"):
        carom.resolve(*CRADLE, tolerence=1e-8)


def test_operators_are_listed_with_their_promises():
    operators = carom.operators()
    assert operators["gr"].promises["KIN"] == "yes"
    assert set(operators["gr"].promises) == set(carom.laws())
    assert "<table>" in operators._repr_html_()
    with pytest.raises(KeyError):
        operators["grr"]


def reflect_all(application):
    return numpy.linalg.lstsq(application.A, -(1 + application.response) * application.b, rcond=None)[0]


@pytest.fixture(scope="module")
def registered():
    carom.register_operator("reflect_all", reflect_all, summary="all violated rows at once",
                            promises=["MOM", "KIN"])
    return "reflect_all"


def test_an_operator_in_python_takes_part(registered):
    assert carom.resolve(*CRADLE, operator=registered).velocities == pytest.approx([0, 0, 1], abs=1e-14)
    assert carom.operators()[registered].promises["KIN"] == "yes"
    scene = carom.Scene(step=0.01)
    for k in range(4):
        scene.add_ball([1.0 * k if k else -1.0, 0.0], radius=0.5, velocity=[0.0 if k else 1.0, 0.0])
    simulation = scene.start(operator=registered)
    simulation.run(1.0)
    assert simulation.velocities[3, 0] == pytest.approx(1.0, abs=1e-12)
    with pytest.raises(carom.InputError):
        carom.register_operator(registered, reflect_all)


def test_faults_of_an_operator_in_python_come_through():
    kept = []

    def raises(application):
        kept.append(application)
        raise ZeroDivisionError("mine")

    carom.register_operator("raises", raises)
    with pytest.raises(ZeroDivisionError, match="mine"):
        carom.resolve(*CRADLE, operator="raises")
    with pytest.raises(carom.InputError, match="only while"):
        kept[0].b
    for name, answer, word in (("too_many", [1.0] * 7, "one impulse for each of 1"),
                               ("no_numbers", ["a"], "numbers"), ("infinite", [numpy.inf], "not finite")):
        carom.register_operator(name, lambda application, answer=answer: answer)
        with pytest.raises(carom.InputError, match=word):
            carom.resolve(*CRADLE, operator=name)


def test_equal_balls_exchange_their_velocities_exactly():
    gradient = carom.resolve([1, 1], [[-1, 1]], [1, 0], gradient=True).gradient
    assert gradient.exists and gradient.v.tolist() == [[0.0, 1.0], [1.0, 0.0]]


def differences(outcome, at, step=1e-6):
    at = numpy.array(at, dtype=float)
    columns = []
    for index in zip(*numpy.nonzero(at)):
        high, low = at.copy(), at.copy()
        high[index] += step
        low[index] -= step
        columns.append((outcome(high) - outcome(low)) / (2 * step))
    return numpy.array(columns).T


@pytest.mark.parametrize("e", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_gradients_agree_with_finite_differences(seed, e):
    random = numpy.random.default_rng(seed)
    N = numpy.zeros((4, 10))  # five discs in a row
    for k in range(4):
        normal = random.normal(size=2)
        N[k, 2 * k:2 * k + 4] = [*normal, *-normal]
    M, v = numpy.repeat(random.uniform(0.5, 2.0, size=5), 2), random.normal(size=10)
    given = dict(M=M, N=N, v=v, e=e, bodies=[2] * 5)
    gradient = carom.resolve(**given, gradient=True).gradient
    assert gradient.exists, gradient.reason

    def value(**changed):
        return carom.resolve(**{**given, **changed}).velocities

    assert gradient.v == pytest.approx(differences(lambda x: value(v=x), v), abs=1e-6)
    assert gradient.N[:, N != 0] == pytest.approx(differences(lambda x: value(N=x), N), abs=1e-6)
    assert gradient.M == pytest.approx(differences(lambda x: value(M=x), M), abs=1e-6)
    if 0 < e < 1:
        slope = (value(e=e + 1e-6) - value(e=e - 1e-6)) / 2e-6
        assert gradient.e == pytest.approx(slope, abs=1e-6)


def test_where_there_is_no_gradient_it_says_why():
    touching = carom.resolve(*CRADLE, gradient=True).gradient
    assert not touching.exists and "kink" in touching.reason
    with pytest.raises(carom.InputError, match="kink"):
        touching.v
    rubbing = carom.resolve(1, [[1, 0]], [-1, 0], mu=0.1, T=[[0, 1]], bodies=[2], gradient=True).gradient
    assert "friction" in rubbing.reason
    different = carom.resolve(1, [[1, 0], [0, 1]], [-1, -1], e=[0.5, 0.7], gradient=True).gradient
    assert "different" in different.reason
