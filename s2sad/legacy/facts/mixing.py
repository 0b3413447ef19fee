"""Which values may be complex though their dtype is not known.

F = np.fft.fft(x)       complex of some precision
P = np.abs(F) ** 2      real again
w, v = np.linalg.eig(A) real or complex, which the numbers decide

A value of unknown dtype is marked where it is made of something complex. Without anything
complex in a program nothing is marked: arguments are real.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any, Final

import gast
import numpy as np

from s2sad.ir.errors import S2sadError
from s2sad.legacy.facts.fact import Fact
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
    Pop,
    Program,
    Ref,
    Update,
    Var,
)
from s2sad.legacy.traverse import flat_targets, value_reads, walk
from s2sad.source.optional import PREFIX
from s2sad.source.text import source_of
from s2sad.source.trees import nodes_of

# what gives complex results of real operands, and real ones of complex operands
MAKERS: Final = frozenset(
    "fft ifft fft2 ifft2 fftn ifftn rfft rfft2 rfftn ihfft eig eigvals roots complex sort_complex "
    "hilbert schur stft wofz lambertw".split()
)
REAL: Final = frozenset(
    "abs absolute real imag angle irfft irfft2 irfftn hfft norm isnan isfinite isinf len shape "
    "size ndim float int bool hypot fftfreq rfftfreq slogdet eigvalsh svdvals matrix_rank "
    "_rfft_bar _ihfft_bar _rfftn_bar".split()
)
TYPES: Final = (complex, np.complexfloating)
COMPARING: Final = frozenset("< <= > >= == != is is_not in not_in not".split())

Known = Mapping[Var, Fact]


def is_complex(fact: Fact) -> bool:
    """Tell whether a value may be complex."""
    return fact.mixed or fact.kind == "complex" or fact.dtype.startswith("complex")


def with_mixed(program: Program, known: Known) -> Known:
    """Return what is known with the values marked that may be complex."""
    if not _is_about_complex(program, known):
        return known
    marked = {param.var for param in program.params if known[param.var].mixed}
    while _spread(program.body, marked, known):
        pass
    return {
        var: replace(fact, mixed=True) if var in marked and not fact.dtype else fact
        for var, fact in known.items()
    }


def _is_about_complex(program: Program, known: Known) -> bool:
    if any(is_complex(fact) for fact in known.values()):
        return True
    return any(_makes_complex(expr) for expr in _expressions(program.body))


def _expressions(block: Block) -> Iterator[Expr]:
    from s2sad.legacy.traverse import expressions, statements

    for stmt in statements(block):
        yield from expressions(stmt)


# ---------------------------------------------------------------------------- expressions


def _makes_complex(expr: Expr) -> bool:
    return any(_is_source(part) for part in walk(expr))


def _is_source(part: Expr) -> bool:
    match part:
        case Const(value):
            return isinstance(value, complex) or (
                isinstance(value, str) and value.startswith("complex")
            )
        case Ref(text, value):
            read = not text.startswith(PREFIX)  # SciPy's functions are known by name
            return text.rpartition(".")[2] in MAKERS or (read and _is_complex_object(value))
        case Attr(_, name):
            return name in MAKERS
        case Opaque(_, _, _, refs):
            return any(map(_is_source, refs))
    return False


def _is_complex_object(value: Any) -> bool:
    if isinstance(value, FunctionType):
        return _function_makes_complex(value)
    if isinstance(value, type):
        return issubclass(value, TYPES)
    return isinstance(value, TYPES) or (isinstance(value, np.ndarray) and value.dtype.kind == "c")


@lru_cache(maxsize=512)
def _function_makes_complex(function: FunctionType) -> bool:
    """Tell whether a Python function names anything complex in its own text, but in tests."""
    return _code_makes_complex(function.__code__, frozenset()) and (
        not _only_asks_for_complex(function)
        or _code_makes_complex(function.__code__, frozenset({"complex"}))
    )


def _code_makes_complex(code: CodeType, but: frozenset[str]) -> bool:
    if not (MAKERS | REAL_TYPES).isdisjoint(set(code.co_names) - but):
        return True
    return any(
        isinstance(each, complex)
        or (isinstance(each, str) and each.startswith("complex"))
        or (isinstance(each, CodeType) and _code_makes_complex(each, but))
        for each in code.co_consts
    )


def _only_asks_for_complex(function: FunctionType) -> bool:
    """Tell whether a function only asks what is complex: `type(x) in (int, float, complex)`."""
    try:
        nodes = list(nodes_of(source_of(function).tree))
    except S2sadError:
        return False
    asked = {id(part) for node in nodes for part in _asked_in(node)}
    return all(id(node) in asked for node in nodes if getattr(node, "id", "") == "complex")


def _asked_in(node: Any) -> Iterator[Any]:
    """Yield the types that a test asks for."""
    match node:
        case gast.Call(func=gast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
            yield from nodes_of(kinds)
        case gast.Compare(comparators=kinds):
            for each in kinds:
                yield from nodes_of(each)


REAL_TYPES: Final = frozenset({"complex64", "complex128", "cdouble", "csingle"})


def _may_be_complex(expr: Expr, marked: set[Var], known: Known) -> bool:
    """Tell whether the value of an expression may be complex, where its dtype is not known."""
    match expr:
        case Var():
            return expr in marked or (expr in known and is_complex(known[expr]))
        case Op(op, _) if op.split()[0] in COMPARING:
            return False
        case Attr(_, "real" | "imag" | "shape" | "size" | "ndim" | "dtype"):
            return False
        case Call(Ref(text), _, _) if text.rpartition(".")[2] in REAL:
            return False
        case Call(Attr(_, name), _, _) if name in REAL:
            return False
    return _makes_complex(expr) or any(
        _may_be_complex(var, marked, known) for var in value_reads(expr)
    )


# ---------------------------------------------------------------------------- statements


def _spread(block: Block, marked: set[Var], known: Known) -> bool:
    """Mark what is made of something complex; tell whether anything was marked."""
    before = len(marked)

    def mark(targets: Iterable[Var], sources: Iterable[Expr | None]) -> None:
        new = [each for each in targets if each not in marked]
        given = [each for each in sources if each is not None] if new else ()
        if any(_may_be_complex(each, marked, known) for each in given):
            marked.update(new)

    for stmt in block:
        _mark(stmt, mark)
        match stmt:
            case If(_, then, orelse, _):
                _spread(then, marked, known)
                _spread(orelse, marked, known)
            case Loop(body=body):
                _spread(body, marked, known)
    return len(marked) > before


def _mark(stmt: Any, mark: Callable[[Iterable[Var], Iterable[Expr | None]], None]) -> None:
    match stmt:
        case Assign(targets, value):
            mark(targets, (value,))
        case Update(new, old, _, _, value):
            mark((new,), (old, value))
        case Pop(target, new, old):
            mark((target, new), (old,))
        case Effect(Opaque() as copied):
            mark((var for _, var in copied.writes), (copied,))
        case If(_, _, _, merges):
            for merge in merges:
                mark((merge.out,), (merge.then, merge.orelse))
        case Loop(targets, iterable, _, carried, _):
            if iterable is not None:
                mark(flat_targets(targets), (iterable,))
            for each in carried:
                mark((each.head, each.exit), (each.init, each.end))
