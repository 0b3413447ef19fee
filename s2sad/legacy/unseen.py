"""What varies is handed only to what is known to keep nothing that the result could read.

(xs if c else ys).append(x)      nothing says that xs has changed
keep = xs.append ; keep(x)       ... nor here

A derivative that does not see such a write is zero where it should not be: it is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import FunctionType, MethodDescriptorType, ModuleType
from typing import Any, TypeGuard

import gast
import numpy as np

from s2sad.ir.errors import S2sadError, Span, Unsupported, gather
from s2sad.legacy.memory import NOTHING, Root, Roots
from s2sad.legacy.origins import METHODS_THAT_COPY
from s2sad.legacy.program import (
    Assign,
    Attr,
    Call,
    Effect,
    Expr,
    Loop,
    Op,
    Opaque,
    Program,
    Ref,
    Update,
    Var,
    base,
)
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.storage import roots_of
from s2sad.legacy.through import KNOWN, VIEWS
from s2sad.legacy.traverse import expressions, reads, statements, walk
from s2sad.legacy.written import shown_writes
from s2sad.source.installed import is_installed
from s2sad.source.names import WRITING_FUNCTIONS, changed_names, is_bound, root_of
from s2sad.source.plain import held_by_class
from s2sad.source.text import source_of
from s2sad.source.trees import nodes_of

# methods that keep what they are given, or change their object otherwise
KEEPERS = frozenset(
    "append appendleft extend extendleft insert push put add update setdefault discard remove "
    "pop popleft popitem clear sort reverse fill itemset resize __setitem__ __iadd__".split()
)
# ... of which none is called like what an array or an object holds
CHANGERS = KEEPERS - {"add", "put", "insert", "update", "push"} | {"partition"}
IN_PLACE = frozenset(
    "iadd iand iconcat ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv ixor "
    "setitem delitem".split()
)
PLAIN = frozenset({np.ndarray, list, tuple, dict, float, int, complex, bool, range, enumerate, zip})
QUIET = (gast.Assert, gast.Raise, gast.Delete, gast.Pass, gast.Global, gast.Nonlocal)


def refuse_unseen(program: Program, varied: Collection[Var]) -> None:
    """Raise if something that varies may be kept where no value of the Program shows it."""
    keepers = frozenset(_bound_keepers(program))
    problems = [*_put_in_objects(program, varied), *_writers_handed_on(program)]
    problems += _gone_through_and_read(program)
    for stmt in statements(program.body):
        for expr in expressions(stmt):
            if any(var in varied for var in reads(expr)) and (
                _keeps(expr, keepers)
                or (isinstance(stmt, Effect) and not _is_quiet(stmt.value, program))
            ):
                problems.append(_refusal(stmt.span))
    if problems:
        raise gather(problems)


def _writers_handed_on(program: Program) -> Iterator[S2sadError]:
    """Yield a refusal for each function or method that writes to an object, and is no call's own.

    list(map(swap, [idx]))      nothing says that idx has changed, whether it varies or not
    """
    held: dict[Expr, str] = {}  # names of such functions: what is known of them is called in place
    for stmt in statements(program.body):
        match stmt:
            case Assign(
                (target,), Ref() | Attr() | Call(Ref("functools.partial" | "partial")) as value
            ):
                told = next(filter(None, map(_told_of_writer, _values(value))), "")
                if told:
                    held[target] = told
                continue
        for expr in expressions(stmt):
            for part in _values(expr):
                told = held.get(part) or _told_of_writer(part)
                if told:
                    yield Unsupported(
                        f"{told}, is handed on here: what it changes then is not seen",
                        stmt.span,
                        "Call it in statements of its own, in a loop where it is called often.",
                    )


def _values(expr: Expr) -> Iterator[Expr]:
    """Yield the functions and methods in an expression that are values, not what is called."""
    match expr:
        case Call(func, args, keywords):
            if not isinstance(func, Ref | Attr):
                yield from _values(func)
            for part in (*args, *(value for _, value in keywords)):
                yield from _values(part)
        case Op(_, args):
            for part in args:
                yield from _values(part)
        case Opaque(_, reads):
            yield from (var for _, var in reads)
        case Ref() | Attr() | Var():
            yield expr


def _told_of_writer(part: Expr) -> str:
    """Return what a value is that writes to an object when it is called; "" of others."""
    match part:
        case Ref(text, FunctionType() as function) if not is_installed(function):
            return f"{text}, which writes to what it is given" if shown_writes(function) else ""
        case Ref(text, value) if _changes_first(value):
            return f"{text}, which changes what it is given"
        case Attr(Var() as owner, name) if name in CHANGERS:
            return f"the method {name} of {base(owner.slot)}, which changes that"
    return ""


def _changes_first(value: Any) -> bool:
    """Tell whether what is no Python changes what it is given first: list.sort, operator.iadd."""
    if isinstance(value, FunctionType | type) or not callable(value):
        return False
    name = getattr(value, "__name__", "")
    if isinstance(value, MethodDescriptorType):
        return name in KEEPERS | CHANGERS
    return name in (
        IN_PLACE if getattr(value, "__module__", "") == "_operator" else WRITING_FUNCTIONS
    )


def _gone_through_and_read(program: Program) -> Iterator[S2sadError]:
    """Yield a refusal for each loop over an object that is read meanwhile: it may change."""
    behind: dict[Var, frozenset[str]] = {}
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Call(Attr(Var(slot), name))) if name not in KNOWN:
                behind[target] = frozenset({slot})
            case Effect(Opaque(writes=writes)):
                behind |= dict.fromkeys(
                    (new for _, new in writes), frozenset(new.slot for _, new in writes)
                )
            case Loop(iterable=iterable) if iterable is not None:
                slots = _asked_for_items(iterable, behind)
                parts = (p for s in statements(stmt.body) for e in expressions(s) for p in walk(e))
                read = next((p for p in parts if _is_of(p, slots)), None)
                if read is not None:
                    yield Unsupported(
                        f"what .{read.name} is while this is gone through is not seen",
                        stmt.span,
                        "Make a list of the items before the loop, and go through that.",
                    )


def _asked_for_items(iterable: Expr, behind: Mapping[Var, frozenset[str]]) -> frozenset[str]:
    """Return the slots of what gives a loop its items: an object, or one whose method does."""
    match iterable:
        case Var(slot):
            return behind.get(iterable, frozenset()) | {slot}
        case Call(Attr(Var(slot), name)) if name not in KNOWN:
            return frozenset({slot})
    return frozenset()


def _is_of(part: Expr, slots: frozenset[str]) -> TypeGuard[Attr]:
    """Tell whether an expression reads of an object what no array or list has."""
    match part:
        case Attr(Var(slot), name):
            return slot in slots and name not in KNOWN
    return False


def _put_in_objects(program: Program, varied: Collection[Var]) -> Iterator[S2sadError]:
    """Yield a refusal for each write of what varies to an object such as a deque."""
    made: dict[Root, str] = {
        stmt.target: name
        for stmt in statements(program.body)
        if isinstance(stmt, Assign) and (name := _class_of(stmt.value))
    }
    roots = roots_of(program) if made else Roots()
    for stmt in statements(program.body):
        if isinstance(stmt, Update) and any(var in varied for var in reads(stmt.value)):
            for root in roots.get(stmt.old, NOTHING) & made.keys():
                yield _no_array(stmt.span, base(stmt.old.slot), made[root])


def _class_of(value: Expr) -> str:
    """Return the class of an object made here that is no array, number or list; "" else."""
    match value:
        case Call(Ref(text, kind)) if isinstance(kind, type) and kind not in PLAIN:
            return "" if issubclass(kind, np.generic) else text
    return ""


def _no_array(span: Span, name: str, made_by: str) -> S2sadError:
    return Unsupported(
        f"{name} is made by {made_by}, and values that vary are put in it",
        span,
        "Put them in an array or a list.",
    )


def _refusal(span: Span) -> S2sadError:
    return Unsupported(
        "what this line does with a value that varies is not known",
        span,
        "Write it with a name of its own: ys = d[k]; ys.append(v); d[k] = ys. Or stop the value: "
        "s2sad.stop_gradient.",
    )


def _bound_keepers(program: Program) -> Iterator[Var]:
    """Yield the names of methods that keep what they are given, as in `keep = xs.append`."""
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Attr(_, name)) if name in KEEPERS:
                yield target


def _keeps(expr: Expr, keepers: frozenset[Var]) -> bool:
    """Tell whether an expression calls, or hands on, a method that keeps what it is given."""
    for part in walk(expr):
        match part:
            case Var() if part in keepers:
                return True
            case Attr(owner, name) if name in KEEPERS and not _is_module(owner):
                return True
            case Ref(_, value) if _is_keeper(value):
                return True
            case Opaque(node, writes=()) if _names_keeper(node):
                return True
    return False


def _is_module(owner: Expr) -> bool:
    return isinstance(owner, Ref) and isinstance(owner.value, ModuleType | type)


def _is_keeper(value: object) -> bool:
    """Tell whether an object of the module's is a method of a list or the like that keeps."""
    owner = getattr(value, "__self__", None)
    name = getattr(value, "__name__", "")
    return name in KEEPERS and owner is not None and not isinstance(owner, ModuleType | type)


