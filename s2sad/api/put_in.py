"""Functions that are given as arguments are put in; so is what holds some, where it has to be.

grad(f)(x, np.sin)         f(x, g) becomes f_sin(x), which calls np.sin
grad(f)(x, model)          f(x, model) becomes a function of x which reads this model, as it would one
                           of its module: layers of several classes, a dict of functions
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any

from s2sad.api.request import known_of
from s2sad.api.structure import parts_of
from s2sad.api.texts import Compiled
from s2sad.ir.errors import ArgumentError, S2sadError, UnknownFunction
from s2sad.ir.records import replace
from s2sad.source.given import Fit, fitted_to, is_put_in
from s2sad.source.outside import Same
from s2sad.source.plain import fields_of

if TYPE_CHECKING:
    from s2sad.api.callable import DerivativeFunction

# models that are remembered; each has a derivative of its own
_REMEMBERED = 16
# how deep what an argument holds is looked at
_DEPTH = 4


def _fitted(derivative: DerivativeFunction, fit: Fit, gone: Mapping[str, Any]) -> Any:
    function = derivative.request.function
    nested = isinstance(function, type(derivative))  # of higher order
    function = _fitted(function, fit, gone) if nested else fitted_to(function, fit)
    known, examples = derivative.request.given, derivative.request.examples
    given = known and tuple(pair for pair in known if pair[0] not in gone)
    left = examples and {n: value for n, value in examples.items() if n not in gone}
    request = replace(derivative.request, function=function, given=given, examples=left)
    return type(derivative)(request)


def held(derivative: DerivativeFunction, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that hold functions or objects, and have no derivative themselves."""
    wrt = derivative.request.wrt
    return {n: value for n, value in own.items() if n not in wrt and _holds(value, _DEPTH)}


def _holds(value: Any, depth: int) -> bool:
    """Tell whether a value holds functions, or a list objects, whose methods may be others', too."""
    return depth > 0 and any(
        is_put_in(part)
        or (isinstance(value, list | tuple) and fields_of(part) is not None)
        or _holds(part, depth - 1)
        for _, part in parts_of(value) or ()
    )


def with_held(
    derivative: DerivativeFunction, values: Mapping[str, Any], own: Mapping[str, Any]
) -> Compiled:
    """Return the derivative for arguments that are or hold functions: each is put in as what it is.

    Another object is put in anew, whatever it is like; one that has changed is looked at again,
    as what belongs to a module is. Lists and dicts are known by what they hold.
    """
    rest = {name: value for name, value in own.items() if name not in values}
    made: dict[tuple[Any, ...], Any] = {}

    def fitted(these: Mapping[str, Any]) -> Any:
        key = tuple(map(_known_by, these.values()))
        if key not in made:
            if len(made) >= _REMEMBERED:
                made.clear()
            put = {name: _as_it_is_now(value) for name, value in these.items()}
            made[key] = _fitted(derivative, Fit(put), these)
        return made[key]

    def called(*args: Any, **keywords: Any) -> Any:
        bound = derivative.__signature__.bind(*args, **keywords)
        bound.apply_defaults()
        given = bound.arguments
        inner = fitted({name: given[name] for name in values})
        return inner(**{name: value for name, value in given.items() if name not in values})

    written = fitted(values).emitted(known_of(rest)).written
    return Compiled(called, "", written=written)


def _known_by(value: Any) -> Any:
    """Return what tells one argument from another: for lists and dicts, that of all they hold."""
    kind = type(value)
    if kind in (list, tuple):
        return kind, tuple(map(_known_by, value))
    if kind is dict:
        return kind, tuple((key, _known_by(part)) for key, part in value.items())
    return (kind, repr(value)) if kind in (bool, int, float, complex, str) else Same(value)


def _as_it_is_now(value: Any) -> Any:
    """Return a list or dict with all that it holds now: its owner may change it later."""
    kind = type(value)
    if kind in (list, tuple):
        return kind(map(_as_it_is_now, value))
    if kind is dict:
        return {key: _as_it_is_now(part) for key, part in value.items()}
    return value


def instead(derivative: DerivativeFunction, own: Mapping[str, Any], error: S2sadError) -> Compiled:
    """Return the derivative in which what holds functions is put in; raise `error` if none is."""
    values = held(derivative, own)
    written_down = isinstance(derivative.request.function, FunctionType | type(derivative))
    if isinstance(error, ArgumentError) or not values or not written_down:
        raise error
    try:
        return with_held(derivative, values, own)
    except S2sadError as again:
        # where no function was known, this tells what is in the way of those that are
        raise (again if isinstance(error, UnknownFunction) else error) from None
