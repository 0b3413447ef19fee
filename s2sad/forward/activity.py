"""What has a tangent: what varies with the arguments and reaches the result.

def f(u, n):            wrt u
    v = u * n           v varies and is useful: active
    A[0] = v            so does A, and every name of its memory

Of a call of an own function anything that it writes or returns varies if any argument does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from s2sad.analysis.activity import flows, may_vary
from s2sad.analysis.memory import written_operands
from s2sad.analysis.points_to import stored_base
from s2sad.forward.aliases import Aliases, arguments
from s2sad.ir.expression import Expr, Variable, name
from s2sad.ir.program import (
    Copied,
    For,
    Function,
    Let,
    RegionOp,
    Restore,
    Return,
    Save,
    Statement,
    Store,
)
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Region, Site, Type
from s2sad.ir.walk import expressions, nodes, statements, variables

Regions = Mapping[Site, Region]
Pair = tuple[Variable, tuple[Expr, ...]]


@dataclass(slots=True)
class Spread:
    """The variables found so far, and the memory that they make hot."""

    aliases: Aliases
    found: set[Variable]
    hot: set[int] = field(default_factory=set)

    def has(self, variable: Variable) -> bool:
        """Tell whether a variable is found, or names or holds memory that is."""
        if variable in self.found:
            return True
        roots = {self.aliases.root(each) for each in self.hot}
        return bool(roots & self.aliases.within(self.aliases.of(variable)))

    def add(self, variable: Variable) -> bool:
        """Add a variable, and its memory where that is written; tell whether it is new."""
        if variable in self.found:
            return False
        self.found.add(variable)
        for one in self.aliases.within(self.aliases.of(variable)):
            if self.aliases.is_written(one):
                self.hot.add(one)
        return True


def active(
    function: Function,
    functions: Mapping[str, Function],
    wrt: frozenset[Variable],
    aliases: Aliases,
    regions: Regions,
) -> frozenset[Variable]:
    """Return the variables that have a tangent, those of `wrt` that matter among them."""
    types = types_read(function)
    pairs = [pair for s in statements(function.body) for pair in pairs_of(s, functions)]
    varied, useful = Spread(aliases, set()), Spread(aliases, set())
    for variable in wrt:
        varied.add(variable)
    for variable in _wanted(function, regions):
        useful.add(variable)
    changed = True
    while changed:
        changed = False
        for target, values in pairs:
            sources = {v for value in values for v in flows(value, regions)}
            if any(map(varied.has, sources)):
                changed |= varied.add(target)
            if useful.has(target):
                for source in sources:
                    changed |= useful.add(source)
    every = {t for t, _ in pairs} | wrt | set(types) | {p.variable for p in function.parameters}
    return frozenset(
        v for v in every if varied.has(v) and useful.has(v) and _varies(v, types, regions)
    )


def types_read(function: Function) -> dict[Variable, list[Type]]:
    """Return the types under which variables are read or bound."""
    found: dict[Variable, list[Type]] = {p.variable: [p.type] for p in function.parameters}
    for statement in statements(function.body):
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            found.setdefault(statement.target, []).append(statement.value.type)
        for expr in expressions(statement):
            for node in nodes(expr):
                if node.op == "name":
                    found.setdefault(node.data, []).append(node.type)
    return found


def _varies(variable: Variable, types: dict[Variable, list[Type]], regions: Regions) -> bool:
    found = types.get(variable)
    return found is None or any(may_vary(type_, regions) for type_ in found)


def _wanted(function: Function, regions: Regions) -> Iterator[Variable]:
    """Yield what a caller may read: what is returned, and parameters that are written."""
    for statement in statements(function.body):
        if isinstance(statement, Return):
            yield from flows(statement.value, regions)
    if function.summary is not None:
        yield from function.summary.writes


def pairs_of(statement: Statement, functions: Mapping[str, Function]) -> Iterator[Pair]:
    """Yield (variable, what it may depend on) for all that a statement binds or writes."""
    match statement:
        case Let(target, value):
            yield from _of_let(target, value)
            yield from _of_call(statement, functions)
        case Store(_, _, value):
            for variable in _names(stored_base(statement)):
                yield variable, (value,)
        case RegionOp(target, base, _, args):
            for variable in _names(base):
                yield variable, args
            for variable in variables(target):
                yield variable, (base, *args)
        case For(target, domain):
            for variable in variables(target):
                yield variable, (domain,)
        case Save(stack, value):
            yield stack, (value,)
        case Restore(target, stack):
            bound = _names(target) if isinstance(target, Expr) else variables(target)
            for variable in bound:
                yield variable, (name(stack),)
        case Copied(_, reads, writes):
            for variable in writes:
                yield variable, reads


def _of_let(target: object, value: Expr) -> Iterator[Pair]:
    if isinstance(target, tuple) and value.op in ("tuple", "list"):
        if len(target) == len(value.args):
            for part, arg in zip(target, value.args, strict=True):
                yield from _of_let(part, arg)
            return
    for variable in variables(target):  # type: ignore[arg-type]
        yield variable, (value,)


def _of_call(let: Let, functions: Mapping[str, Function]) -> Iterator[Pair]:
    """Yield what a call writes to."""
    if let.effect.is_pure:
        return
    call = let.value
    function, *args = call.args
    written = written_operands(let)
    if function.op == "function" and functions[function.data].summary is not None:
        named = arguments(functions[function.data], call)
        written += [named[v] for v in functions[function.data].summary.writes if v in named]  # type: ignore[union-attr]
    for each in written:
        for variable in _names(each):
            yield variable, tuple(args)


def _names(expr: Expr) -> Iterator[Variable]:
    """Yield the variables whose memory an expression may be a part of."""
    if expr.op == "name":
        yield expr.data
    elif expr.op in ("subscript", "attribute"):
        yield from _names(expr.args[0])
    elif expr.op == "call" and expr.args[0].op == "attribute":
        yield from _names(expr.args[0].args[0])
    elif expr.op != "constant":
        for arg in expr.args:
            yield from _names(arg)