def _names_keeper(node: gast.AST) -> bool:
    return any(isinstance(part, gast.Attribute) and part.attr in KEEPERS for part in nodes_of(node))


def _is_quiet(value: Expr, program: Program) -> bool:
    """Tell whether a statement made for its effect leaves nothing that is read afterwards."""
    if isinstance(value, Opaque):
        # what it writes has a new value, through which it is followed
        quiet = isinstance(value.node, QUIET) or not (_calls_method(value) or _makes_kept(value))
        return bool(value.writes) or quiet
    return all(_is_known(part, program) for part in walk(value) if isinstance(part, Call))


def _calls_method(value: Opaque) -> bool:
    """Tell whether copied syntax calls a method of a value, or what a name of a value holds."""
    values = {name for name, _ in value.reads}
    calls = (part.func for part in nodes_of(value.node) if isinstance(part, gast.Call))
    return any(
        isinstance(root_of(func), gast.Name) and root_of(func).id in values for func in calls
    )


def _is_known(call: Call, program: Program) -> bool:
    match call.func:
        case Ref(_, type() as kind):
            return not keeps_in_class(kind)
        case Ref(_, function):
            return not isinstance(function, FunctionType) or not keeps_outside(function)
        case Attr(Ref() as owner):
            return _is_read_once(owner, program)  # a logger, or a list of the module's
        case Attr(_, name):
            return name in METHODS_THAT_COPY or name in VIEWS
    return False


