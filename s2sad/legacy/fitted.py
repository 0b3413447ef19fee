"""A called function that takes *args, or functions, is fitted to what it is called with.

integrate(rhs, y, 6, a, b, h=0.2)    ->    integrate_rhs(y, 6, a, b, h=0.2)

def integrate(f, y, n, *args, **kw):       def integrate_rhs(y, n, args_1, args_2, *, h):
    h = kw.get("h", 0.1)            ->         h = h
    return y + h * f(y, *args)                 return y + h * rhs(y, args_1, args_2)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import S2sadError, Span, Unsupported, placed
from s2sad.legacy.blocks import map_everywhere
from s2sad.legacy.calls import is_python
from s2sad.legacy.gathered import is_empty, only_spread
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import Call, Const, Expr, Op, Program, Ref
from s2sad.legacy.rules import is_known
from s2sad.legacy.traverse import expressions, statements, transform, walk
from s2sad.legacy.written import written_by
from s2sad.source.fit import Fit, Partial
from s2sad.source.functions import FUNCTION_TYPES, is_function, name_of
from s2sad.source.installed import is_installed
from s2sad.source.remade import namespace, remade
from s2sad.source.rewriting import rewritten
from s2sad.source.text import resolve_dotted, signature_of, source_of
from s2sad.source.trees import nodes_of

_VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_made: dict[tuple[Any, ...], Ref] = {}
_names: dict[str, tuple[Any, ...]] = {}


@dataclass(frozen=True, slots=True)
class _Bound:
    """The arguments of a call: by parameter, and those that *args and **kwargs take."""

    named: dict[str, Expr]
    more: tuple[Expr, ...]
    keywords: dict[str, Expr]
    functions: dict[str, Expr]
    options: dict[str, str]
    empty: frozenset[str] = frozenset()


def fitted(program: Program, active: Callable[[Expr], bool]) -> Program:
    """Return the program in which active calls are of functions that are fitted to them."""

    def of_statement(expr: Expr) -> Expr:
        return transform(expr, lambda part: _put(part, active, program))

    return replace(program, body=map_everywhere(program.body, of_statement))


def _put(part: Expr, active: Callable[[Expr], bool], program: Program) -> Expr:
    if not isinstance(part, Call) or not is_python(part.func) or is_known(part):
        return part
    if not active(part):
        return part
    bound = _bound(part)
    try:
        return part if bound is None else _fitted_call(part, bound, program)
    except S2sadError as error:
        raise placed(error, _place(part, program)) from None


def _bound(call: Call) -> _Bound | None:
    """Return the arguments of a call that a function is to be fitted to; None of other calls."""
    assert isinstance(call.func, Ref)
    if any(isinstance(arg, Op) and arg.op == "star" for arg in call.args):
        return None
    signature = signature_of(call.func.value)
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
        if (isinstance(value, Ref) and is_function(value.value)) or is_partial(value)
    }
    functions |= {
        name: Ref(name, p.default)
        for name, p in signature.parameters.items()
        if name not in given and is_function(p.default)
    }
    options = _options(call.func.value, given, signature)
    empty = _left_empty(call.func.value, given, signature)
    if not (kinds or functions or options or empty):
        return None
    return _Bound(given, more, keywords, functions, options, empty)


def _options(
    function: FunctionType, given: dict[str, Expr], signature: inspect.Signature
) -> dict[str, str]:
    """Return the texts by which a call chooses what the function calls: TABLE[kind](x)."""
    defaults = {n: Const(p.default) for n, p in signature.parameters.items() if n not in given}
    every = {**defaults, **given}
    texts = {n: v.value for n, v in every.items() if isinstance(v, Const) and type(v.value) is str}
    return {name: text for name, text in texts.items() if name in choosing(function)}


def _left_empty(
    function: FunctionType, given: dict[str, Expr], signature: inspect.Signature
) -> frozenset[str]:
    """Return the parameters, `{}` if left out, that a call leaves out and that only say `**p`."""
    params = signature.parameters.items()
    left = frozenset(n for n, p in params if n not in given and is_empty(p.default))
    try:
        return left & only_spread(source_of(function).tree) if left else left
    except S2sadError:
        return frozenset()


@lru_cache(maxsize=512)
def choosing(function: FunctionType) -> frozenset[str]:
    """Return the parameters that a function, or one that it calls, looks a function up by."""
    return _choosing(function, frozenset())


def _choosing(function: FunctionType, seen: frozenset[Any]) -> frozenset[str]:
    try:
        source = source_of(function)
    except S2sadError:
        return frozenset()
    params = {arg.id for arg in (*source.tree.args.args, *source.tree.args.kwonlyargs)}
    found = set()
    for part in nodes_of(source.tree):
        match part:
            case gast.Subscript(value=gast.Name(id=table), slice=gast.Name(id=key)):
                found |= {key} if table not in source.locals else set()
            case gast.Call(func=gast.Name(id="getattr"), args=[_, gast.Name(id=key)]):
                found.add(key)
            case gast.Call():
                called = resolve_dotted(source, part.func)
                inner = None if called is None else called[1]
                if isinstance(inner, FunctionType) and inner not in {function, *seen}:
                    if not is_installed(inner) and _choosing(inner, seen | {function}):
                        given = [*part.args, *(each.value for each in part.keywords)]
                        found |= {each.id for each in given if isinstance(each, gast.Name)}
    return frozenset(found & params)


def _fitted_call(call: Call, bound: _Bound, program: Program) -> Expr:
    assert isinstance(call.func, Ref)
    function = call.func.value
    fit = Fit(
        {name: _put_in(value) for name, value in bound.functions.items()},
        len(bound.more),
        tuple(bound.keywords),
        bound.options,
        empty=bound.empty,
    )
    held = [operand for value in bound.functions.values() for operand in _operands(value)]
    key = (
        function,
        tuple(fit.functions.items()),
        fit.more,
        fit.keywords,
        tuple(fit.constants.items()),
        fit.empty,
    )
    if key not in _made:
        _made[key] = _built(function, fit, key)
    ref = _made[key]
    own = signature_of(ref.value).parameters
    values = {name: value for name, value in bound.named.items() if name in own}
    names = [name for name in own if name not in values and not _has_default(own[name])]
    values |= dict(zip(names, (*bound.more, *bound.keywords.values(), *held), strict=True))
    made = _as_call(ref, own, values)
    _refuse_writes(made, call, program)
    return made


def is_partial(value: Expr) -> bool:
    """Tell whether a value is a partial object of a function that is known."""
    match value:
        case Call(Ref(value=functools.partial), (Ref(value=function), *_)):
            return isinstance(function, FUNCTION_TYPES)
    return False


def _put_in(value: Expr) -> Any:
    """Return what is put in for a parameter: a function, or one with what it is given."""
    if isinstance(value, Call):
        keys = tuple(name for name, _ in value.keywords)
        return Partial(value.args[0].value, len(value.args) - 1, keys)  # type: ignore[union-attr]
    assert isinstance(value, Ref)
    return value.value


def _operands(value: Expr) -> tuple[Expr, ...]:
    if not isinstance(value, Call):
        return ()
    return (*value.args[1:], *(operand for _, operand in value.keywords))


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


def _refuse_writes(made: Call, call: Call, program: Program) -> None:
    assert isinstance(made.func, Ref) and isinstance(call.func, Ref)
    written = sorted(written_by(made.func.value, normalise))
    if written:
        raise Unsupported(
            f"{call.func.text} writes to {written[0]}, which it is given",
            _place(call, program),
            "Let it write to a copy, and return that.",
        )


def _place(call: Call, program: Program) -> Span:
    for stmt in statements(program.body):
        if any(part == call for expr in expressions(stmt) for part in walk(expr)):
            return stmt.span
    return program.span


# ---------------------------------------------------------------------------- the function


def _built(function: FunctionType, fit: Fit, key: tuple[Any, ...]) -> Ref:
    source = source_of(function)
    name = _name(source.tree.name, fit, key)
    space = namespace(function)
    tree = rewritten(gast.gast_to_ast(source.tree), fit, name, space, source)
    return Ref(name, remade(tree, space, source))


def _name(own: str, fit: Fit, key: tuple[Any, ...]) -> str:
    """Return the name of a fitted function: that of what it is, and of what is put in."""
    parts = [own if own.isidentifier() else "called"]
    parts += [n for f in fit.functions.values() if (n := name_of(f)).isidentifier()]
    parts += [text for text in fit.constants.values() if str(text).isidentifier()]
    wished = name = "_".join(parts if len(parts) > 1 else [*parts, "fitted"])
    number = 2
    while _names.setdefault(name, key) != key:
        name, number = f"{wished}_{number}", number + 1
    return name
