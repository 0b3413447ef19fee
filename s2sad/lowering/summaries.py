"""What a call of a function of the program does: which of its parameters it reads, writes, returns.

def step(u, c):           reads {u, c}, writes {u}, returns {}
    u[:-1] += c * u[1:]
    return np.sum(u)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

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
DISPLAYS = frozenset({"tuple", "list", "set", "conditional", "and", "or", "starred"})
Shares = Callable[[Expr], tuple[int, ...]]


def summary(function: Function, shares: Shares) -> Summary:
    """Return what a call of a function does to what it is handed."""
    parameters = frozenset(p.variable for p in function.parameters)
    made = list(statements(function.body))
    roots = _roots(made, parameters, shares)
    written: set[Variable] = set()
    foreign = False
    for base in _written(made):
        found = _reached(base, roots, shares)
        written |= found & parameters
        foreign |= any(node.op == "global" for node in nodes(base))
    returned = [_reached(s.value, roots, shares) for s in made if isinstance(s, Return)]
    returns = frozenset().union(*returned) & parameters
    reads = frozenset(v for s in made for e in expressions(s) for v in read_variables(e))
    effect = _effect(function, made, frozenset(written), foreign)
    return Summary(reads & parameters, frozenset(written), returns, effect)


def with_own_functions(shares: Shares, functions: Mapping[str, Function]) -> Shares:
    """Return what tells which operands a result shares memory with; of own functions, too."""

    def shares_of(expr: Expr) -> tuple[int, ...]:
        if expr.op != "call" or expr.args[0].op != "function":
            return shares(expr)
        called = functions.get(expr.args[0].data)
        if called is None or called.summary is None or expr.data:
            return tuple(range(1, len(expr.args)))
        places = enumerate((p.variable for p in called.parameters), 1)
        return tuple(k for k, v in places if v in called.summary.returns and k < len(expr.args))

    return shares_of


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


def _roots(made: list[Statement], parameters: frozenset[Variable], shares: Shares) -> Roots:
    """Return the parameters that each variable may be, or be a part of."""
    roots: Roots = {p: {p} for p in parameters}
    edges = [edge for statement in made for edge in _edges(statement)]
    changed = True
    while changed:
        changed = False
        for target, expr in edges:
            found = _reached(expr, roots, shares) - roots.setdefault(target, set())
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


def _reached(expr: Expr, roots: Roots, shares: Shares) -> set[Variable]:
    """Return the parameters that the memory of a value may belong to."""
    if isinstance(expr.type, Number | Other):
        return set()
    if expr.op == "name":
        return roots.get(expr.data, set())
    if expr.op in DISPLAYS:
        return {root for part in expr.args for root in _reached(part, roots, shares)}
    parts = _shared(expr, shares) if isinstance(expr.type, Array | Numeric) else None
    if parts is not None:
        return {root for part in parts for root in _reached(part, roots, shares)}
    found: set[Variable] = set()
    for variable in read_variables(expr):
        found |= roots.get(variable, set())
    return found


def _shared(expr: Expr, shares: Shares) -> list[Expr] | None:
    """Return the operands that an array may be part of; None where only the whole is known."""
    if expr.op in ("comprehension", "record", "copied"):
        return None
    is_method = expr.op == "call" and expr.args[0].op == "attribute"
    operands = (expr.args[0].args[0], *expr.args[1:]) if is_method else expr.args
    return [operands[place] for place in shares(expr)]


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
