"""Shapes of operands become the shape of the result: broadcasting, slices, axes.

(n, 1) with (m,)    ->  (n, m)
u[1:-1] of (n,)     ->  (n-2,)
sum over axis 0     ->  (n, m) to (m,)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from s2sad.legacy.facts.fact import ANY, ONE, Dim, Fact, Shape, Token, constant

# gives the common length of two lengths of which nothing is proved, or None
Meet = Callable[[Dim, Dim], Dim | None]


def broadcast(a: Fact, b: Fact) -> Shape:
    """Return the shape of an elementwise operation on two values, None where not provable."""
    return broadcast_shapes(a.shape, b.shape, lambda *_: None)


def broadcast_shapes(a: Shape, b: Shape, meet: Meet) -> Shape:
    """Return the common shape of two, `meet` deciding about lengths that may differ."""
    if a == () or b == ():
        return b if a == () else a
    if a is None or b is None:
        return None
    if isinstance(a, Token) or isinstance(b, Token):
        return a if a == b else None
    rank = max(len(a), len(b))
    left, right = rank - len(a), rank - len(b)
    dims = []
    for i in range(rank):
        dim = _common(a, i - left, b, i - right, meet)
        if dim is None:
            return None
        dims.append(dim)
    return tuple(dims)


def _common(a: Sequence[Dim], i: int, b: Sequence[Dim], j: int, meet: Meet) -> Dim | None:
    if i < 0 or j < 0:
        return b[j] if i < 0 else a[i]
    if a[i] == b[j] and a[i] != ANY:
        return a[i]
    if ONE in (a[i], b[j]):
        return b[j] if a[i] == ONE else a[i]
    return meet(a[i], b[j])


def shortened(dim: Dim, by: int) -> Dim:
    """Return the length that is left when `by` >= 0 elements are cut off."""
    if dim.symbol:
        return Dim(dim.symbol, dim.offset - by)
    return constant(max(0, dim.offset - by))


def is_exact(dim: Dim) -> bool:
    """Tell whether symbol + offset is surely not negative, so that more can be added to it."""
    return dim.offset >= 0 and not dim.symbol.startswith(("#", "?"))


def summed_dim(dims: Sequence[Dim]) -> Dim | None:
    """Return the sum of lengths where a Dim can hold it."""
    symbols = [dim for dim in dims if dim.symbol]
    if len(symbols) > 1 or not all(map(is_exact, dims)):
        return None
    total = sum(dim.offset for dim in dims)
    return Dim(symbols[0].symbol if symbols else "", total)


def product_dim(dims: Sequence[Dim]) -> Dim | None:
    """Return the product of lengths where a Dim can hold it."""
    count, others = 1, []
    for dim in dims:
        if dim.symbol:
            others.append(dim)
        else:
            count *= dim.offset
    if not others or count == 0:
        return constant(count)
    return others[0] if count == 1 and len(others) == 1 else None


def slice_dim(
    dim: Dim, lower: Dim | None, upper: Dim | None, step: int | None, named: Callable[[], Dim]
) -> Dim:
    """Return the length of a slice; `named` gives it a symbol when no Dim can hold it.

    `lower` and `upper` are None when left out.
    """
    ends = (lower, upper)
    if not dim.symbol and step is not None and not any(end and end.symbol for end in ends):
        start, stop = (None if end is None else end.offset for end in ends)
        return constant(len(range(*slice(start, stop, step).indices(dim.offset))))
    if step == -1 and lower is None and upper is None:
        return dim
    first = 0 if lower is None else -1 if lower.symbol else lower.offset
    cut = 0 if upper is None else _cut_from_end(dim, upper)
    if step != 1 or first < 0 or cut is None:
        return named()
    return shortened(dim, first + cut)


def _cut_from_end(dim: Dim, upper: Dim) -> int | None:
    """Return how many elements an upper bound leaves out at the end."""
    if not upper.symbol:
        return -upper.offset if upper.offset < 0 else None
    if upper.symbol != dim.symbol:
        return None
    cut = dim.offset - upper.offset
    # u[:n-3] of length 2 is u[:-1]: a bound that turns negative counts from the end
    return max(cut, 0) if cut <= 2 else None


def token_slice(token: Token, lower: Dim | None, upper: Dim | None, step: int | None) -> Shape:
    """Return the shape of `x[lower:upper:step]` where only the name of x's shape is known."""
    if step == -1 and lower is None and upper is None:
        return token
    if step != 1 or any(end is not None and end.symbol for end in (lower, upper)):
        return None
    start = 0 if lower is None else lower.offset
    stop = 0 if upper is None else upper.offset
    if start < 0 or (upper is not None and stop >= 0):
        return None
    return Token(token.name, token.trim + start - stop)


def normal_axis(axis: int, rank: int) -> int | None:
    """Return an axis counted from the front, None when there is no such axis."""
    return axis % rank if -rank <= axis < rank else None


def without_axes(dims: tuple[Dim, ...], axes: Sequence[int], keep: bool) -> tuple[Dim, ...]:
    """Return the lengths that a reduction over `axes` leaves."""
    if keep:
        return tuple(ONE if i in axes else dim for i, dim in enumerate(dims))
    return tuple(dim for i, dim in enumerate(dims) if i not in axes)


def permuted(dims: tuple[Dim, ...], order: Sequence[int]) -> tuple[Dim, ...]:
    """Return the lengths in a new order."""
    return tuple(dims[i] for i in order)
