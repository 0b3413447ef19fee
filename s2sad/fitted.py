"""A called function that takes *args, or functions, is fitted to what it is called with.

integrate(rhs, y, 6, a, b, h=0.2)    ->    integrate_rhs(y, 6, a, b, h=0.2)

def integrate(f, y, n, *args, **kw):       def integrate_rhs(y, n, args_1, args_2, *, h):
    h = kw.get("h", 0.1)            ->         h = h
    return y + h * f(y, *args)                 return y + h * rhs(y, args_1, args_2)
"""

from __future__ import annotations

import ast
import inspect
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import BuiltinFunctionType, FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.blocks import map_everywhere
from s2sad.calls import is_python, written_by
from s2sad.compile import run_text
from s2sad.errors import Span, Unsupported
from s2sad.normalise import normalise
from s2sad.parse import source_of
from s2sad.program import Call, Expr, Op, Program, Ref, transform
from s2sad.rewriting import Fit, rewritten
from s2sad.rules import is_known

_FUNCTIONS = FunctionType | BuiltinFunctionType | np.ufunc
_VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_made: dict[tuple[Any, ...], Ref] = {}
_names: dict[str, tuple[Any, ...]] = {}


@dataclass(frozen=True, slots=True)
class _Bound:
    """The arguments of a call: by parameter, and those that *args and **kwargs take."""

    named: dict[str, Expr]
    more: tuple[Expr, ...]
    keywords: dict[str, Expr]
    functions: dict[str, Ref]


def fitted(program: Program, active: Callable[[Expr], bool]) -> Program:
    """Return the program in which active calls are of functions that are fitted to them."""

    def of_statement(expr: Expr) -> Expr:
        return transform(expr, lambda part: _put(part, active, program.span))

    return replace(program, body=map_everywhere(program.body, of_statement))


def _put(part: Expr, active: Callable[[Expr], bool], span: Span) -> Expr:
    if not isinstance(part, Call) or not is_python(part.func) or is_known(part):
        return part
    if not active(part):
        return part
    bound = _bound(part)
    return part if bound is None else _fitted_call(part, bound, span)


def _bound(call: Call) -> _Bound | None:
    """Return the arguments of a call that a function is to be fitted to; None of other calls."""
    assert isinstance(call.func, Ref)
    if any(isinstance(arg, Op) and arg.op == "star" for arg in call.args):
        return None
    signature = inspect.signature(call.func.value, follow_wrapped=False)
    try:
        given = dict(signature.bind(*call.args, **dict(call.keywords)).arguments)
    except TypeError:
        return None
    kinds = {p.kind: name for name, p in signature.parameters.items() if p.kind in _VARIABLE}
    more = tuple(given.pop(kinds.get(_VARIABLE[0], ""), ()))
    keywords = dict(given.pop(kinds.get(_VARIABLE[1], ""), {}))
    functions = {
        name: value
        for name, value in given.items()
        if isinstance(value, Ref) and isinstance(value.value, _FUNCTIONS)
    }
    functions |= {
        name: Ref(name, p.default)
        for name, p in signature.parameters.items()
        if name not in given and isinstance(p.default, _FUNCTIONS)
    }
    return _Bound(given, more, keywords, functions) if kinds or functions else None


def _fitted_call(call: Call, bound: _Bound, span: Span) -> Expr:
    assert isinstance(call.func, Ref)
    function = call.func.value
    fit = Fit(
        {name: ref.value for name, ref in bound.functions.items()},
        len(bound.more),
        tuple(bound.keywords),
    )
    key = (function, tuple(fit.functions.items()), fit.more, fit.keywords)
    if key not in _made:
        _made[key] = _built(function, fit, key)
    ref = _made[key]
    own = inspect.signature(ref.value).parameters
    values = {name: value for name, value in bound.named.items() if name in own}
    names = [name for name in own if name not in values and not _has_default(own[name])]
    values |= dict(zip(names, (*bound.more, *bound.keywords.values()), strict=True))
    made = _as_call(ref, own, values)
    _refuse_writes(made, span)
    return made


def _has_default(parameter: inspect.Parameter) -> bool:
    return parameter.default is not parameter.empty


def _as_call(ref: Ref, own: Any, values: dict[str, Expr]) -> Call:
    """Return a call with arguments by position as far as they go."""
    args: list[Expr] = []
    rest = dict(values)
    for name, parameter in own.items():
        if name not in rest or parameter.kind is parameter.KEYWORD_ONLY:
            break
        args.append(rest.pop(name))
    return Call(ref, tuple(args), tuple(rest.items()))


def _refuse_writes(call: Call, span: Span) -> None:
    assert isinstance(call.func, Ref)
    written = sorted(written_by(call.func.value, normalise))
    if written:
        raise Unsupported(
            f"{call.func.text} writes to {written[0]}, which it is given",
            span,
            "Let it write to a copy, and return that.",
        )


# ---------------------------------------------------------------------------- the function


def _built(function: FunctionType, fit: Fit, key: tuple[Any, ...]) -> Ref:
    source = source_of(function)
    name = _name(source.tree.name, fit, key)
    space = {**function.__globals__, **_captured(function)}
    tree = rewritten(gast.gast_to_ast(source.tree), fit, name, space, source)
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    filename = f"<fitted {name} {zlib.crc32(text.encode()):x}>"
    run_text(text, filename, space)
    made: FunctionType = space[name]
    return Ref(name, made)


def _name(own: str, fit: Fit, key: tuple[Any, ...]) -> str:
    """Return the name of a fitted function: that of what it is, and of what is put in."""
    parts = [own if own.isidentifier() else "called"]
    parts += [n for f in fit.functions.values() if (n := f.__name__).isidentifier()]
    wished = name = "_".join(parts if len(parts) > 1 else [*parts, "fitted"])
    number = 2
    while _names.setdefault(name, key) != key:
        name, number = f"{wished}_{number}", number + 1
    return name


def _captured(function: FunctionType) -> dict[str, Any]:
    names, cells = function.__code__.co_freevars, function.__closure__ or ()
    return {name: cell.cell_contents for name, cell in zip(names, cells, strict=True)}
