"""One instant: rows, masses and velocities in, velocities and impulses out."""

from . import _carom
from ._gradient import gradient_of


class Operators(list):
    """The registered operators; in a notebook a table."""

    def __getitem__(self, key):
        if not isinstance(key, str):
            return super().__getitem__(key)
        for info in self:
            if info.name == key:
                return info
        raise KeyError(f"no operator {key!r}; known: {', '.join(info.name for info in self)}")

    def __repr__(self):
        return "\n".join(repr(info) for info in self)

    def _repr_html_(self):
        names = list(_carom.laws())
        head = "".join(f"<th>{name}</th>" for name in names)
        marks = {"yes": "&#10003;", "approximately": "~", "no": ""}
        rows = "".join(
            f"<tr><td>{info.name}</td>"
            + "".join(f"<td>{marks[info.promises[name]]}</td>" for name in names)
            + f"<td style='text-align:left'>{info.summary}</td></tr>"
            for info in self
        )
        return f"<table><tr><th>operator</th>{head}<th></th></tr>{rows}</table>"


def operators():
    """All registered impact operators, Carom's own first, each with its promises and options."""
    return Operators(_carom.operators())


def resolve(M, N, v, e=1.0, mu=0.0, operator="gr", *, gradient=False, **options):
    """Resolves one instant: closing rows get impulses, velocities change.

    M  masses: a number, the diagonal, or a matrix whose blocks are the bodies; dense or scipy.sparse
    N  one row for each contact, one column for each velocity: N v is the normal speed, negative
       where it is closing; dense or scipy.sparse
    v  velocities before
    e, mu  restitution and Coulomb friction: a number, or one for each row. Friction needs T.
    operator  a name of carom.operators(), with options as "gauss_seidel:order=worst"
    gradient  also the derivative of the outcome (result.gradient), where there is one

    Options: w, the normal speed of what a row meets (b = N v - w); T, rows of the tangential speeds,
    one or two for each row of N; bodies, how many velocities each body has, e.g. [3, 3, 6] (chosen
    from M and N where it is not given); trace=True keeps every application; restitution_model,
    friction_model, tolerance, max_applications, certificate, energy_correction, anti_locking.

    The result has velocities, impulses, status and report. Bad input is an InputError; every
    numerical outcome is a status.
    """
    if not gradient:
        return _carom.resolve(M, N, v, e, mu, operator, **options)
    options["trace"] = True
    result = _carom.resolve(M, N, v, e, mu, operator, **options)
    result.gradient = gradient_of(result, M, N, v, e, mu, options)
    return result