def _makes_kept(value: Opaque) -> bool:
    """Tell whether copied syntax makes an object that puts what it is given where others find it."""
    names = {part.func.id for part in nodes_of(value.node) if _calls_name(part)}
    kinds = (ref.value for ref in value.globals if ref.text in names)
    return any(isinstance(kind, type) and keeps_in_class(kind) for kind in kinds)


def _calls_name(node: Any) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name)


def keeps_in_class(kind: type) -> bool:
    """Tell whether making an object may put what that is given where all of its class have it."""
    shared = {name for name, _ in held_by_class(kind)}
    made = (getattr(kind, name, None) for name in ("__new__", "__init__", "__post_init__"))
    return any(
        keeps_outside(method) or not shared.isdisjoint(method.__code__.co_names)
        for method in made
        if isinstance(method, FunctionType)
    )


@by_rules()
def keeps_outside(function: FunctionType) -> bool:
    """Tell whether a Python function writes to what is not its own, as a list of its module."""
    return any(map(_writes_to_others, with_called(function, {})))


def with_called(function: FunctionType, found: dict[int, FunctionType]) -> list[FunctionType]:
    """Return a function and those of its module's names that it calls, each once."""
    if id(function) not in found:
        found[id(function)] = function
        for name in function.__code__.co_names:
            called = function.__globals__.get(name)
            if isinstance(called, FunctionType):
                with_called(called, found)
    return list(found.values())


def _writes_to_others(function: FunctionType) -> bool:
    try:
        tree = source_of(function).tree
    except S2sadError:
        return False
    own = {part.id for part in nodes_of(tree) if is_bound(part)}
    says_so = any(isinstance(part, gast.Global) for part in nodes_of(tree))
    return says_so or not changed_names(nodes_of(tree)) <= own


def _is_read_once(owner: Ref, program: Program) -> bool:
    every = [expr for stmt in statements(program.body) for expr in expressions(stmt)]
    parts = [part for expr in (*every, program.result) for part in walk(expr)]
    return sum(isinstance(part, Ref) and part.value is owner.value for part in parts) == 1
