"""Activity: what depends on the arguments to differentiate by, and reaches the result.

n = len(u)              n does not vary
v = np.sin(u)           v varies, and the result depends on it: active
w = v * 2.0             w varies, and nobody asks for it
return np.sum(v)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import cache

import numpy as np

from s2sad.analysis.containers import are_keys, keys_read, refuse_keys
from s2sad.analysis.memory import Memory
from s2sad.analysis.places import placed
from s2sad.analysis.pointers import NOTHING, changed_names, first_name, stored_base
from s2sad.analysis.points_to import bindings
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, call, called, global_, is_own_call, name
from s2sad.ir.program import (
    Block,
    Copied,
    For,
    Function,
    If,
    Let,
    Raise,
    RegionOp,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    Try,
    While,
)
from s2sad.ir.types import (
    Array,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Region,
    Regions,
    Sequence,
    Tuple,
    Type,
    Unknown,
)
from s2sad.ir.walk import (
    bound,
    closed,
    expressions,
    nodes,
    read_in,
    reads_shape_only,
    statements,
    variables,
)
from s2sad.operators.effects import is_solution
from s2sad.operators.hooks import is_bracket
from s2sad.operators.library import has_rule_of_users
from s2sad.operators.marks import is_stopped
from s2sad.operators.table import words

TESTS = frozenset({"compare", "constant", "global", "function", "formatted"})
ITER = global_("iter", iter)
INERT = (str, bytes, bool, type(None), slice, type, range, type(Ellipsis), np.dtype)
DISPLAYS = frozenset({"list", "tuple", "set", "dict", "item", "starred", "record", "slice"})
# their results do not vary with what they are given, wherever they are differentiable
FLAT = words("flat")


def may_vary(type_: Type, regions: Regions) -> bool:
    """Tell whether a value of a type can depend on an argument smoothly."""
    match type_:
        case Number(dtype) | Array(dtype) | Numeric(dtype):
            return dtype[0] in "fc"
        case Unknown():
            return True
        case Tuple(items):
            return any(may_vary(item, regions) for item in items)
        case Sequence(item):
            return may_vary(item, regions)
        case Optional(inner):
            return may_vary(inner, regions)
        case Reference(site):
            return site not in regions or _region_varies(regions[site], regions)
        case Other(cls):  # an object of a library may hold what varies
            return cls is None or not issubclass(cls, INERT)
    return False


def _region_varies(region: Region, regions: Regions) -> bool:
    inner = {site: each for site, each in regions.items() if site != region.site}
    inner[region.site] = Region(region.site, "fields")  # an object that holds itself
    held = (
        [region.item, *region.fields.values()]
        if region.kind != "fields"
        else region.fields.values()
    )
    return any(may_vary(type_, inner) for type_ in held)


def flows(expr: Expr, regions: Regions) -> tuple[Variable, ...]:
    """Return the variables through which an expression may depend on an argument smoothly."""
    known = expr.fact("flows", lambda e: (regions, tuple(_flows(e, regions))))
    return known[1] if known[0] is regions else tuple(_flows(expr, regions))


def _flows(expr: Expr, regions: Regions) -> Iterator[Variable]:
    if expr.op == "name":
        if may_vary(expr.type, regions):
            yield expr.data
        return
    if expr.op in TESTS:
        return
    if reads_shape_only(expr):  # of what it is filled with, np.full_like reads more
        held = expr.args[2:] if may_vary(expr.type, regions) else ()  # whole numbers are cut off
        yield from (v for arg in held for v in flows(arg, regions))
        return
    if expr.op == "subscript" and _computes(expr.args[0]):
        yield from flows(expr.args[1], regions)
        return
    if expr.op not in DISPLAYS and not may_vary(expr.type, regions):
        return
    if is_solution(expr):
        return  # what is found varies by the function that it is handed to
    if is_stopped(expr) or is_flat(expr) or are_keys(expr, regions):
        return
    if expr.op == "call" and expr.args[0].op == "attribute":  # a method of an array
        yield from flows(expr.args[0].args[0], regions)
    for position, arg in enumerate(expr.args):
        is_index = expr.op == "subscript" and not is_bracket(expr.args[0])
        if (position and is_index) or (not position and expr.op == "conditional"):
            continue
        if arg not in keys_read(expr, regions):  # keys do not vary
            yield from flows(arg, regions)


def is_flat(expr: Expr) -> bool:
    """Tell whether a call gives a step function, whose derivative is 0, if no rule says otherwise."""
    # the sign of complex numbers is no step function
    is_complex = any(getattr(arg.type, "dtype", "")[:1] == "c" for arg in expr.args)
    is_step = expr.op == "call" and called(expr) in FLAT and not is_complex
    return is_step and not has_rule_of_users(expr)


def _computes(base: Expr) -> bool:
    """Tell whether a global object is none that just holds what its brackets give."""
    held = (np.ndarray, list, tuple, dict, str)
    return not is_bracket(base) and base.op == "global" and not isinstance(base.data.value, held)


Pairs = list[tuple[Variable, Expr]]
Sources = Callable[[Expr], tuple[Expr, ...] | None]


def arguments(function: Function, wrt: tuple[str, ...]) -> tuple[Variable, ...]:
    """Return the parameters that have these names."""
    by_name = {p.variable.name: p.variable for p in function.parameters}
    missing = [n for n in wrt if n not in by_name]
    if missing:
        raise NotYet(f"no argument {missing[0]}", function.span)
    return tuple(by_name[n] for n in wrt)


def activity(
    body: Block,
    memory: Memory,
    wrt: frozenset[Variable],
    regions: Regions,
    wanted: frozenset[Variable] = frozenset(),
    functions: Mapping[str, Function] | None = None,
    sources: Sources | None = None,
) -> frozenset[Variable]:
    """Return the variables that depend on those of `wrt`, and on which the result depends.

    A caller reads those that are `wanted`, too: parameters that are written. NotYet where a key of a
    dict varies and is read again, in the body or in one of the `functions` that it calls. Where
    `sources` tell what the parts of a result depend on, each part depends on that alone.
    """
    varied, useful = varied_and_useful(body, memory, wrt, regions, wanted, sources)
    types = memory.types

    def varies(expr: Expr) -> bool:
        return not varied.isdisjoint(flows(expr, regions))

    refuse_keys(body, varies, useful, regions, functions or {})
    _refuse_carried(body, varied & useful)
    return frozenset(v for v in varied & useful if may_vary(types.get(v, Unknown()), regions))


def _refuse_carried(body: Block, active: frozenset[Variable]) -> None:
    """Refuse what a handler reads of the exception that it is given, where that is active."""
    every = tuple(statements(body))
    caught = {h.target for s in every if isinstance(s, Try) for h in s.handlers} & active
    names = {s.target for s in every if isinstance(s, Let) and _is_one_of(s.value, caught)}
    for each in every if caught else ():
        is_name = isinstance(each, Let) and _is_one_of(each.value, caught)
        if not is_name and not (caught | names).isdisjoint(read_in(each)):
            raise NotYet("a value that varies and is carried by an exception", each.span)


def _is_one_of(expr: Expr, known: Set[Variable | None]) -> bool:
    return expr.op == "name" and expr.data in known


def varied_and_useful(
    body: Block,
    memory: Memory,
    wrt: frozenset[Variable],
    regions: Regions,
    wanted: frozenset[Variable] = frozenset(),
    sources: Sources | None = None,
) -> tuple[frozenset[Variable], frozenset[Variable]]:
    """Return what depends on some variables, and what the result depends on."""
    pairs = dependences(body, memory, sources)
    results = (s.value for _, s in placed(body) if isinstance(s, Return))
    ends = wanted.union(*(flows(value, regions) for value in results))
    return spread(pairs, wrt, memory, regions), spread(pairs, ends, memory, regions, True)


def dependences(body: Block, memory: Memory, sources: Sources | None = None) -> Pairs:
    """Return each variable that a statement binds or writes to with what it may depend on."""
    every = placed(body)
    return [pair for _, statement in every for pair in _depends(statement, memory, sources)]


def sources_of_parts(
    functions: Mapping[str, Function], memory: Memory, regions: Regions
) -> Sources:
    """Return what tells which arguments the parts of a result depend on, of calls of functions."""

    @cache
    def places(function_name: str) -> tuple[frozenset[int], ...] | None:
        function = functions[function_name]
        results = [s.value for s in statements(function.body) if isinstance(s, Return)]
        is_displayed = all(each.op == "tuple" for each in results)
        if not is_displayed or len({len(each.args) for each in results}) != 1:
            return None
        if function.custom is not None or not _writes_nothing(function):
            return None
        pairs, own = dependences(function.body, memory), function.parameters
        by_part = zip(*(each.args for each in results), strict=True)
        ends = ([v for part in each for v in flows(part, regions)] for each in by_part)
        found = (spread(pairs, each, memory, regions, backward=True) for each in ends)
        return tuple(frozenset(k for k, p in enumerate(own) if p.variable in of) for of in found)

    def sources(expr: Expr) -> tuple[Expr, ...] | None:
        if not is_own_call(expr) or expr.args[0].data not in functions or has_rule_of_users(expr):
            return None
        parts, args = places(expr.args[0].data), expr.args[1:]
        if parts is None or len(functions[expr.args[0].data].parameters) != len(args):
            return None
        return tuple(Expr("tuple", tuple(args[k] for k in sorted(of))) for of in parts)

    return sources


def _writes_nothing(function: Function) -> bool:
    """Tell whether a function writes to no memory: what depends on what stands in its statements."""
    kinds = (For, While, If, Return)
    return all(
        isinstance(s, kinds) or (isinstance(s, Let) and s.effect.is_pure)
        for s in statements(function.body)
    )


def _bindings(let: Let, sources: Sources | None) -> Iterable[tuple[Variable, Expr]]:
    """Return the variables that a statement binds, each with what it depends on."""
    targets = let.target if isinstance(let.target, tuple) else ()
    parts = sources(let.value) if sources and targets else None
    if parts is None or len(parts) != len(targets):
        return bindings(let)
    pairs = zip(targets, parts, strict=True)
    return [(v, part) for target, part in pairs for v in variables(target)]


def _depends(
    statement: Statement, memory: Memory, sources: Sources | None
) -> Iterator[tuple[Variable, Expr]]:
    match statement:
        case Let():
            yield from _bindings(statement, sources)
            if not statement.effect.is_pure:
                held = memory.holders(memory.around(memory.written_by_call(statement)))
                changed = {*held, *changed_names(statement)}
                yield from ((v, arg) for v in changed for arg in statement.value.args)
        case For(domain=domain):
            through = call(ITER, domain) if isinstance(domain.type, Reference) else domain
            yield from ((v, through) for v in bound(statement))
        case Copied(reads=reads, writes=writes):
            yield from ((v, read) for v in writes for read in reads)
        case Store(value=value, op=op):
            base = stored_base(statement)  # through xs, xs[k] *= 2.0 writes to what it holds
            parts = (value,) if base.op == "name" and op == "=" else (value, base)
            written = memory.around(memory.written_by(statement))
            changed = {*memory.holders(written), *changed_names(statement)}
            yield from ((v, part) for v in changed for part in parts)
        case RegionOp(base=base, args=args):
            yield from ((v, part) for v in _written(base, memory) for part in (base, *args))
            yield from ((v, part) for v in bound(statement) for part in (base, *args))
        case Try(handlers=handlers):
            caught = [handler.target for handler in handlers if handler.target is not None]
            yield from ((v, carried) for v in caught for carried in _carried(statement))
        case Save(stack, value):
            yield stack, value
        case Restore(target, stack):
            yield from ((v, name(stack)) for v in bound(statement))
            if isinstance(target, Expr):
                yield from ((v, name(stack)) for v in _written(target, memory))


def _carried(tried: Try) -> Iterator[Expr]:
    """Yield what an exception may carry to a handler: what is raised, or handed to what raises."""
    for each in statements(tried.body):
        if isinstance(each, Raise):
            yield from expressions(each)
        yield from (node for expr in expressions(each) for node in nodes(expr) if is_own_call(node))


def _written(base: Expr, memory: Memory) -> frozenset[Variable]:
    """Return the variables whose memory a place may be a part of."""
    return frozenset(memory.holders(memory.around(memory.sites(base)))) | first_name(base)


def made_of(function: Function, variables: frozenset[Variable]) -> frozenset[Variable]:
    """Return some variables, and those that may hold what is made of them, in whatever order."""

    def more(found: frozenset[Variable]) -> Iterator[Variable]:
        for each in statements(function.body):
            read = frozenset(read_in(each))
            if not found.isdisjoint(read):
                yield from bound(each)
                is_pure = isinstance(each, Let) and each.effect.is_pure
                yield from () if is_pure else read

    return closed(variables, more)


def spread(
    pairs: Pairs,
    start: Iterable[Variable],
    memory: Memory,
    regions: Regions,
    backward: bool = False,
) -> frozenset[Variable]:
    """Return what depends on some variables; what these depend on if it is asked `backward`."""
    found = set(start)
    before = -1
    while len(found) != before:
        before = len(found)
        for variable, value in reversed(pairs) if backward else pairs:
            sources = flows(value, regions)
            if not backward and not found.isdisjoint(sources):
                found.add(variable)
            elif backward and variable in found:
                found.update(sources)
        found |= sharing(found, memory, backward)
    return frozenset(found)


def sharing(found: Set[Variable], memory: Memory, backward: bool) -> frozenset[Variable]:
    """Return the variables that may refer to the same written memory as some.

    What holds memory that varies does so, too; what a container holds that matters, matters.
    """
    mine = NOTHING.union(*(memory.points_to.get(v, NOTHING) for v in found))
    written = memory.written
    hot = memory.inside(mine) & written if backward else memory.around(mine & written)
    return frozenset(memory.holders(hot))
