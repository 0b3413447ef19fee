"""Which memory each value may live in.

    b@1 = a@0            roots(b@1) = {a@0}
    c@1 = b@1 + 1.0      roots(c@1) = {c@1}

A root is the value whose definition made the memory: a parameter, or a result of an operation
that allocates. `Old(root)` is the memory which the same definition made in an earlier pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import FunctionType

import numpy as np

from s2sad.calls import arguments, is_apart, is_mixed, is_python
from s2sad.facts import UNKNOWN, Fact
from s2sad.handed import handed_back
from s2sad.optional import PREFIX
from s2sad.parse import changed_names, rebound_names
from s2sad.program import (
    NONE,
    Assign,
    Attr,
    Block,
    Call,
    Const,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    defines,
    flat_targets,
    reads,
    statements,
)
from s2sad.templating import printed_name


@dataclass(frozen=True, slots=True)
class Old:
    """Memory that a definition inside a loop made in an earlier pass."""

    root: Var | Ref | Part


@dataclass(frozen=True, slots=True)
class Part:
    """Memory of the items that a list, tuple or dict held from the start."""

    root: Var | Ref


@dataclass(frozen=True, slots=True)
class Inside:
    """Memory of an item that a list holds: writing to the list does not write to it."""

    root: Var | Ref | Old | Part


Root = Var | Ref | Old | Part | Inside
Known = Callable[[Var], Fact]


class Roots(dict["Var", "frozenset[Root]"]):
    """The memory each value may live in; `fact` tells lists from arrays."""

    fact: Known = staticmethod(lambda var: UNKNOWN)
    # what the body of each loop makes, which every pass over the loop asks for
    made: dict[int, frozenset[Var]]


NOTHING: frozenset[Root] = frozenset()
LISTS = ("list", "tuple")
HOLDERS = ("list", "tuple", "dict")
READ_ONLY = Ref("read-only", None)

# NumPy functions and methods whose result may be a view of their first argument
VIEWS = frozenset(
    "reshape ravel transpose squeeze swapaxes moveaxis rollaxis expand_dims broadcast_to "
    "broadcast_arrays atleast_1d atleast_2d atleast_3d asarray asanyarray array "
    "ascontiguousarray asfortranarray diagonal view flip fliplr flipud rot90 real imag split "
    "array_split hsplit vsplit require matrix_transpose permute_dims astype squeeze "
    "sliding_window_view as_strided nan_to_num diag dsplit unstack trim_zeros real_if_close "
    "asarray_chkfinite matrix_power ix_ asmatrix meshgrid".split()
)
VIEW_ATTRIBUTES = frozenset({"T", "mT", "real", "imag", "flat", "base"})
IMMUTABLE = (int, float, complex, str, bytes, np.generic, type(None))
SCALAR_FUNCTIONS = frozenset({"len", "float", "int", "bool", "range", "abs", "round", "str"})

# ---------------------------------------------------------------- roots


def unknown(var: Var) -> Fact:
    """Say nothing about a value."""
    return UNKNOWN


def roots_of(program: Program, fact: Known = unknown) -> Roots:
    """Return the memory each value may live in; numbers have none."""
    roots = Roots({param.var: frozenset({param.var}) for param in program.params})
    roots.fact, roots.made = fact, {}
    for var in roots:
        if fact(var).is_scalar:
            roots[var] = NOTHING
        elif fact(var).kind in HOLDERS:
            roots[var] |= {Inside(Part(var))}
    while _sweep(program.body, roots, fact, frozenset()):
        pass
    return roots


def _sweep(block: Block, roots: Roots, fact: Known, inside: frozenset[Var]) -> bool:
    changed = False

    def add(var: Var | None, more: frozenset[Root]) -> None:
        nonlocal changed
        if var is None or fact(var).is_scalar:
            return
        if fact(var).kind in HOLDERS:
            more = _of_holder(var, more, fact)
        known = roots.get(var, NOTHING)
        if var not in roots or not more <= known:
            roots[var] = known | more
            changed = True

    for stmt in block:
        match stmt:
            case Assign(targets, value):
                for target, made in zip(targets, _origins(stmt, roots), strict=True):
                    add(target, made)
            case Update(new, old, _, op, value):
                held = origin(value, new, roots) if keeps(op, fact(old)) else NOTHING
                made = NOTHING if _is_held(stmt, roots) else frozenset({new})
                add(new, roots.get(old, NOTHING) | _inside(held) | made)
            case Pop(target, new, old):
                add(target, items_of(old, roots))
                add(new, roots.get(old, NOTHING))
            case Effect(Opaque() as copied):
                for _, var in copied.writes:
                    add(var, _shared(copied, roots) | {var})
            case If(_, then, orelse, merges):
                changed |= _sweep(then, roots, fact, inside)
                changed |= _sweep(orelse, roots, fact, inside)
                for merge in merges:
                    for side in (merge.then, merge.orelse):
                        add(merge.out, roots.get(side, NOTHING) if side else NOTHING)
            case Loop():
                # `changed |= ...` would forget what `add` notes meanwhile
                again = _sweep_loop(stmt, roots, fact, inside, add)
                changed = changed or again
    return changed


def _is_held(stmt: Update, roots: Roots) -> bool:
    """Tell whether an update surely writes to what its name holds: `x += e` of a number does not."""
    old = roots.fact(stmt.old)
    if stmt.index is not None or stmt.op in ("append", "insert", "="):
        return True
    begun_with_number = stmt.old in roots and not roots[stmt.old]
    return old.kind in HOLDERS or (old.is_array and not begun_with_number)


def _of_holder(var: Var, roots: frozenset[Root], fact: Known) -> frozenset[Root]:
    """Return the memory of a list, tuple or dict: an array can only be inside it."""
    if var in roots:
        # what it holds that has no other name is not the memory of the list itself
        roots = roots - {Inside(var)} | {Inside(Part(var))}
    return frozenset(
        Inside(root) if isinstance(root, Var) and fact(root).is_array else root for root in roots
    )


def _origins(stmt: Assign, roots: Roots) -> list[frozenset[Root]]:
    """Return the memory that each target of an assignment may live in."""
    targets, value = stmt.targets, stmt.value
    if not stmt.unpack:
        return [origin(value, target, roots) for target in targets]
    if isinstance(value, Op) and value.op in ("tuple", "list") and len(value.args) == len(targets):
        return [origin(arg, target, roots) for arg, target in zip(value.args, targets, strict=True)]
    if isinstance(value, Var):
        return [items_of(value, roots) for _ in targets]
    found = [spread(origin(value, target, roots)) for target in targets]
    if not is_mixed(value):
        return found
    count = len(targets) - is_apart(value)
    shared: frozenset[Root] = frozenset().union(*found[:count])
    return [shared] * count + [frozenset({target}) for target in targets[count:]]


def _of_list(value: Expr, target: Var, roots: Roots) -> frozenset[Root] | None:
    """Return the memory of what is made of a list, where it is known to be one."""
    match value:
        case Op("index", (Var() as owner, key)) if roots.fact(owner).kind in HOLDERS:
            if not (isinstance(key, Op) and key.op == "slice"):
                return items_of(owner, roots)
            return _same_items([owner], target, roots)
        case Call(Ref("list" | "tuple" | "sorted"), (Var() as owner,)):
            if roots.fact(owner).kind in HOLDERS:
                return _same_items([owner], target, roots)
        case Op("+", (Var() as a, Var() as b)):
            if roots.fact(a).kind in LISTS and roots.fact(b).kind in LISTS:
                return _same_items([a, b], target, roots)
    return None


def _same_items(owners: list[Var], target: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory of a new list that holds the items of others."""
    held = (root for owner in owners for root in roots.get(owner, NOTHING))
    return frozenset({target, *(root for root in held if isinstance(root, Inside))})


