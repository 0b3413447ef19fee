"""The signature and the docstring of a derivative: those of the function, and what is added.

misfit(W, m, d)    ->    misfit_vjp(W, m, d, seed)    misfit_jvp(W, m, d, m_dot)
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Container, Iterable
from inspect import Parameter, Signature
from typing import Any

from s2sad.api.request import Derivative, Request, subject
from s2sad.emit.docstrings import FIRST_LINES
from s2sad.emit.entry import with_more
from s2sad.emit.request import MATRICES
from s2sad.ir.renaming import free_name
from s2sad.source.plain import may_change
from s2sad.source.read import signature_of


def extra_parameters(request: Request, derived: Derivative | None) -> dict[str, str]:
    """Return the parameters that follow the primal's own, and whose tangent each is ('': none).

    Where the text is known its names count: they give way to the user's own.
    """
    tangents = request.mode == "forward"
    if request.form in MATRICES or (not tangents and request.form != "vjp"):
        return {}
    own = own_signature(request.function).parameters
    local = getattr(getattr(subject(request), "__code__", None), "co_varnames", ())
    names = _likely_names(request.wrt if tangents else (), {*own, *local})
    if derived is not None:
        names = [name for name in _parameters(derived) if name not in own]
    return dict(zip(names, request.wrt if tangents else [""], strict=True))


def _likely_names(wrt: Iterable[str], own: Container[str]) -> list[str]:
    """Return the names that a text gives to tangents, or to a seed, beside the user's own."""
    ending = "_tan" if any(f"{name}_dot" in own for name in wrt) else "_dot"
    wished = [f"{name}{ending}" for name in wrt] or ["seed"]
    return [free_name(name, own) for name in wished]


def _parameters(derived: Derivative) -> list[str]:
    """Return the parameters of the emitted function, read off its text."""
    functions = (
        node for node in ast.parse(derived.source).body if isinstance(node, ast.FunctionDef)
    )
    args = next(node.args for node in functions if node.name == derived.name)
    return [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]


def derivative_signature(request: Request, extra: Iterable[str]) -> Signature:
    """Return the primal's parameters and the extra ones: keyword-only where they must be."""
    return with_more(list(own_signature(request.function).parameters.values()), extra)


def names_in_order(signature: Signature) -> tuple[str, ...]:
    """Return the names that arguments by position go to; none where *args takes any number."""
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    return () if Parameter.VAR_POSITIONAL in kinds else tuple(signature.parameters)


def most_positional(signature: Signature) -> int:
    """Return how many arguments may be given by position."""
    kinds = [parameter.kind for parameter in signature.parameters.values()]
    if Parameter.VAR_POSITIONAL in kinds:
        return sys.maxsize
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(kind in positional for kind in kinds)


def by_name(signature: Signature, extra: Iterable[str]) -> str:
    """Return what to say where what is added has to be given by name; "" where it has not."""
    kinds = {signature.parameters[name].kind for name in extra}
    if Parameter.KEYWORD_ONLY not in kinds:
        return ""
    wanted = ", ".join(f"{name}=..." for name in extra)
    return f"Give {wanted} by name: the function's own arguments may be left out."


def lasting_defaults(request: Request, signature: Signature) -> dict[str, Any]:
    """Return the defaults that can be changed where they stand, for arrays of the host."""
    if request.arrays != "numpy":
        return {}
    parameters = signature.parameters.values()
    return {each.name: each.default for each in parameters if may_change(each.default)}


def own_signature(function: Callable[..., Any]) -> Signature:
    """Return the parameters of a function itself, not of what it may wrap."""
    if hasattr(function, "request"):  # a derivative
        made: Signature = function.__signature__  # type: ignore[attr-defined]
        return made
    return signature_of(function)


def docstring(request: Request, extra: Iterable[str]) -> str:
    """Return what a derivative is, above what is said of the function."""
    named, wrt = subject(request).__name__, ", ".join(request.wrt)
    first = FIRST_LINES[request.form].format(f=named, wrt=wrt, along=", ".join(extra))
    own = (request.function.__doc__ or "").strip("\n")
    return f"{first}\n\n{own}" if own else first


def renamed(qualname: str, name: str) -> str:
    outer, dot, _ = qualname.rpartition(".")
    return outer + dot + name
