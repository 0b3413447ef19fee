"""The parameters of a function, and their defaults as they are spelled."""

from __future__ import annotations

from dataclasses import replace
from inspect import Parameter
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.behind import LITERALS
from s2sad.legacy.lower import inline
from s2sad.legacy.program import Expr, Param, Ref, Var
from s2sad.legacy.scope import Numbers, Scope
from s2sad.source.text import MISSING, Source, signature_of, span


def params_of(source: Source, scope: Scope) -> tuple[Param, ...]:
    """Return the parameters of a function, each of which holds a value from the start."""
    args = source.tree.args
    if args.vararg or args.kwarg:
        raise Unsupported(
            "*args and **kwargs are not differentiated",
            span(source, source.tree),
            "Name the arguments in the signature.",
        )
    plain = [(arg, "positional") for arg in args.posonlyargs]
    plain += [(arg, "either") for arg in args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    named = [(arg, "keyword") for arg in args.kwonlyargs]
    everything = [*zip(plain, defaults, strict=True), *zip(named, args.kw_defaults, strict=True)]
    given = signature_of(source.function).parameters
    return tuple(
        _param(arg, kind, default and _default(default, given.get(arg.id), scope), scope)
        for (arg, kind), default in everything
    )


def _param(arg: Any, kind: str, default: Expr | None, scope: Scope) -> Param:
    var = Var(scope.slot(arg.id), 0)
    scope.held.values[var.slot] = var
    return Param(var, kind, default)


def _default(node: Any, given: Parameter | None, scope: Scope) -> Expr:
    """Return a default as it is spelled; the file has its value, which the names may have lost."""
    if given is not None and _is_another(node, given.default):
        return Ref("default", MISSING)
    around = replace(scope.source, locals=frozenset())  # `rate=rate` reads what is outside
    try:
        return inline(node, Scope(around, frozenset(), Numbers()))
    except Unsupported:
        return Ref("default", MISSING)


def _is_another(node: Any, default: Any) -> bool:
    """Tell whether a function has another default than the number or word that is written."""
    try:
        written = gast.literal_eval(node)
    except ValueError:
        return False
    if default is Parameter.empty or not isinstance(written, LITERALS):
        return False
    return repr(default) != repr(written)