def items_of(owner: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory that an item of a value may live in: of a list not the list's own."""
    mine = roots.get(owner, NOTHING)
    if roots.fact(owner).kind not in HOLDERS:
        return spread(mine)
    return frozenset(root.root for root in mine if isinstance(root, Inside))


def _sweep_loop(
    loop: Loop,
    roots: Roots,
    fact: Known,
    inside: frozenset[Var],
    add: Callable[[Var | None, frozenset[Root]], None],
) -> bool:
    made = roots.made.get(id(loop))
    if made is None:
        made = roots.made[id(loop)] = frozenset(defined_in(loop.body))
    for each in loop.carried:
        init = roots.get(each.init, NOTHING) if each.init else NOTHING
        end = roots.get(each.end, NOTHING)
        add(each.head, init | _aged(end, made))
        add(each.exit, init | end)
    if loop.iterable is not None:
        for target in flat_targets(loop.targets):
            add(target, origin(Op("index", (loop.iterable, Const(0))), target, roots))
    return _sweep(loop.body, roots, fact, inside)


def _aged(roots: frozenset[Root], made: frozenset[Var]) -> frozenset[Root]:
    def older(root: Root) -> Root:
        if isinstance(root, Inside):
            return Inside(older(root.root))  # type: ignore[arg-type]
        own = root.root if isinstance(root, Part) else root
        return Old(root) if isinstance(own, Var) and own in made else root  # type: ignore[arg-type]

    return frozenset(map(older, roots))


def _inside(roots: frozenset[Root]) -> frozenset[Root]:
    return frozenset(root if isinstance(root, Inside) else Inside(root) for root in roots)


def spread(roots: frozenset[Root]) -> frozenset[Root]:
    """Return roots with the memory of held items as memory of its own."""
    return frozenset(root.root if isinstance(root, Inside) else root for root in roots)


def own_memory(roots: frozenset[Root]) -> frozenset[Root]:
    """Return the memory that a write to a value changes: a list's items are not."""
    return frozenset(root for root in roots if not isinstance(root, Inside))


def written_memory(stmt: Update | Pop, roots: Roots) -> frozenset[Root]:
    """Return the memory that a statement writes to: `ts[i] += e` writes to an item of a list."""
    mine = own_memory(roots.get(stmt.old, NOTHING))
    return mine | items_of(stmt.old, roots) if adds_to_item(stmt, roots.fact) else mine


def changed_by(stmt: Stmt) -> Iterator[Update]:
    """Yield the writes that syntax copied as it stands may do: `np.put(v, [0], 9.0)` changes v."""
    match stmt:
        case Effect(Opaque(node, before, after)) if after:
            # a copied `try` may give a name another value, which writes to nothing
            held, other = dict(before), rebound_names([node]) - changed_names([node])
            for name, new in after:
                if name in held and name not in other:
                    yield Update(new, held[name], None, "=", NONE, stmt.span)


def adds_to_item(stmt: Update | Pop, fact: Known) -> bool:
    """Tell whether an update may write to an array that a list or dict holds."""
    if not isinstance(stmt, Update) or stmt.index is None or stmt.op in ("=", "insert"):
        return False
    owner = fact(stmt.old)
    numbers = owner.items and all(item.is_scalar for item in owner.items)
    return owner.kind in HOLDERS and not numbers


def defined_in(block: Block) -> Iterator[Var]:
    """Yield every value that is made in a block, in the blocks inside it as well."""
    for stmt in statements(block):
        yield from defines(stmt)
        if isinstance(stmt, Loop):
            yield from flat_targets(stmt.targets)
            yield from (each.head for each in stmt.carried)


def keeps(op: str, owner: Fact) -> bool:
    """Tell whether a write stores the object itself, as a list does, not its contents."""
    return op in ("append", "insert") or (op == "=" and not owner.is_array)


def _shared(value: Expr, roots: Roots) -> frozenset[Root]:
    return spread(frozenset(root for var in reads(value) for root in roots.get(var, NOTHING)))


def origin(value: Expr, target: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory that the result of an expression may live in."""
    known = _of_list(value, target, roots)
    if known is not None:
        return known
    match value:
        case Var():
            return roots.get(value, NOTHING)
        case Const():
            return NOTHING
        case Ref(_, held):
            return NOTHING if isinstance(held, IMMUTABLE) else frozenset({value})
        case Op("index", (owner, key)):
            return frozenset({target}) if _is_fancy(key) else _shared_by(owner, target, roots)
        case Op("if", (_, a, b)):
            return origin(a, target, roots) | origin(b, target, roots)
        case Op("tuple" | "list" | "star" | "and" | "or", args):
            parts = (_inside(origin(arg, target, roots)) for arg in args)
            return frozenset({target}).union(*parts)
        case Op(_, args):
            # a list joined of others is new, and holds their items
            held = (root for arg in args for root in origin(arg, target, roots))
            return frozenset({target, *(root for root in held if isinstance(root, Inside))})
        case Attr(owner, name):
            if _is_of_object(owner, roots):
                return _shared(owner, roots)  # a field of an argument is the caller's
            return _shared_by(owner, target, roots) if name in VIEW_ATTRIBUTES else NOTHING
        case Call():
            return _call_origin(value, target, roots)
    return _shared(value, roots) | {target}


def _is_of_object(owner: Expr, roots: Roots) -> bool:
    while isinstance(owner, Attr):
        owner = owner.value
    return isinstance(owner, Var) and roots.fact(owner).kind == "record"


def _shared_by(owner: Expr, target: Var, roots: Roots) -> frozenset[Root]:
    # an unnamed owner (a nested expression) may be a view as well
    return spread(origin(owner, target, roots))


def _is_fancy(key: Expr) -> bool:
    """Tell whether a subscript surely copies: a list of positions."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    return any(isinstance(part, Op) and part.op == "list" for part in parts)


def _call_origin(call: Call, target: Var, roots: Roots) -> frozenset[Root]:
    match call.func:
        case Attr(owner, name):
            return (
                _shared_by(owner, target, roots) | {target}
                if _may_view(name) or _may_not_copy(call)
                else frozenset({target})
            )
        case Ref("np.einsum") if _has_one_operand(call):
            return _shared(call, roots) | {target}  # a diagonal or a transpose is a view
        case Ref(text, value):
            shares = getattr(value, "shares", None)
            if shares is not None:  # the derivative of a called function says so itself
                return _union(call, shares, target, roots) | {target}
            if text in SCALAR_FUNCTIONS:
                return NOTHING
            if text == "np.broadcast_to":
                return _of_first(call, target, roots) | {READ_ONLY}
            if text == "np.diag" and _is_of_vector(call, roots):
                return frozenset({target})
            if text == "_sum_to":
                return _of_first(call, target, roots)
            if text == "_shaped_as":
                return _of_first(call, target, roots) | {target}
            known = text.split(".")[0] in ("np", "math") and not isinstance(
                value, FunctionType | type
            )
            known = known or (text.startswith(PREFIX) and not isinstance(value, type))
            if known and text.rpartition(".")[2] not in VIEWS:
                return frozenset({target})
            if value is np.ndarray and len(call.args) == 1 and _takes_no_buffer(call):
                return frozenset({target})
            named = isinstance(value, FunctionType) and printed_name(value)
            if value == "printed" or named:
                given = call.args if text in MAY_RETURN_ARGUMENT else ()
                shared = (spread(origin(arg, target, roots)) for arg in given)
                return frozenset({target}).union(*shared)
            if text in ("list", "tuple", "reversed", "enumerate", "zip", "sorted"):
                held = (_inside(spread(origin(arg, target, roots))) for arg in call.args)
                return frozenset({target}).union(*held)
            if is_python(call.func):
                return _python_origin(call, target, roots)
    return _shared(call, roots) | {target}


def _is_of_vector(call: Call, roots: Roots) -> bool:
    """Tell whether np.diag makes a matrix: what it gives of one is a view."""
    first = call.args[0] if call.args else None
    return isinstance(first, Var) and roots.fact(first).rank == 1


def _union(call: Call, positions: Iterable[int], target: Var, roots: Roots) -> frozenset[Root]:
    parts = (spread(origin(call.args[n], target, roots)) for n in positions)
    return frozenset[Root]().union(*parts)


def _takes_no_buffer(call: Call) -> bool:
    return all(name in ("shape", "dtype", "order") for name, _ in call.keywords)


def _of_first(call: Call, target: Var, roots: Roots) -> frozenset[Root]:
    return spread(origin(call.args[0], target, roots)) if call.args else NOTHING


def _python_origin(call: Call, target: Var, roots: Roots) -> frozenset[Root]:
    """Return the memory that the result of a Python function may live in."""
    assert isinstance(call.func, Ref)
    names = handed_back(call.func.value)
    try:
        given = arguments(call)
    except TypeError:
        names = None
    if names is None:
        return _shared(call, roots) | {target}
    parts = (spread(origin(given[name], target, roots)) for name in names if name in given)
    return frozenset({target}).union(*parts)


# functions printed into the file that may give back what they are given
MAY_RETURN_ARGUMENT = frozenset({"_sum_to", "_shaped_as"})
METHODS_THAT_COPY = frozenset(
    "copy sum mean prod max min std var dot flatten cumsum cumprod clip round all any argmax "
    "argmin argsort repeat take trace tolist item nonzero tobytes ptp searchsorted "
    "astype".split()
)


def _may_view(name: str) -> bool:
    return name not in METHODS_THAT_COPY


def _may_not_copy(call: Call) -> bool:
    """Tell whether a call asks for a copy only where there has to be one: astype(..., copy=False)."""
    return any(name == "copy" and value != Const(True) for name, value in call.keywords) or (
        isinstance(call.func, Attr) and call.func.name == "astype" and len(call.args) > 4
    )


def _has_one_operand(call: Call) -> bool:
    if call.args and isinstance(call.args[0], Const):
        return len(call.args) == 2
    return len(call.args) < 4  # operands and lists of their axes in turn
