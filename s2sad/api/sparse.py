"""Sparse Jacobians: columns that share no row are found, and computed in one sweep together.

    J = s2sad.sparse_jacobian(residual)
    J(u)                        scipy.sparse.csr_array, of shape (result.size, u.size)

A tangent that is nan spreads to every element that depends on it, whatever the numbers: what one
sweep touches is the union of the rows of some columns. Columns are told apart by halving intervals
of them, many intervals at once where no row has part in two.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from s2sad.api.arguments import bind
from s2sad.api.callable import DerivativeFunction
from s2sad.ir.errors import ArgumentError, Unsupported
from s2sad.ir.records import dataclass
from s2sad.source.plain import fields_of
from s2sad.source.read import parameter_place, result_place
from s2sad.types.kinds import exact_kind

Sweep = Callable[[Any], Any]
# rounding of a row's sum, and what is more than rounding
CLOSE, FAR = 1e3, 1e8
# colours that are computed in one sweep
AT_ONCE = 16


@dataclass(frozen=True)
class Pattern:
    """Where a matrix may hold anything but zero, and which columns are computed together."""

    rows: Any
    columns: Any
    colours: Any

    @property
    def sweeps(self) -> int:
        """Return how many sweeps the matrix takes."""
        return int(self.colours.max(initial=-1)) + 1

    def same(self, other: Pattern) -> bool:
        """Tell whether two patterns have the same elements."""
        return np.array_equal(self.rows, other.rows) and np.array_equal(self.columns, other.columns)


class SparseMatrix:
    """A function that gives a Jacobian or a Hessian as a `scipy.sparse.csr_array`.

    `tangent` is the derivative along one direction, with its text.
    """

    def __init__(self, tangent: DerivativeFunction, many: DerivativeFunction | None = None):
        self.tangent = tangent
        self.many = many
        (self.wrt,) = tangent.request.wrt
        self.patterns: dict[Any, Pattern] = {}
        self.__name__ = tangent.__name__.rpartition("_")[0] + "_sparse"
        self.__doc__ = f"Sparse matrix of {tangent.__name__} along every direction."

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Return the matrix, of shape (result.size, argument.size).

        The pattern is kept for arguments of the same shapes, and found anew where the product with
        a random direction shows that it is another.
        """
        x, sweep = self._sweep(args, keywords)
        columns = self._columns(args, keywords, sweep)
        key = tuple(exact_kind(each) for each in (*args, *keywords.values()))
        known = self.patterns.get(key)
        if known is not None:
            found = matrix(known, columns, x)
            if not _differs(found, sweep, x, CLOSE):
                return found
        pattern = self.patterns[key] = pattern_of(sweep, x)
        if known is None or not known.same(pattern):
            found = matrix(pattern, columns, x)
        if _differs(found, sweep, x, FAR):
            function = self.tangent.request.function
            raise ArgumentError(
                f"it cannot be told which elements of {function.__name__} depend on which",
                result_place(function),
                "Use s2sad.jacobian: something here hides nan (np.nanvar, a function of yours).",
            )
        return found

    def pattern(self, *args: Any, **keywords: Any) -> Any:
        """Return where the matrix may hold anything but zero, as a boolean `csr_array`."""
        x, sweep = self._sweep(args, keywords)
        found = pattern_of(sweep, x)
        values = np.ones(len(found.rows), dtype=bool)
        return _array(values, found, (np.size(sweep(np.zeros_like(x))), x.size))

    def _columns(
        self, args: tuple[Any, ...], keywords: Mapping[str, Any], sweep: Sweep
    ) -> Callable[[Any], Any]:
        """Return what gives the tangents along the rows of an array: in one sweep where there is one."""

        def one_by_one(directions: Any) -> Any:
            return [sweep(direction) for direction in directions]

        many = self.many
        if many is None:
            return one_by_one
        (dot,) = many.extra

        def at_once(directions: Any) -> Any:
            shape = (len(directions), *_argument(self.tangent, args, keywords).shape)
            try:
                found = many(*args, **{**keywords, dot: directions.reshape(shape)})
            except Unsupported:
                self.many = None  # something here has no form for many directions
                return one_by_one(directions)
            return np.asarray(found).reshape(len(directions), -1)

        return at_once

    def _sweep(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[Any, Sweep]:
        """Return the argument, and what gives the tangent of the result along a direction."""
        function = self.tangent.request.function
        x = _argument(self.tangent, args, keywords)
        if not isinstance(x, np.ndarray) or not x.size:
            raise ArgumentError(
                f"{self.wrt} is no array with elements, and a sparse matrix has a column for each",
                parameter_place(function, self.wrt),
                "Pass an array of floats, or use s2sad.jacobian.",
            )
        (dot,) = self.tangent.extra

        def sweep(direction: Any) -> Any:
            found = self.tangent(*args, **{**keywords, dot: direction.reshape(x.shape)})
            if isinstance(found, (tuple, list, dict)) or fields_of(found) is not None:
                raise ArgumentError(
                    f"{function.__name__} returns a {type(found).__name__}, which is not one matrix",
                    result_place(function),
                    "Return one array.",
                )
            return np.ravel(found)

        return x, sweep


def _argument(
    tangent: DerivativeFunction, args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> Any:
    """Return the argument of a call that the derivative is with respect to."""
    whole = tangent.__signature__
    own = [p for name, p in whole.parameters.items() if name not in tangent.extra]
    name = tangent.request.function.__name__
    bound = bind(name, whole.replace(parameters=own), args, dict(keywords))
    return bound[tangent.request.wrt[0]]


# ---------------------------------------------------------------------------- matrices


def matrix(pattern: Pattern, columns: Callable[[Any], Any], x: Any) -> Any:
    """Return the matrix of which the pattern is known: a direction for each colour.

    `columns` gives the tangents along some of them, at most AT_ONCE, so that memory is bounded.
    """
    values = np.zeros(len(pattern.rows), dtype=x.dtype)
    count = 0
    for first in range(0, max(pattern.sweeps, 1), AT_ONCE):
        colours = np.arange(first, min(first + AT_ONCE, max(pattern.sweeps, 1)))
        found = columns((pattern.colours == colours[:, None]).astype(x.dtype))
        count = len(found[0])
        for colour, column in zip(colours, found, strict=True):
            mine = pattern.colours[pattern.columns] == colour
            values[mine] = column[pattern.rows[mine]]
    return _array(values, pattern, (count, x.size))


def _array(values: Any, pattern: Pattern, shape: tuple[int, int]) -> Any:
    try:
        module: Any = importlib.import_module("scipy.sparse")
    except ImportError:
        raise ArgumentError(
            "a sparse matrix needs SciPy, which is not installed",
            hint="Install SciPy, or use s2sad.jacobian.",
        ) from None
    return module.csr_array((values, (pattern.rows, pattern.columns)), shape=shape)


def _differs(found: Any, sweep: Sweep, x: Any, factor: float) -> bool:
    """Tell whether the product with a random direction is more than `factor` roundings off."""
    direction = np.random.default_rng(x.size).standard_normal(x.size).astype(x.dtype)
    expected = sweep(direction)
    scale = abs(found) @ np.abs(direction)
    rounding = factor * np.finfo(x.dtype).eps
    with np.errstate(all="ignore"):
        off = np.abs(expected - found @ direction) > rounding * (scale + np.max(scale, initial=0.0))
    return bool(np.any(off))


# ---------------------------------------------------------------------------- patterns


def pattern_of(sweep: Sweep, x: Any) -> Pattern:
    """Return which elements of the result may depend on which of x, at these arguments."""
    n = x.size
    width = 1 << max(n - 1, 0).bit_length()
    rows = np.flatnonzero(_touched(sweep, np.ones(n, dtype=bool), x))
    intervals = np.zeros_like(rows)
    while width > 1:
        rows, intervals = _halved(sweep, x, rows, intervals, width)
        width //= 2
    order = np.lexsort((intervals, rows))
    rows, columns = rows[order], intervals[order]
    return Pattern(rows, columns, coloured(rows, columns, n))


def _halved(sweep: Sweep, x: Any, rows: Any, intervals: Any, width: int) -> tuple[Any, Any]:
    """Return which rows have part in which half of each interval of `width` columns."""
    columns = np.arange(x.size)
    colours = coloured(rows, intervals, (x.size - 1) // width + 1)
    side = columns % width >= width // 2
    found: list[tuple[Any, Any]] = []
    for colour in range(colours.max(initial=-1) + 1):
        mine = colours[intervals] == colour
        for right in (False, True):
            asked = (colours[columns // width] == colour) & (side == right)
            if asked.any():
                hit = mine & _touched(sweep, asked, x)[rows]
                found.append((rows[hit], 2 * intervals[hit] + right))
    every = ([pair[k] for pair in found] for k in (0, 1))
    return tuple(np.concatenate([np.zeros(0, dtype=int), *parts]) for parts in every)  # type: ignore[return-value]


def _touched(sweep: Sweep, asked: Any, x: Any) -> Any:
    """Return which elements of the result depend on the asked ones of x."""
    direction = np.where(asked, np.nan, 0.0).astype(x.dtype)
    try:
        with np.errstate(all="ignore"):
            return np.isnan(sweep(direction))
    except (ValueError, np.linalg.LinAlgError) as error:
        raise ArgumentError(
            f"it cannot be told which elements depend on which: {error}",
            hint="A call here refuses nan, as SciPy's do: check_finite=False, or s2sad.jacobian.",
        ) from error


def coloured(rows: Any, columns: Any, count: int) -> Any:
    """Return a colour for each of `count` columns; no row has two columns of one colour."""
    order = np.argsort(columns, kind="stable")
    ends = np.searchsorted(columns[order], np.arange(count + 1)).tolist()
    in_order = rows[order].tolist()
    taken = [0] * (int(rows.max(initial=-1)) + 1)  # the colours of each row, as bits
    colours = np.zeros(count, dtype=int)
    for column in range(count):
        mine = in_order[ends[column] : ends[column + 1]]
        used = 0
        for row in mine:
            used |= taken[row]
        free = ~used & (used + 1)  # the lowest bit that is not set
        for row in mine:
            taken[row] |= free
        colours[column] = free.bit_length() - 1
    return colours
