"""The parameters of a derivative, as the user's function has them.

def cube_vjp(x, scale=2.0, *, seed):
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from s2sad.emit.constants import constant_text
from s2sad.emit.header import Header
from s2sad.ir.expression import Role, Variable
from s2sad.ir.program import Function
from s2sad.source import Source
from s2sad.source.owners import is_own
from s2sad.source.read import signature_of


def parameters(
    function: Function, source: Source, header: Header, names: Mapping[Variable, str]
) -> str:
    """Return the parameter list of a derivative.

    What is no parameter of the user's follows what is given by position, or comes last, by name,
    where that may be left out: a seed, tangents.
    """
    own = signature_of(source.function).parameters
    primal = [p.variable for p in function.parameters if p.variable.role is Role.PRIMAL]
    added = [names[p.variable] for p in function.parameters if p.variable not in primal]
    wanted = {v.name: names[v] for v in primal}
    shown = [parameter for name, parameter in own.items() if name in wanted]
    last = [called for name, called in wanted.items() if name not in own] + added
    only = [p for p in shown if p.kind is _ONLY]
    positional = [p for p in shown if p.kind is not _ONLY]
    parts = list(_listed(positional, header))
    closed = any(p.default is not p.empty for p in positional)
    star = ["*"] if only or (last and closed) else []
    by_name = list(_listed(only, header))
    parts += [*star, *by_name, *last] if closed else [*last, *star, *by_name]
    return ", ".join(parts)


_ONLY = inspect.Parameter.KEYWORD_ONLY
_FIRST = inspect.Parameter.POSITIONAL_ONLY


def _listed(shown: Sequence[Any], header: Header) -> Iterator[str]:
    """Yield parameters as Python writes them."""
    kinds = [p.kind for p in shown]
    for place, parameter in enumerate(shown):
        if parameter.default is parameter.empty:
            yield parameter.name
        else:
            yield f"{parameter.name}={_default(parameter, header)}"
        if parameter.kind is _FIRST and kinds[place + 1 : place + 2] != [_FIRST]:
            yield "/"


def _default(parameter: Any, header: Header) -> str:
    text = constant_text(parameter.default)
    if isinstance(parameter.default, FunctionType) and is_own(parameter.default):
        text = constant_text(parameter.default.__name__)  # which the entry takes for the function
    if text is None:
        return header.constant(f"{parameter.name}_default", parameter.default)
    header.use(text)
    return text
