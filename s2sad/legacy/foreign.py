"""Values whose kind is not known, and which may have operators of their own, are looked at.

    S = laplacian(n)             a sparse matrix: S * u is no product of elements
    _refuse_operators(S, "S has operators of its own, which are not followed")
    r = S * u

Only what a library makes is: of arguments, and of objects of the module, the kind is known.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import local
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from s2sad.api.derivative import NOT_FOLLOWED
from s2sad.ir.errors import S2sadError
from s2sad.legacy.blocks import map_blocks
from s2sad.legacy.facts import Fact
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import (
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
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    base,
)
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.rules import is_known
from s2sad.legacy.traverse import defines, expressions, flat_targets, reads, statements, walk
from s2sad.source.installed import is_installed
from s2sad.source.optional import PREFIX

REFUSE = Ref("_refuse_operators", "printed")
# of NumPy's own, these make what is no plain array
UNLIKE_ARRAYS = (np.matrix, np.asmatrix, np.bmat, np.poly1d)
# modules of Python's whose objects hold or make numbers, and have no operators for them
PLAIN = frozenset({"builtins", "math", "operator", "s2sad", "functools"})
PLAIN |= {"collections", "_collections", "itertools", "heapq", "_heapq", "bisect", "types", "copy"}
_running = local()


def with_checks(program: Program, active: frozenset[Var], fact: Callable[[Var], Fact]) -> Program:
    """Return the program in which such values are looked at before they meet what varies."""
    foreign = {var for var in _foreign(program) if fact(var).kind == "unknown"} - active
    if not foreign:
        return program
    return replace(program, body=_checked(program.body, foreign, active, frozenset()))


def messages(program: Program) -> Iterator[str]:
    """Yield what the checks of a program say when they fail."""
    for stmt in statements(program.body):
        match stmt:
            case Effect(Call(Ref("_refuse_operators"), (_, Const(text)))):
                yield text


def _checked(
    block: Block, foreign: set[Var], active: frozenset[Var], done: frozenset[Var]
) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        met = [var for var in dict.fromkeys(_operands(stmt, active)) if var in foreign - done]
        for var in met:
            text = f"{base(var.slot)} {NOT_FOLLOWED}"
            out.append(Effect(Call(REFUSE, (var, Const(text))), stmt.span))
        done |= frozenset(met)
        seen = done
        out.append(map_blocks(stmt, lambda inner: _checked(inner, foreign, active, seen)))  # noqa: B023
    return tuple(out)


def _operands(stmt: Stmt, active: frozenset[Var]) -> Iterator[Var]:
    """Yield the values that a statement calculates something that varies with."""
    if isinstance(stmt, Assign | Update) and any(var in active for var in defines(stmt)):
        for expr in expressions(stmt):
            if isinstance(expr, Op | Call):
                yield from reads(expr)


# ---------------------------------------------------------------- where they come from


def _foreign(program: Program) -> frozenset[Var]:
    """Return the values that libraries make, and what is made of these."""
    found: set[Var] = set()
    before = -1
    while len(found) > before:
        before = len(found)
        for stmt in statements(program.body):
            found.update(_made_of(stmt, found))
        if not found:
            break
    return frozenset(found)


def _made_of(stmt: Stmt, found: set[Var]) -> Iterator[Var]:
    match stmt:
        case Assign(targets, value):
            if _is_foreign(value, found):
                yield from targets
        case Update(new, old):
            yield from (new for _ in (1,) if old in found)
        case Effect(Opaque(_, read, writes)):
            if any(var in found for _, var in read):
                yield from (var for _, var in writes)
        case If(merges=merges):
            yield from (m.out for m in merges if m.then in found or m.orelse in found)
        case Loop(targets, iterable, _, carried):
            if iterable is not None and any(var in found for var in reads(iterable)):
                yield from flat_targets(targets)
            for each in carried:
                if each.init in found or each.end in found:
                    yield from (each.head, each.exit)


def _is_foreign(value: Expr, found: set[Var]) -> bool:
    match value:
        case Var():
            return value in found
        case Ref(_, held):
            return isinstance(held, np.ndarray) and type(held) is not np.ndarray
        case Call(Ref(_, func)) if _makes_foreign(func, value):
            return True
        case Call(Attr(_, "view"), (Ref(), *_)):
            return True
        case Call(Attr(owner, _)) | Attr(owner, _) | Op("index", (owner, _)):
            return _is_foreign(owner, found)
        case Op(_, args):
            return any(_is_foreign(arg, found) for arg in args)
        case Opaque(reads=read):
            inside = any(_makes_foreign(ref.value, None) for ref in value.globals)
            return inside or any(var in found for _, var in read)
    return False


def _makes_foreign(func: Any, call: Call | None) -> bool:
    """Tell whether a function is a library's, or one of the user's that hands on what they make."""
    module = str(getattr(func, "__module__", None) or "")
    if module.split(".")[0] == "numpy":
        of_classes = module.startswith("numpy.polynomial") and isinstance(func, type)
        return of_classes or module.startswith("numpy.ma") or func in UNLIKE_ARRAYS
    if call is not None and is_known(call):
        return False
    if isinstance(func, FunctionType) and not is_installed(func):
        return _hands_on(func)
    return _is_of_library(func, module)


def _is_of_library(func: Any, module: str) -> bool:
    if not module or module in PLAIN:
        return False
    if isinstance(func, ModuleType) or not callable(func) or isinstance(func, BuiltinFunctionType):
        return False
    return module.startswith(PREFIX) or is_installed(sys.modules.get(module))


def _hands_on(function: FunctionType) -> bool:
    """Tell whether a function of the user's may return what a library makes."""
    running: set[Any] = _running.__dict__.setdefault("functions", set())
    if function in running:
        return False
    running.add(function)
    try:
        return _returns_foreign(function)
    finally:
        running.discard(function)


@by_rules()
def _returns_foreign(function: FunctionType) -> bool:
    try:
        program = normalise(function)
    except S2sadError:
        return True  # nothing is known of what it returns
    found = _foreign(program)
    return any(_is_foreign(part, set(found)) for part in walk(program.result))
