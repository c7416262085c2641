"""Derivatives of an outcome, where the sets of active rows are strict.

An application that reflects the rows S, W = M^-1, A = N_S W N_S', b = N_S v - w, is

    A l = -(1 + r) b,   v+ = v + W N_S' l                                          (1)

with r = 1 for elastic rows and r = 0 for the inelastic outcome. Where no row is about to join S or to
leave it, (1) holds nearby too and its differential is

    A dl = -(1 + r) db - dA l,   dv+ = dv + dW N_S' l + W dN_S' l + W N_S' dl      (2)
    dW = -W dM W,  db = dN_S v + N_S dv,  dA = dN_S W N_S' + N_S dW N_S' + N_S W dN_S'

An elastic outcome is one such application after the other; with restitution e it is blended with the
inelastic one, v+ = e v_1 + (1 - e) v_0.
"""

import numpy

from . import _carom
from ._carom import InputError

# Speeds below this share of the fastest are neither closing nor opening.
_STRICT = 1e-9


class _No(Exception):
    """There is no derivative, for this reason."""


def _dense(matrix):
    return matrix.toarray() if hasattr(matrix, "toarray") else numpy.asarray(matrix, dtype=float)


def _numbers(value, shape, name):
    try:
        numbers = numpy.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected numbers, found {value!r}") from None
    if numbers.shape != shape:
        raise InputError(f"{name}: expected an array of shape {shape}, found {numbers.shape}")
    return numbers


class _Reflection:
    """One application (1) and its differential (2)."""

    def __init__(self, N, w, W, rows, response, v):
        self.N = N[rows]
        self.rows = rows
        self.W = W
        self.factor = 1.0 + response
        self.v = v
        self.b = self.N @ v - w[rows]
        self.A = self.N @ W @ self.N.T
        try:
            self.l = numpy.linalg.solve(self.A, -self.factor * self.b)
        except numpy.linalg.LinAlgError:
            raise _No("active rows depend on each other, so that their impulses are not unique") from None
        if len(rows) and numpy.linalg.cond(self.A) > 1e12:
            raise _No("active rows depend on each other, so that their impulses are not unique")
        self.after = v + W @ (self.N.T @ self.l)

    def differential(self, dv, dN, dW):
        dN = dN[self.rows]
        NW = self.N @ self.W
        dA = dN @ NW.T + self.N @ dW @ self.N.T + NW @ dN.T
        dl = numpy.linalg.solve(self.A, -self.factor * (dN @ self.v + self.N @ dv) - dA @ self.l)
        return dv + dW @ (self.N.T @ self.l) + self.W @ (dN.T @ self.l + self.N.T @ dl)


def _demand_strict(b, rows, scale, what):
    for row in rows:
        if abs(b[row]) <= _STRICT * scale:
            raise _No(f"row {row} neither closes nor opens {what}: the outcome has a kink there")


def _check_impulses(application, impulses, kind):
    size = numpy.abs(impulses).max(initial=0.0)
    if not numpy.allclose(application.l, impulses, rtol=0, atol=1e-8 * size):
        raise _No(f"the operator's {kind} is not a reflection of the rows that got impulses")
    if len(impulses) and impulses.min() <= _STRICT * size:
        raise _No("an impulse is about to vanish: the outcome has a kink there")


def _elastic(N, w, W, v, operator, M, options):
    """The applications of the elastic outcome, from what the operator did."""
    result = _carom.resolve(M, N, v, 1.0, 0.0, operator, **options)
    if not result.resolved:
        raise _No(f"the elastic impact is {result.status}")
    scale = numpy.abs(N @ v - w).max(initial=0.0)
    steps = []
    for entry in result.trace:
        if entry["restarted"]:
            raise _No("rows lock each other (lineality)")
        b = N @ v - w
        rows = entry["rows"][entry["impulses"] > 0.0]
        step = _Reflection(N, w, W, rows, 1.0, v)
        _check_impulses(step, entry["impulses"][entry["impulses"] > 0.0], "application")
        component = [r for c in result.report.components if c.rows and entry["component"] is not None
                     and set(rows) & set(c.rows) for r in c.rows]
        idle = [r for r in component if r not in set(entry["violated"])]
        _demand_strict(b, idle, scale, "before an application")
        left = 2.0 * b + N @ (step.after - v)  # A l + 2 b
        _demand_strict(left, set(entry["violated"]) - set(rows), scale, "in an application")
        steps.append(step)
        v = step.after
    _demand_strict(N @ v - w, range(len(N)), scale, "afterwards")
    if not numpy.allclose(v, result.velocities, rtol=0, atol=1e-9 * numpy.abs(v).max(initial=1e-300)):
        raise _No("the operator's outcome is not a sequence of reflections")
    return steps, v


def _inelastic(N, w, W, v, operator, M, options):
    result = _carom.resolve(M, N, v, 0.0, 0.0, operator, **options)
    if not result.resolved:
        raise _No(f"the inelastic impact is {result.status}")
    rows = numpy.flatnonzero(result.impulses > 0.0)
    step = _Reflection(N, w, W, rows, 0.0, v)
    _check_impulses(step, result.impulses[rows], "inelastic outcome")
    scale = numpy.abs(N @ v - w).max(initial=0.0)
    others = numpy.setdiff1d(numpy.arange(len(N)), rows)
    _demand_strict(N @ step.after - w, others, scale, "in the inelastic outcome")
    return [step], step.after


