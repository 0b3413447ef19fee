"""What a function writes to in place, of what it is handed: arguments, and parts of them.

def f(p, u):              written: p.w, and p. if fields of p get other values
    p.w[0] = u
    p.steps = 3
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sad.analysis.openings import opening_of
from s2sad.analysis.prepare import Prepared
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Program
from s2sad.ir.spelling import expression
from s2sad.types.checks import read_of


def written_paths(primal: Program, ready: Prepared | None) -> frozenset[str]:
    """Return the paths of what a program writes to: `u`, `p.w`, `p['w']`, `p.` for other fields."""
    summary = primal.function.summary
    if summary is None:
        return frozenset()
    if ready is None:
        return frozenset(v.name for v in summary.writes)
    found = set()
    for parameter in primal.function.parameters:
        if parameter.variable in summary.writes:
            for variable, place in places(parameter.variable, read_of(parameter), ready):
                path = expression(place).replace('"', "'")
                if opening_of(variable, ready.openings) is not None:
                    found.add(f"{path}.")
                elif variable in ready.written:
                    found.add(path)
    return frozenset(found)


def places(variable: Variable, whole: Expr, ready: Prepared) -> Iterator[tuple[Variable, Expr]]:
    """Yield a parameter and the parts that it was opened to, each with how it is reached."""
    yield variable, whole
    opening = opening_of(variable, ready.openings)
    if opening is None:
        return
    for key, part in opening.parts.items():
        yield from places(part.data, opening.part(whole, key, part.type), ready)


def place_of(wanted: Variable, primal: Program, ready: Prepared) -> Expr:
    """Return how a parameter, or a part of one, is reached: u, p.w."""
    found = (
        place
        for parameter in primal.function.parameters
        for variable, place in places(parameter.variable, read_of(parameter), ready)
        if variable == wanted
    )
    return next(found)
