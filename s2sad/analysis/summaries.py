"""What a call of a function of the program does: which of its parameters it writes to, or gives back.

def step(u, c):           writes {u}, returns {}
    u[:-1] += c * u[1:]
    return np.sum(u)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.analysis.memory import types_of
from s2sad.analysis.places import placed
from s2sad.analysis.pointers import NOTHING, Pointers, Shares, Sites, stored_base
from s2sad.analysis.points_to import find_points_to
from s2sad.ir.expression import Expr, Variable, is_own_call
from s2sad.ir.program import (
    Copied,
    Effect,
    Function,
    Let,
    Raise,
    RegionOp,
    Return,
    Statement,
    Store,
    Summary,
)
from s2sad.ir.records import replace
from s2sad.ir.remedies import counted
from s2sad.ir.renaming import pattern_renamed, with_variables
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Join, Number, Numeric, Other, Regions, Tuple, Type
from s2sad.ir.walk import bound, bound_in, nodes, nodes_in, statements


def summary(function: Function, shares: Shares, join: Join, regions: Regions) -> Summary:
    """Return what a call of a function does to what it is handed.

    It is refused where it writes to an object of the module under another name: row = ROWS[0]; row += 1.
    """
    parameters = frozenset(p.variable for p in function.parameters if not _is_still(p.type))
    function = _with_rebound(function)
    found = _pointers(function, shares, join, regions)
    read = (n for n in nodes_in(function.body) if n.op == "global" and _is_still(n.type))
    constants = {("global", n.data.text) for n in read}
    made = statements(function.body)
    written: set[Variable] = set()
    deep = bound_in(function.body)
    foreign = False
    for statement, base, sites, is_deep in _written(made, found):
        is_of_module = any(site[0] == "global" for site in sites - constants)
        # under its own name it is told apart from a record that nobody reads, later
        if is_of_module and not any(node.op == "global" for node in nodes(base)):
            raise counted(expression(base), statement.span)
        foreign |= is_of_module
        mine = _parameters(sites) & parameters
        written |= mine
        deep |= mine if is_deep or base.op != "name" else mine - {base.data}
    returned = NOTHING.union(*(found.reached(s.value) for s in made if isinstance(s, Return)))
    effect = _effect(function, made, frozenset(written), frozenset(written - deep), foreign)
    returns = (_parameters(returned) & parameters) | {*found.holders_among(parameters, returned)}
    return Summary(frozenset(written), returns, effect)


def _pointers(function: Function, shares: Shares, join: Join, regions: Regions) -> Pointers:
    every, types = placed(function.body), types_of(function, join)
    found, _ = find_points_to(function, every, types, shares, regions)
    return found


def _parameters(sites: Sites) -> frozenset[Variable]:
    """Return the parameters that memory belongs to."""
    return frozenset(s[1] for s in sites if s[0] == "parameter" and isinstance(s[1], Variable))


def _is_still(type_: Type) -> bool:
    """Tell whether a value is a text, a flag or the like, or a tuple of these and of numbers."""
    if isinstance(type_, Tuple):
        return all(isinstance(t, Number) or _is_still(t) for t in type_.items)
    return isinstance(type_, Other)


def _with_rebound(function: Function) -> Function:
    """Return a function whose parameters have another name from where they are given a new value.

    v = v.copy(); v[0] = 1.0        what is written to is not what the function was handed
    """
    body = function.body
    for variable in (p.variable for p in function.parameters):
        lets = (k for k, s in enumerate(body) if isinstance(s, Let) and variable in bound(s))
        at = next(lets, None)
        if at is not None and isinstance(let := body[at], Let):
            new = {variable: replace(variable, name=f"<{variable.name}>")}
            let = replace(let, target=pattern_renamed(let.target, new))
            body = (*body[:at], let, *(with_variables(s, new) for s in body[at + 1 :]))
    return replace(function, body=body)


def with_own_functions(shares: Shares, functions: Mapping[str, Function]) -> Shares:
    """Return what tells which operands a result shares memory with; of own functions, too."""

    def shares_of(expr: Expr) -> tuple[int, ...]:
        if not is_own_call(expr):
            return shares(expr)
        called = functions.get(expr.args[0].data)
        if called is None or called.summary is None:
            return tuple(range(1, len(expr.args)))
        returns = called.summary.returns
        return tuple(k for k, p in enumerate(called.parameters, 1) if p.variable in returns)

    return shares_of


def effect_of(function: Function) -> Effect:
    """Return the effect of a call of a function."""
    return Effect() if function.summary is None else function.summary.effect


def _effect(
    function: Function,
    made: list[Statement],
    written: frozenset[Variable],
    shallow: frozenset[Variable],
    foreign: bool,
) -> Effect:
    inner = [s.effect for s in made if isinstance(s, Let)]
    places = [(place, p.variable) for place, p in enumerate(function.parameters)]
    return Effect(
        frozenset(place for place, variable in places if variable in written),
        foreign or any(e.writes_all for e in inner) or any(isinstance(s, Copied) for s in made),
        any(e.draws for e in inner),
        any(e.prints for e in inner),
        any(e.raises for e in inner) or any(isinstance(s, Raise) for s in made),
        shallow=frozenset(place for place, variable in places if variable in shallow),
    )


# ---------------------------------------------------------------------------- memory


def _written(
    made: list[Statement], found: Pointers
) -> Iterator[tuple[Statement, Expr, Sites, bool]]:
    """Yield statements with what they write to, its memory, and whether what it holds is written."""
    for statement in made:
        match statement:
            case Store(target, op):  # xs[k] += c writes to the array that is there
                base = stored_base(statement)
                is_array = isinstance(base.type, Array | Numeric)
                is_deep = base is not target and op != "=" and not is_array
                inner = found.sites(target) if is_deep else NOTHING
                yield statement, base, found.sites(base) | inner, is_deep
            case RegionOp(_, base):
                yield statement, base, found.sites(base), False
            case Let(effect=effect, value=value) if not effect.is_pure:
                args = value.args[1:]
                for place in (place for place in effect.writes if place < len(args)):
                    is_deep = place not in effect.shallow
                    sites = (found.reached if is_deep else found.sites)(args[place])
                    yield statement, args[place], sites, is_deep
                if effect.writes_owner and value.args[0].op == "attribute":
                    (owner,) = value.args[0].args
                    yield statement, owner, found.reached(owner), True
