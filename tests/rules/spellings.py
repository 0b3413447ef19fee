"""Other ways to write the calls of a program: by name, by position, as methods, with more keywords.

np.sum(A, axis=0)    ->    np.sum(a=A, axis=0), np.sum(A, 0), A.sum(axis=0)       as right as before
                           np.sum(A, axis=0, initial=0.3), ..., dtype=float       right or refused
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import scipy

UFUNC = ("out", "where", "casting", "order", "dtype", "subok", "signature")
OTHERS = ("None", "True", "1", "2", "0.5", "'C'")
# the values that are tried of a keyword: where there are none here, those above
VALUES: Mapping[str, tuple[str, ...]] = {
    "out": ("None",),
    "where": ("True", "mask", "np.array([True, False, True])"),
    "casting": ("'unsafe'", "'same_kind'"),
    "order": ("'C'", "'F'", "'K'", "'A'"),
    "dtype": ("float", "complex", "None"),
    "subok": ("False", "True"),
    "axis": ("0", "-1", "None", "(0, 1)", "(-1,)"),
    "keepdims": ("True", "False"),
    "initial": ("0.3", "5.0"),
    "ddof": ("1", "0.5"),
    "prepend": ("0.4", "np.array([0.2, 0.1])"),
    "append": ("0.4", "np.array([0.2, 0.1])"),
    "method": ("'lower'", "'linear'", "'weibull'"),
    "mode": ("'clip'", "'wrap'", "'full'", "'same'", "'nearest'", "'mirror'", "'edge'"),
    "weights": ("u", "z"),
    "mean": ("0.1",),
    "left": ("0.1",),
    "right": ("0.1",),
    "period": ("0.75",),
    "norm": ("'ortho'", "'forward'"),
    "n": ("2", "3"),
    "optimize": ("True", "'greedy'"),
    "x": ("np.cumsum(z)", "u"),
    "dx": ("0.3",),
    "bias": ("True",),
    "fweights": ("np.array([1, 2, 1, 3])",),
    "aweights": ("np.array([0.3, 0.2, 0.9, 1.1])", "np.array([0.3, 0.2, 0.9])"),
    "UPLO": ("'U'",),
    "ord": ("1", "2", "np.inf", "'fro'", "'nuc'", "3"),
    "assume_a": ("'gen'", "'pos'", "'sym'"),
    "loc": ("0.3",),
    "scale": ("1.3",),
    "b": ("0.4", "np.array([0.3, 0.2, 0.9, 1.1])"),
    "indexing": ("'ij'",),
    **dict.fromkeys(("unit_diagonal", "lower"), ("True",)),
    # on a step, or to a tolerance, differences tell nothing; without rows there is nothing to tell
    **dict.fromkeys(("decimals", "tol", "rtol", "atol", "N", "M", "base", "ndmin"), ()),
}


def called(call: ast.Call) -> Any:
    """Return the function of NumPy's or SciPy's, or the method of arrays, that a call is of."""
    try:
        return eval(ast.unparse(call.func), {"np": np, "scipy": scipy})
    except (NameError, AttributeError):
        return getattr(np.ndarray, call.func.attr, None) if _is_method(call) else None


def _is_method(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute)


def parameters(function: Any) -> list[inspect.Parameter]:
    """Return the parameters after `self`; none where Python cannot tell them."""
    if isinstance(function, np.ufunc | type):
        return []
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    return found[1:] if found and found[0].name == "self" else found


def _each(text: str, change: Callable[[ast.Call, Any], Iterator[Callable[..., None]]]) -> Any:
    """Yield the text with each of the changes that are offered for each call in it."""
    count = sum(isinstance(node, ast.Call) for node in ast.walk(ast.parse(text)))
    for at in range(count):
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        function = called(calls[at])
        for make in change(calls[at], function) if function is not None else ():
            tree = ast.parse(text)
            make([node for node in ast.walk(tree) if isinstance(node, ast.Call)][at])
            yield ast.unparse(ast.fix_missing_locations(tree))


# ---------------------------------------------------------------------------- the same, otherwise


def respelt(text: str) -> Iterator[str]:
    """Yield a program with its calls written otherwise."""
    yield from _each(text, _otherwise)


def _otherwise(call: ast.Call, function: Any) -> Iterator[Callable[[ast.Call], None]]:
    given = parameters(function)
    for keep in range(len(call.args)):
        named = given[keep : len(call.args)]
        if len(given) >= len(call.args) and all(p.kind is p.POSITIONAL_OR_KEYWORD for p in named):
            yield lambda made, keep=keep, named=named: _by_name(made, keep, named)  # type: ignore[misc]
    args = _by_position(call, given)
    if args is not None:
        yield lambda made: vars(made).update(args=args, keywords=[])
    first = call.args[0] if call.args else None
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if getattr(np, name, None) is function and hasattr(np.ndarray, name) and first is not None:
        yield lambda made: vars(made).update(
            func=ast.Attribute(first, name, ast.Load()), args=made.args[1:]
        )


def _by_name(call: ast.Call, keep: int, named: list[inspect.Parameter]) -> None:
    pairs = zip(named, call.args[keep:], strict=True)
    call.keywords = [*(ast.keyword(p.name, value) for p, value in pairs), *call.keywords]
    call.args = call.args[:keep]


def _by_position(call: ast.Call, given: list[inspect.Parameter]) -> list[ast.expr] | None:
    """Return every argument by position, with the defaults between them; None where it cannot be."""
    left = {each.arg: each.value for each in call.keywords}
    args = list(call.args)
    for each in given[len(args) :]:
        if not left or each.kind is not each.POSITIONAL_OR_KEYWORD:
            break
        args.append(left.pop(each.name, None) or ast.Constant(each.default))
    plain = all(type(a.value) in (int, float, str, bool, type(None), tuple)
                for a in args if isinstance(a, ast.Constant))  # fmt: skip
    return args if call.keywords and not left and plain else None


# ---------------------------------------------------------------------------- with more said


def with_keywords(text: str) -> Iterator[str]:
    """Yield a program with one more keyword in one of its calls, of those that it can take."""
    yield from _each(text, _more)


# what is written in Fortran or C behind these takes what it is told, and writes over its memory
UNCHECKED = (scipy.integrate.odeint, scipy.integrate.quad, np.cumsum)


def _more(call: ast.Call, function: Any) -> Iterator[Callable[[ast.Call], None]]:
    if function in UNCHECKED:
        return
    known = [each for each in parameters(function) if each.kind is not each.VAR_POSITIONAL]
    names = [each.name for each in known[len(call.args) :] if each.kind is not each.VAR_KEYWORD]
    if isinstance(function, np.ufunc) or any(each.kind is each.VAR_KEYWORD for each in known):
        names += UFUNC
    for name in dict.fromkeys(names):
        if name not in {each.arg for each in call.keywords}:
            values = VALUES.get(name, OTHERS)
            if isinstance(function, np.ufunc) and name == "where":
                values = ("True",)  # without `out` there is nothing where it does not hold
            for value in values:
                said = ast.keyword(name, ast.parse(value, mode="eval").body)
                yield lambda made, said=said: made.keywords.append(said)  # type: ignore[misc]
