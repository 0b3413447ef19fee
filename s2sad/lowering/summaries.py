"""What a call of a function of the program does: which of its parameters it reads, writes, returns.

def step(u, c):           reads {u, c}, writes {u}, returns {}
    u[:-1] += c * u[1:]
    return np.sum(u)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import (
    Copied,
    Effect,
    For,
    Function,
    Let,
    Raise,
    RegionOp,
    Return,
    Statement,
    Store,
    Summary,
)
from s2sad.ir.types import Array, Number, Numeric, Other
from s2sad.ir.walk import expressions, nodes, read_variables, statements, variables

Roots = dict[Variable, set[Variable]]
Effects = Mapping[str, Effect]


def summary(function: Function, effects: Effects) -> Summary:
    """Return what a call of a function does to what it is handed."""
    parameters = frozenset(p.variable for p in function.parameters)
    made = list(statements(function.body))
    roots = _roots(made, parameters)
    written: set[Variable] = set()
    foreign = False
    for base in _written(made):
        found = _reached(base, roots)
        written |= found & parameters
        foreign |= any(node.op == "global" for node in nodes(base))
    returned = [_reached(s.value, roots) for s in made if isinstance(s, Return)]
    returns = frozenset().union(*returned) & parameters
    reads = frozenset(v for s in made for e in expressions(s) for v in read_variables(e))
    effect = _effect(function, made, frozenset(written), foreign)
    return Summary(reads & parameters, frozenset(written), returns, effect)


def effect_of(function: Function) -> Effect:
    """Return the effect of a call of a function."""
    return Effect() if function.summary is None else function.summary.effect


def _effect(
    function: Function, made: list[Statement], written: frozenset[Variable], foreign: bool
) -> Effect:
    inner = [s.effect for s in made if isinstance(s, Let)]
    places = enumerate(p.variable for p in function.parameters)
    return Effect(
        frozenset(place for place, variable in places if variable in written),
        foreign or any(e.writes_all for e in inner) or any(isinstance(s, Copied) for s in made),
        any(e.draws for e in inner),
        any(e.prints for e in inner),
        any(e.raises for e in inner) or any(isinstance(s, Raise) for s in made),
    )


# ---------------------------------------------------------------------------- memory


def _roots(made: list[Statement], parameters: frozenset[Variable]) -> Roots:
    """Return the parameters that each variable may be, or be a part of."""
    roots: Roots = {p: {p} for p in parameters}
    edges = [edge for statement in made for edge in _edges(statement)]
    changed = True
    while changed:
        changed = False
        for target, expr in edges:
            found = _reached(expr, roots) - roots.setdefault(target, set())
            if found:
                roots[target] |= found
                changed = True
    return roots


def _edges(statement: Statement) -> Iterator[tuple[Variable, Expr]]:
    """Yield (variable, what it may refer to) for what a statement binds or puts into memory."""
    match statement:
        case Let(target, value):
            yield from ((variable, value) for variable in variables(target))
        case For(target, domain):
            yield from ((variable, domain) for variable in variables(target))
        case RegionOp(target, base, _, args):
            yield from ((variable, base) for variable in variables(target))
            yield from ((v, arg) for v in read_variables(base) for arg in args)
        case Store(target, _, value):
            yield from ((variable, value) for variable in read_variables(target))


def _reached(expr: Expr, roots: Roots) -> set[Variable]:
    """Return the parameters that the memory of a value may belong to."""
    if _is_new(expr):
        return set()
    found: set[Variable] = set()
    for variable in read_variables(expr):
        found |= roots.get(variable, set())
    return found


def _is_new(expr: Expr) -> bool:
    """Tell whether a value is no memory of what its expression reads."""
    if isinstance(expr.type, Number | Other):
        return True
    plain = isinstance(expr.type, Array | Numeric)
    return plain and expr.op in ("binary", "unary", "compare")


def _written(made: list[Statement]) -> Iterator[Expr]:
    """Yield what statements write to."""
    for statement in made:
        match statement:
            case Store(target):
                yield target if target.op == "name" else target.args[0]
            case RegionOp(_, base):
                yield base
            case Let(effect=effect, value=value) if not effect.is_pure:
                args = value.args[1:]
                yield from (args[place] for place in effect.writes if place < len(args))
                if _writes_owner(effect) and value.args[0].op == "attribute":
                    yield value.args[0].args[0]


def _writes_owner(effect: Effect) -> bool:
    return bool(getattr(effect, "writes_owner", False))
