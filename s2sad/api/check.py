"""A function and example arguments as a report: do forward, reverse and differences agree?

>>> print(s2sad.check_grad(misfit, (W, m, d), wrt=("W", "m")))
misfit, along one random direction in each argument
      reverse           forward           differences       agree
W     -3.1416234e-01    -3.1416234e-01    -3.1416234e-01    yes
m      5.9126731e-01     5.9126731e-01     5.9126731e-01    yes
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator
from inspect import BoundArguments, Signature
from typing import Any

import numpy as np

from s2sad.api.arguments import bind, check_arguments
from s2sad.api.callable import DerivativeFunction
from s2sad.api.display.short import short
from s2sad.api.grad import grad, jvp, vjp
from s2sad.api.libraries import call_of_library
from s2sad.api.parting import in_order, made_again, parting
from s2sad.api.request import Wrt
from s2sad.api.rules import Rules
from s2sad.api.signatures import own_signature
from s2sad.api.structure import leaves, rebuilt
from s2sad.api.variadic import fixed
from s2sad.ir.errors import ArgumentError
from s2sad.ir.records import dataclass, replace
from s2sad.source.given import as_function
from s2sad.source.read import parameter_place

_MODES_DIFFER = "NO: reverse and forward differ"
_GIVEN_DIFFERS = "NO: it differs from the tangent"
_HALVINGS = 9
_ROUNDINGS = 32
_LISTED = 5
_SEARCHED = 400


@dataclass(frozen=True, slots=True)
class Row:
    """The derivative along one direction in one leaf of the arguments, found in three ways.

    `elements` are the rows of those elements of a leaf that do not agree.
    """

    path: str
    reverse: float
    forward: float
    differences: float
    modes_agree: bool
    differences_agree: bool
    elements: tuple[Row, ...] = ()
    is_given: bool = False

    @property
    def ok(self) -> bool:
        """Whether all three agree."""
        return self.modes_agree and self.differences_agree

    @property
    def verdict(self) -> str:
        """What is said of the row: "yes", or what does not agree."""
        if self.ok:
            return "yes"
        if not self.modes_agree and self.is_given:
            return _GIVEN_DIFFERS
        if not self.modes_agree:
            return _MODES_DIFFER
        return "NO: differences do not agree (a kink or a jump nearby?)"

    @property
    def listed(self) -> tuple[Row, ...]:
        """The row, and below it the first elements that do not agree."""
        return self, *(replace(each, path=f"  {each.path}") for each in self.elements[:_LISTED])

    @property
    def unlisted(self) -> str:
        """How many more elements do not agree, in words."""
        more = len(self.elements) - _LISTED
        return f"  and {more} more of {self.path}" if more > 0 else ""


@dataclass(frozen=True, slots=True)
class Report:
    """What `check_grad` found: true where everything agrees, a table as text."""

    name: str
    rows: tuple[Row, ...]
    parting: str = ""

    @property
    def ok(self) -> bool:
        """Whether forward, reverse and differences agree in every argument."""
        return all(row.ok for row in self.rows)

    def __bool__(self) -> bool:
        return self.ok

    def _repr_html_(self) -> str:
        from s2sad.api.display.notebook import cell, check_table

        return cell("table", check_table(self))

    def __str__(self) -> str:
        width = max(4, *(len(each.path) for row in self.rows for each in row.listed))
        first = "given" if any(row.is_given for row in self.rows) else "reverse"
        lines = [
            f"{self.name}, along one random direction in each argument",
            f"{'':{width}}  {first:<16}  {'forward':<16}  {'differences':<16}  agree",
        ]
        for row in self.rows:
            lines += [_line(each, width) for each in row.listed]
            lines += [row.unlisted] if row.unlisted else []
        return "\n".join([*lines, *([self.parting] if self.parting else [])])

    __repr__ = __str__


@short
def check_grad(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: Wrt = None,
    *,
    seed: int = 0,
    rules: Rules = None,
    gradient: Callable[..., Any] | None = None,
) -> Report:
    """Compare reverse mode, forward mode and central differences at `args`.

    By default every argument that holds floats is checked. The result may have any shape: it is
    weighted at random. `seed` chooses the random directions; `rules` are those of `grad`.

    `gradient` is a derivative that was written or edited by hand. It is called as the function is,
    or with an adjoint of the result as well, last, and returns an adjoint of each of `wrt`: without
    `wrt`, that of the first argument, or as many as there are arguments with floats. It is compared
    in place of reverse mode, and where it is wrong the report names the statement of its text from
    which on an adjoint is another one.

    Returns:
        A report: it is true where all agree, and prints as a table with a row for each argument.

    Raises:
        ArgumentError: `args` is no tuple, or holds no floats; `gradient` does not fit the function.
        NoRule, Unsupported, AliasError, NoSource: what cannot be differentiated, with its line.

    Example:
        >>> def energy(x, k):
        ...     return 0.5 * k * np.sum(np.sin(x) ** 2)
        >>> bool(s2sad.check_grad(energy, (np.array([0.5, 1.5]), 2.0)))
        True
    """
    if not isinstance(args, tuple):
        raise ArgumentError(
            f"check_grad takes a tuple of arguments, not a {type(args).__name__}",
            hint="For one argument: check_grad(f, (x,)).",
        )
    function = fixed(as_function(call_of_library(function)), args)
    rng = np.random.default_rng(seed)
    if gradient is not None:
        return _report_of_given(function, args, wrt, gradient, rng, rules)
    probe = _probe(function, args, wrt, rng, rules)
    adjoints = _adjoints(probe)
    rows = (row for name in adjoints for row in _rows(probe, name, adjoints[name]))
    return Report(function.__name__, tuple(rows))


# ---------------------------------------------------------------------------- a gradient that is given


def _report_of_given(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: Wrt,
    gradient: Callable[..., Any],
    rng: np.random.Generator,
    rules: Rules,
) -> Report:
    """Compare a derivative that somebody wrote with forward mode and differences."""
    takes_seed = _takes_seed(function, gradient)
    bound = bind(function.__name__, own_signature(function), args, {})
    values = tuple(bound.values())
    if wrt is None:
        weights = (_random_like(function(*copy.deepcopy(args)), rng),) if takes_seed else ()
        wrt = _wrt_of(bound, in_order(gradient, (*values, *weights)))
    probe = _probe(function, args, wrt, rng, rules)
    if not takes_seed and np.shape(probe.weights) != ():
        raise ArgumentError(
            f"{function.__name__} returns more than a number, and gradient= takes no adjoint of it",
            hint="Have it take the adjoint of the result as its last parameter, as vjp gives it.",
        )
    weights = (probe.weights,) if takes_seed else ()
    found = in_order(gradient, (*values, *weights))
    names = probe.reverse.request.wrt
    parts = found if len(names) > 1 or isinstance(found, tuple) else (found,)
    if not isinstance(parts, tuple | list) or len(parts) != len(names):
        raise ArgumentError(
            f"gradient= does not return an adjoint for each of {', '.join(names)}",
            hint="Say by wrt= which parameters its adjoints belong to.",
        )
    for name, part in zip(names, parts, strict=True):
        _refuse_unlike(name, part, probe.bound[name])
    scaled = parts if takes_seed else [_scaled(part, probe.weights) for part in parts]
    rows = tuple(
        _as_given(row)
        for name, part in zip(names, scaled, strict=True)
        for row in _rows(probe, name, part)
    )
    report = Report(function.__name__, rows)
    if report.ok:
        return report
    return replace(report, parting=_parting(probe, gradient, values, weights))


def _as_given(row: Row) -> Row:
    """Return a row that speaks of a derivative that was given."""
    return replace(row, is_given=True, elements=tuple(map(_as_given, row.elements)))


def _takes_seed(function: Callable[..., Any], gradient: Callable[..., Any]) -> bool:
    own, its = (len(inspect.signature(each).parameters) for each in (function, gradient))
    if its not in (own, own + 1):
        raise ArgumentError(
            f"gradient= takes {its} arguments, and {function.__name__} takes {own}",
            hint="Give it the parameters of the function, and the adjoint of the result last if any.",
        )
    return its == own + 1


def _wrt_of(bound: dict[str, Any], found: Any) -> Wrt:
    """Return the parameters that adjoints belong to: the first, or all that hold floats."""
    if not isinstance(found, tuple):
        return 0
    names = [name for name, value in bound.items() if any(True for _ in _floats(value))]
    return tuple(names[: len(found)]) if len(found) in (1, len(names)) else tuple(names)


def _refuse_unlike(name: str, part: Any, argument: Any) -> None:
    """Raise an error for the adjoint of a number or an array that is not like it."""
    if not _is_float(argument):  # a list, a dict, an object
        return
    is_list = isinstance(part, list | tuple | dict)
    if is_list or np.asarray(part).dtype.kind not in "fciub":
        found = f"a {type(part).__name__}"
    elif np.shape(part) != np.shape(argument):
        found = f"of shape {np.shape(part)}"
    else:
        return
    raise ArgumentError(
        f"the adjoint of {name} that gradient= gives is {found}, and {name} is of shape "
        f"{np.shape(argument)}",
        hint="An adjoint is a number or an array of the shape of its argument.",
    )


def _scaled(value: Any, by: Any) -> Any:
    """Return adjoints of a number that is weighted."""
    return rebuilt(value, iter([by * leaf for _, leaf in leaves(value, "")]))


def _parting(
    probe: _Probe, gradient: Callable[..., Any], values: tuple[Any, ...], seeds: tuple[Any, ...]
) -> str:
    """Return where the text of a given derivative parts from the one that is made here."""
    names = probe.reverse.request.wrt
    make = vjp if seeds else grad
    wanted = names[0] if len(names) == 1 else names
    try:
        own = made_again(make(probe.function, wanted, like=values))
        return str(parting(inspect.unwrap(gradient), own, (*values, *seeds), names) or "")
    except Exception:  # where they part is a help; that they do is known
        return ""


# ---------------------------------------------------------------------------- one function


@dataclass(frozen=True, slots=True, eq=False)
class _Probe:
    """A function at a point, with a weight for its result and a direction for each argument."""

    function: Callable[..., Any]
    signature: Signature
    reverse: DerivativeFunction
    forward: DerivativeFunction
    bound: dict[str, Any]
    weights: Any
    directions: dict[str, Any]
    eps: float
    # what is left of a derivative that is zero: a bias before a mean is taken off has such
    rounding: float


def _probe(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: Wrt,
    rng: np.random.Generator,
    rules: Rules,
) -> _Probe:
    signature = own_signature(function)
    bound = bind(function.__name__, signature, args, {})
    names = tuple(name for name, value in bound.items() if any(True for _ in _floats(value)))
    chosen = names if wrt is None else wrt if isinstance(wrt, (tuple, list)) else (wrt,)
    if not chosen:
        raise ArgumentError(
            f"no argument of {function.__name__} holds a float",
            hint="Pass a float, or an array of floats.",
        )
    reverse = vjp(function, tuple(chosen), rules=rules)
    forward = jvp(function, tuple(chosen), rules=rules)
    check_arguments(bound, reverse.request.wrt, {}, lambda name: parameter_place(function, name))
    result = _call(function, signature, bound)
    directions = {name: _random_like(bound[name], rng) for name in reverse.request.wrt}
    drawn = (leaf for direction in directions.values() for leaf in _floats(direction))
    eps = max(float(np.finfo(getattr(leaf, "dtype", float)).eps) for leaf in drawn)
    weights = _random_like(result, rng)
    size = sum(np.sum(np.abs(a * b), dtype=float) for a, b in _pairs(weights, result))
    rounding = _ROUNDINGS * eps * float(size)
    return _Probe(function, signature, reverse, forward, bound, weights, directions, eps, rounding)


def _call(function: Callable[..., Any], signature: Signature, bound: dict[str, Any]) -> Any:
    # whatever the function does to its arguments, the next call starts from the same ones
    call = BoundArguments(signature, copy.deepcopy(bound))
    return function(*call.args, **call.kwargs)


def _adjoints(probe: _Probe) -> dict[str, Any]:
    (seed,) = probe.reverse.extra
    bound = {**probe.bound, seed: probe.weights}
    result = _call(probe.reverse, probe.reverse.__signature__, bound)
    return dict(zip(probe.reverse.request.wrt, result, strict=True))


def _along(probe: _Probe, directions: dict[str, Any]) -> float:
    """Return the weighted tangent of the result along `directions`."""
    tangents = {extra: directions[name] for extra, name in probe.forward.extra.items()}
    _, tangent = _call(probe.forward, probe.forward.__signature__, {**probe.bound, **tangents})
    return _dot(probe.weights, tangent)


def _shifted(probe: _Probe, name: str, direction: Any, step: float) -> float:
    """Return the weighted result at a distance along `direction`."""
    moved = iter(
        leaf + step * part if _is_float(leaf) else leaf
        for (_, leaf), (_, part) in zip(
            leaves(probe.bound[name], name), leaves(direction, name), strict=True
        )
    )
    bound = {**probe.bound, name: rebuilt(probe.bound[name], moved)}
    return _dot(probe.weights, _call(probe.function, probe.signature, bound))


def _differences(probe: _Probe, name: str, direction: Any) -> tuple[float, float]:
    """Return the derivative along `direction` by central differences, and its likely error.

    Ridders' tableau: steps are halved, each column cancels one more even power of the step, and
    the entry that changes least from its neighbours is the answer.
    """
    best, error = float("nan"), float("inf")
    above: list[float] = []
    first = 0.02 if probe.eps < 1e-10 else 0.2
    for k in range(_HALVINGS):
        h = first / 2**k
        ends = [_shifted(probe, name, direction, step) for step in (h, -h)]
        row = [(ends[0] - ends[1]) / (2.0 * h)]
        for j, coarse in enumerate(above, 1):
            row.append(row[-1] + (row[-1] - coarse) / (4.0**j - 1.0))
            change = max(abs(row[-1] - row[-2]), abs(row[-1] - coarse))
            if change < error:
                best, error = row[-1], change
        above = row
    return best, error


# ---------------------------------------------------------------------------- comparing


def _rows(probe: _Probe, name: str, adjoint: Any) -> Iterator[Row]:
    """Yield a row for each float leaf of one argument."""
    found = dict(leaves(adjoint, name))
    for path, part in leaves(probe.directions[name], name):
        if _is_float(part):
            yield _row(probe, name, path, part, found.get(path))


def _row(probe: _Probe, name: str, path: str, part: Any, adjoint: Any) -> Row:
    row = _compared(probe, name, path, part, adjoint)
    if row.ok or np.shape(part) == () or np.size(part) > _SEARCHED:
        return row
    wrong = []
    for index in np.ndindex(np.shape(part)):
        unit = np.zeros_like(part)
        unit[index] = 1.0
        element = _compared(probe, name, path, unit, adjoint)
        if not element.ok:
            where = ", ".join(map(str, index))
            wrong.append(replace(element, path=f"{path}[{where}]"))
    return replace(row, elements=tuple(wrong))


def _compared(probe: _Probe, name: str, path: str, part: Any, adjoint: Any) -> Row:
    directions = {each: _only(value, each, path, part) for each, value in probe.directions.items()}
    fits = adjoint is not None and np.shape(adjoint) == np.shape(part)
    reverse = _dot(part, adjoint) if fits else float("nan")
    forward = _along(probe, directions)
    differences, error = _differences(probe, name, directions[name])
    scale = max(abs(forward), abs(differences), float(np.finfo(float).tiny))
    if fits:
        scale = max(scale, float(np.sum(np.abs(adjoint * part))))
    # differences are over steps down to 1e-4
    settled = error <= probe.eps**0.2 * scale + 1e4 * probe.rounding
    allowed = probe.eps**0.4 * scale + 4.0 * error + probe.rounding
    return Row(
        path,
        reverse,
        forward,
        differences,
        abs(reverse - forward) <= probe.eps**0.6 * scale + probe.rounding,
        settled and abs(reverse - differences) <= allowed,
    )


def _only(direction: Any, name: str, path: str, part: Any) -> Any:
    """Return `direction` with `part` at `path` and zeros in every other float leaf."""
    parts = (
        part if where == path else 0.0 * leaf if _is_float(leaf) else leaf
        for where, leaf in leaves(direction, name)
    )
    return rebuilt(direction, parts)


def _line(row: Row, width: int) -> str:
    numbers = (row.reverse, row.forward, row.differences)
    cells = "  ".join(f"{number: .7e}".ljust(16) for number in numbers)
    return f"{row.path:{width}}  {cells}  {row.verdict}"


def _is_float(leaf: Any) -> bool:
    return isinstance(leaf, float) or getattr(getattr(leaf, "dtype", None), "kind", "") == "f"


def _floats(value: Any) -> Iterator[Any]:
    return (leaf for _, leaf in leaves(value, "") if _is_float(leaf))


def _random_like(value: Any, rng: np.random.Generator) -> Any:
    """Return random numbers of the size of `value`, in its structure; what is no float stays."""
    return rebuilt(value, iter([_random_leaf(leaf, rng) for _, leaf in leaves(value, "")]))


def _random_leaf(leaf: Any, rng: np.random.Generator) -> Any:
    if np.iscomplexobj(leaf):
        leaf = leaf.real  # seeds are real: that of the real part
    if not _is_float(leaf):
        return leaf
    scale = float(np.sqrt(np.mean(np.square(leaf)))) if np.size(leaf) else 0.0
    drawn = rng.standard_normal(np.shape(leaf)) * (scale if 0.0 < scale < np.inf else 1.0)
    return drawn.astype(leaf.dtype) if isinstance(leaf, np.ndarray) else type(leaf)(drawn)


def _dot(left: Any, right: Any) -> float:
    """Return the sum of the products of the leaves of two like structures, where `left` has floats."""
    return float(sum(np.sum(a * np.real(b), dtype=float) for a, b in _pairs(left, right)))


def _pairs(left: Any, right: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the leaves of two like structures at the places where `left` has floats."""
    pairs = zip(leaves(left, ""), leaves(right, ""), strict=True)
    return ((a, b) for (_, a), (_, b) in pairs if _is_float(a))