class Gradient:
    """The derivative of the velocities after an impact.

    exists  whether there is one; `reason` says why not, and then everything else is an InputError
    v       n x n: by the velocities before
    M       by the masses: n x n where they were given as a diagonal or a number, else n x n x n
    N       n x rows x n: by the rows, which need not have unit length
    e       n: by the common coefficient of restitution
    along(dv=, dM=, dN=, de=)  in one direction
    """

    def __init__(self, reason=None):
        self.reason = reason

    @property
    def exists(self):
        """Whether there is one."""
        return self.reason is None

    def _parts(self):
        if self.reason is not None:
            raise InputError(f"there is no gradient: {self.reason}")
        return self._outcomes

    def along(self, dv=None, dM=None, dN=None, de=0.0):
        """Of the velocities afterwards, in one direction of what was given."""
        n, m = len(self._v), len(self._N) if self.exists else 0
        outcomes = self._parts()
        dv = numpy.zeros(n) if dv is None else _numbers(dv, (n,), "dv")
        dN = numpy.zeros((m, n)) if dN is None else _numbers(_dense(dN), (m, n), "dN")
        dM = numpy.zeros((n, n)) if dM is None else _dense(dM)
        if dM.ndim < 2:
            dM = numpy.diag(numpy.broadcast_to(dM, n) if dM.ndim == 0 else _numbers(dM, (n,), "dM"))
        dM = _numbers(dM, (n, n), "dM")
        dW = -self._W @ dM @ self._W
        total = numpy.zeros(n)
        for weight, steps, after, sign in outcomes:
            d = dv
            for step in steps:
                d = step.differential(d, dN, dW)
            total = total + weight * d + sign * de * after
        return total

    def _columns(self, count, key):
        columns = []
        for k in range(count):
            unit = numpy.zeros(count)
            unit[k] = 1.0
            columns.append(self.along(**{key: unit}))
        return numpy.array(columns).T

    @property
    def v(self):
        """n x n: by the velocities before."""
        self._parts()
        return self._columns(len(self._v), "dv")

    @property
    def M(self):
        """By the masses: n x n where they were a diagonal or a number, else n x n x n."""
        self._parts()
        n = len(self._v)
        if self._diagonal:
            return self._columns(n, "dM")
        out = numpy.zeros((n, n, n))
        for j in range(n):
            for k in range(n):
                unit = numpy.zeros((n, n))
                unit[j, k] = 1.0
                out[:, j, k] = self.along(dM=unit)
        return out

    @property
    def N(self):
        """n x rows x n: by the rows."""
        self._parts()
        m, n = self._N.shape
        out = numpy.zeros((n, m, n))
        for j in range(m):
            for k in range(n):
                unit = numpy.zeros((m, n))
                unit[j, k] = 1.0
                out[:, j, k] = self.along(dN=unit)
        return out

    @property
    def e(self):
        """n: by the common coefficient of restitution."""
        return self.along(de=1.0)

    def __repr__(self):
        return "<Gradient: v, M, N, e>" if self.exists else f"<no Gradient: {self.reason}>"


def gradient_of(result, M, N, v, e, mu, options):
    """Of an outcome that resolve() has found."""
    gradient = Gradient()
    try:
        if numpy.any(numpy.asarray(mu) != 0.0):
            raise _No("with friction the outcome is not differentiated")
        if options.get("restitution_model", "interpolated") != "interpolated":
            raise _No("only the restitution model 'interpolated' is differentiated")
        coefficients = numpy.unique(numpy.asarray(e, dtype=float))
        if len(coefficients) != 1:
            raise _No("rows have different coefficients of restitution")
        if not result.resolved:
            raise _No(f"the impact is {result.status}")
        v = numpy.asarray(v, dtype=float)
        rows = _dense(N)
        w = numpy.broadcast_to(numpy.asarray(options.get("w", 0.0), dtype=float), len(rows))
        masses = _dense(M)
        gradient._diagonal = masses.ndim < 2
        if gradient._diagonal:
            masses = numpy.diag(numpy.broadcast_to(masses, len(v)))
        W = numpy.linalg.inv(masses)
        common = float(coefficients[0])
        gradient._v, gradient._N, gradient._W = v, rows, W
        scale = numpy.abs(rows @ v - w).max(initial=0.0)
        _demand_strict(rows @ v - w, range(len(rows)), scale, "before the impact")
        outcomes = []
        if common > 0.0:
            steps, after = _elastic(rows, w, W, v, result.operator, M, options)
            outcomes.append((common, steps, after, 1.0))
        if common < 1.0:
            steps, after = _inelastic(rows, w, W, v, result.operator, M, options)
            outcomes.append((1.0 - common, steps, after, -1.0))
        if len(outcomes) == 1:  # at an end of the range the other outcome still says where e goes
            other = _inelastic if common == 1.0 else _elastic
            steps, after = other(rows, w, W, v, result.operator, M, options)
            outcomes.append((0.0, steps, after, -1.0 if common == 1.0 else 1.0))
        gradient._outcomes = outcomes
    except _No as reason:
        gradient.reason = str(reason)
    return gradient
