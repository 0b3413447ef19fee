"""Which values depend on the inputs and reach the result: only these have derivatives.

def f(x, n):        varied: x, y          (n is an int, k does not depend on x)
    k = 2 * n       useful: y, x, k
    y = x * k       active: x, y
    return y
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from s2sad.facts import Fact
from s2sad.program import (
    SHAPE_ATTRIBUTES,
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
    flat_targets,
    rewrites,
    value_reads,
)
from s2sad.rules import find

Lookup = Callable[[Expr], Fact]
WITHOUT_DERIVATIVE = frozenset({"int", "bool", "str", "none", "module"})
COMPARISONS = frozenset("< <= > >= == != is is_not in not_in not slice ~ << >> & | ^ //".split())


def active_values(program: Program, wrt: Iterable[str], fact: Lookup) -> frozenset[Var]:
    """Return the values that vary with the parameters `wrt` and reach the result."""
    varied = {param.var for param in program.params if param.var.slot in frozenset(wrt)}
    while _vary(program.body, varied, fact):
        pass
    useful = set(flow(program.result, fact))
    while _use(program.body, useful, fact):
        pass
    return frozenset(varied & useful)


def varied_values(program: Program, wrt: Iterable[str], fact: Lookup) -> frozenset[Var]:
    """Return the values that vary with the parameters `wrt`."""
    varied = {param.var for param in program.params if param.var.slot in frozenset(wrt)}
    while _vary(program.body, varied, fact):
        pass
    return frozenset(varied)


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
            if name not in SHAPE_ATTRIBUTES:
                yield from flow(owner, fact)
        case Call():
            yield from _call_flow(expr, fact)
        case Opaque():
            yield from value_reads(expr)


def flow_of_items(iterable: Expr, fact: Lookup) -> Iterator[Var]:
    """Yield the values through which a derivative may flow into what a loop goes over."""
    if not isinstance(iterable, Var) or fact(iterable).kind != "dict":  # which gives its keys
        yield from flow(iterable, fact)


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
    return known.is_float if known.is_array else known.kind not in WITHOUT_DERIVATIVE


# ---------------------------------------------------------------- through statements


def _vary(block: Block, varied: set[Var], fact: Lookup) -> bool:
    """Add what varies because of what does; tell whether anything was added."""
    before = len(varied)

    def mark(var: Var, sources: Iterable[Var | None]) -> None:
        if any(source in varied for source in sources) and carries(var, fact):
            varied.add(var)

    for stmt in block:
        match stmt:
            case Assign(targets, Op("tuple" | "list", args)) if stmt.unpack and len(args) == len(
                targets
            ):
                for target, arg in zip(targets, args, strict=True):
                    mark(target, flow(arg, fact))
            case Assign(targets, value):
                sources = tuple(flow(value, fact))
                for target in targets:
                    mark(target, sources)
            case Update(new, old, _, _, value):
                mark(new, flow(value, fact) if rewrites(stmt) else (old, *flow(value, fact)))
            case Pop(target, new, old):
                mark(target, (old,))
                mark(new, (old,))
            case Effect(Opaque() as copied):
                for _, var in copied.writes:
                    mark(var, value_reads(copied))
            case If(_, then, orelse, merges):
                _vary(then, varied, fact)
                _vary(orelse, varied, fact)
                for merge in merges:
                    mark(merge.out, (merge.then, merge.orelse))
            case Loop(targets, iterable, _, carried, body):
                for each in carried:
                    mark(each.head, (each.init, each.end))
                sources = tuple(flow_of_items(iterable, fact)) if iterable is not None else ()
                for target in flat_targets(targets):
                    mark(target, sources)
                _vary(body, varied, fact)
                for each in carried:
                    mark(each.exit, (each.init, each.end))
    return len(varied) > before


def _use(block: Block, useful: set[Var], fact: Lookup) -> bool:
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
                        mark(flow(arg, fact))
            case Assign(targets, value):
                if any(target in useful for target in targets):
                    mark(flow(value, fact))
            case Update(new, old, _, _, value):
                if new in useful:
                    mark(flow(value, fact) if rewrites(stmt) else (old, *flow(value, fact)))
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
                _use(then, useful, fact)
                _use(orelse, useful, fact)
            case Loop(targets, iterable, _, carried, body):
                for each in carried:
                    if each.exit in useful or each.head in useful:
                        mark((each.init, each.end))
                _use(body, useful, fact)
                if any(target in useful for target in flat_targets(targets)) and iterable:
                    mark(flow(iterable, fact))
    return len(useful) > before
