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


class Chart(dict):
    """Operator: {law: (promise, problems tried, problems in which it broke, worst residual)}.

    print() and a notebook show it as a table: + held, - broke, and in brackets what is promised.
    """

    def to_pandas(self):
        """One row for each operator and law."""
        import pandas

        rows = [{"operator": name, "law": law, "promise": promise, "tried": tried, "broken": broken,
                 "worst": worst}
                for name, cells in self.items() for law, (promise, tried, broken, worst) in cells.items()]
        return pandas.DataFrame(rows).set_index(["operator", "law"])

    def __repr__(self):
        laws = list(next(iter(self.values()), {}))
        wide = max([8, *map(len, self)])
        lines = [" ".join([" " * wide, *(f"{law:>5}" for law in laws)])]
        for name, cells in self.items():
            marks = [("+" if broken == 0 else "-") + {"yes": "(y)", "approximately": "(~)", "no": "   "}[promise]
                     for promise, _, broken, _ in cells.values()]
            lines.append(" ".join([f"{name:{wide}}", *(f"{mark:>5}" for mark in marks)]))
        return "\n".join(lines)

    def _repr_html_(self):
        laws = list(next(iter(self.values()), {}))
        head = "".join(f"<th>{law}</th>" for law in laws)
        rows = "".join(
            f"<tr><td>{name}</td>"
            + "".join(f"<td title='promised: {promise}; broke in {broken} of {tried}; worst {worst:.2g}'>"
                      f"{'&#10003;' if broken == 0 else '&#10007;'}</td>"
                      for promise, tried, broken, worst in cells.values())
            + "</tr>" for name, cells in self.items())
        return f"<table><tr><th>operator</th>{head}</tr>{rows}</table>"


def chart(operators=None, *, problems=60, seed=1):
    """Operators against the laws of impact, measured on random problems.

    operators  names, also of operators written in Python; all registered ones where none are given
    problems   random problems of each family
    """
    if isinstance(operators, str):
        operators = [operators]
    return Chart(_carom.chart(list(operators or []), problems, seed))


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
