"""Which values depend on the inputs and reach the result: only these have derivatives.

def f(x, n):        varied: x, y          (n is an int, k does not depend on x)
    k = 2 * n       useful: y, x, k
    y = x * k       active: x, y
    return y
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from s2sad.legacy.facts import Fact
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Update,
    Var,
)
from s2sad.legacy.rules import find
from s2sad.legacy.traverse import SHAPE_ATTRIBUTES, flat_targets, rewrites, value_reads

Lookup = Callable[[Expr], Fact]
WITHOUT_DERIVATIVE = frozenset({"int", "bool", "str", "none", "module", "generator"})
# of dicts and sets, | & ^ give what these hold
COMPARISONS = frozenset("< <= > >= == != is is_not in not_in not slice ~ << >> //".split())


def active_values(program: Program, wrt: Iterable[str], fact: Lookup) -> frozenset[Var]:
    """Return the values that vary with the parameters `wrt` and reach the result."""
    flows = _Flows(fact)
    varied = _varied(program, wrt, flows)
    useful = set(flows.of(program.result))
    while _use(program.body, useful, flows):
        pass
    return varied & useful


def varied_values(program: Program, wrt: Iterable[str], fact: Lookup) -> frozenset[Var]:
    """Return the values that vary with the parameters `wrt`."""
    return _varied(program, wrt, _Flows(fact))


def _varied(program: Program, wrt: Iterable[str], flows: _Flows) -> frozenset[Var]:
    varied = {param.var for param in program.params if param.var.slot in frozenset(wrt)}
    while _vary(program.body, varied, flows):
        pass
    return frozenset(varied)


class _Flows:
    """What flows through each expression of a program, found once for all passes over it."""

    def __init__(self, fact: Lookup) -> None:
        self.fact = fact
        self.known: dict[int, tuple[Var, ...]] = {}

    def of(self, expr: Expr) -> tuple[Var, ...]:
        """Return the values through which a derivative of `expr` may flow."""
        found = self.known.get(id(expr))
        if found is None:
            found = self.known[id(expr)] = tuple(flow(expr, self.fact))
        return found

    def of_items(self, iterable: Expr) -> tuple[Var, ...]:
        """Return the values through which a derivative may flow into what a loop goes over."""
        if isinstance(iterable, Var) and self.fact(iterable).kind == "dict":
            return ()  # which gives its keys
        return self.of(iterable)


# ---------------------------------------------------------------- through one expression


def flow(expr: Expr, fact: Lookup) -> Iterator[Var]:
    """Yield the values through which a derivative of `expr` may flow."""
    match expr:
        case Var():
            yield expr
        case Op("index", (Ref("np.r_" | "np.c_"), key)):
            yield from flow(key, fact)
        case Op("index", (owner, _)):
            yield from flow(owner, fact)
        case Op("if", (_, then, orelse)):
            yield from flow(then, fact)
            yield from flow(orelse, fact)
        case Op(op, args):
            if op.split()[0] not in COMPARISONS:
                for arg in args:
                    yield from flow(arg, fact)
        case Attr(owner, name):
            if name not in SHAPE_ATTRIBUTES or fact(owner).kind == "record":
                yield from flow(owner, fact)
        case Call():
            yield from _call_flow(expr, fact)
        case Opaque():
            yield from value_reads(expr)


def _call_flow(call: Call, fact: Lookup) -> Iterator[Var]:
    match = find(call, fact)
    if match is not None and match.constant:
        return
    # what a rule calls constant, as what only a shape is taken of, hands nothing on
    still = [] if match is None else [v for p, v in match.bound.items() if p not in match.operands]
    # a method flows from its owner, a function held by a name from whatever that name holds
    owner = (call.func.value,) if isinstance(call.func, Attr) else (call.func,)
    for part in (*owner, *call.args, *(value for _, value in call.keywords)):
        if part not in still or part in match.operands.values():  # type: ignore[union-attr]
            yield from flow(part, fact)


def carries(var: Var, fact: Lookup) -> bool:
    """Tell whether a value is of a kind that has a derivative."""
    known = fact(var)
    if known.is_array or known.kind == "unknown":
        return known.is_float
    return known.kind not in WITHOUT_DERIVATIVE


# ---------------------------------------------------------------- through statements


def _vary(block: Block, varied: set[Var], flows: _Flows) -> bool:
    """Add what varies because of what does; tell whether anything was added."""
    before = len(varied)

    def mark(var: Var, sources: Iterable[Var | None]) -> None:
        if var in varied or varied.isdisjoint(sources):  # type: ignore[arg-type]
            return
        if carries(var, flows.fact):
            varied.add(var)

    for stmt in block:
        match stmt:
            case Assign(targets, Op("tuple" | "list", args)) if stmt.unpack and len(args) == len(
                targets
            ):
                for target, arg in zip(targets, args, strict=True):
                    mark(target, flows.of(arg))
            case Assign(targets, value):
                sources = flows.of(value)
                for target in targets:
                    mark(target, sources)
            case Update(new, old, _, _, value):
                mark(new, flows.of(value) if rewrites(stmt) else (old, *flows.of(value)))
            case Pop(target, new, old):
                mark(target, (old,))
                mark(new, (old,))
            case Effect(Opaque() as copied):
                for _, var in copied.writes:
                    mark(var, value_reads(copied))
            case If(_, then, orelse, merges):
                _vary(then, varied, flows)
                _vary(orelse, varied, flows)
                for merge in merges:
                    mark(merge.out, (merge.then, merge.orelse))
            case Loop(targets, iterable, _, carried, body):
                for each in carried:
                    mark(each.head, (each.init, each.end))
                sources = flows.of_items(iterable) if iterable is not None else ()
                for target in flat_targets(targets):
                    mark(target, sources)
                _vary(body, varied, flows)
                for each in carried:
                    mark(each.exit, (each.init, each.end))
    return len(varied) > before


def _use(block: Block, useful: set[Var], flows: _Flows) -> bool:
    """Add what is useful because something useful is made of it; tell whether anything was."""
    before = len(useful)

    def mark(sources: Iterable[Var | None]) -> None:
        useful.update(source for source in sources if source is not None)

    for stmt in reversed(block):
        match stmt:
            case Assign(targets, Op("tuple" | "list", args)) if stmt.unpack and len(args) == len(
                targets
            ):
                for target, arg in zip(targets, args, strict=True):
                    if target in useful:
                        mark(flows.of(arg))
            case Assign(targets, value):
                if any(target in useful for target in targets):
                    mark(flows.of(value))
            case Update(new, old, _, _, value):
                if new in useful:
                    mark(flows.of(value) if rewrites(stmt) else (old, *flows.of(value)))
            case Pop(target, new, old):
                if target in useful or new in useful:
                    mark((old,))
            case Effect(Opaque() as copied):
                if any(var in useful for _, var in copied.writes):
                    mark(value_reads(copied))
            case If(_, then, orelse, merges):
                for merge in merges:
                    if merge.out in useful:
                        mark((merge.then, merge.orelse))
                _use(then, useful, flows)
                _use(orelse, useful, flows)
            case Loop(targets, iterable, _, carried, body):
                for each in carried:
                    if each.exit in useful or each.head in useful:
                        mark((each.init, each.end))
                _use(body, useful, flows)
                if any(target in useful for target in flat_targets(targets)) and iterable:
                    mark(flows.of(iterable))
    return len(useful) > before
