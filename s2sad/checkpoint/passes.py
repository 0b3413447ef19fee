"""Which elements the passes of a loop read and store: what no later pass overwrites is not saved.

    for i in range(n - 1):
        y[i + 1] = a * np.sin(y[i])      y[i] of an earlier pass is stored to by no later one

Positions are compared where they are a counter of a loop and a number: i + 1, and i of a pass
before. A part of a subscript that is something else stands for its whole axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace

from s2sad.analysis.tuples import literal_position
from s2sad.checkpoint.needs import Content
from s2sad.ir.expression import Expr, Variable, calls, index_parts
from s2sad.ir.program import For, Statement, Store
from s2sad.ir.types import Number
from s2sad.ir.walk import read_variables
from s2sad.operators.spreading import EVERYTHING


@dataclass(frozen=True, slots=True)
class Counter:
    """A name that only a loop binds: whether it grows from pass to pass, and its least value."""

    grows: bool
    least: int


def counters(statement: Statement | None) -> Iterator[tuple[Variable, Counter]]:
    """Yield the counter of a loop, if its direction and its least value are known."""
    if not isinstance(statement, For):
        return
    target, domain = statement.target, statement.domain
    if isinstance(target, tuple) and calls(domain, enumerate) and len(domain.args) == 2:
        if not domain.data and isinstance(target[0], Variable):
            yield target[0], Counter(True, 0)
    elif isinstance(target, Variable):
        found = _of_range(domain)
        if found is not None:
            yield target, found


def _of_range(domain: Expr) -> Counter | None:
    """Return what is known of the numbers that a range gives."""
    if calls(domain, reversed):
        inner = _of_range(domain.args[1])
        return None if inner is None else replace(inner, grows=not inner.grows)
    if not calls(domain, range) or domain.data:
        return None
    bounds = domain.args[1:]
    if len(bounds) == 1:
        return Counter(True, 0)
    start, stop = (literal_position(b) for b in bounds[:2])
    step = 1 if len(bounds) == 2 else literal_position(bounds[2])
    if step is None or step == 0:
        return None
    least = start if step > 0 else None if stop is None else stop + 1
    return None if least is None else Counter(step > 0, least)


def of_earlier_pass(need: Content, changed: Set[object], own: Set[object]) -> Content:
    """Return a need as the next pass of a loop sees it.

    `changed` is what the loop changes, `own` the names that it binds to its items.
    """
    if need.variable in changed:
        return Content(need.site)
    reads = _variables(need)
    return replace(
        _widened(need, (reads & changed) - own), earlier=need.earlier | (reads & changed & own)
    )


def after_loop(need: Content, own: Set[object]) -> Content:
    """Return a need as it is seen after a loop that binds these names."""
    return _widened(need, _variables(need) & own)


def _variables(need: Content) -> frozenset[Variable]:
    return frozenset(read_variables(need.index)) if need.index is not None else frozenset()


def _widened(need: Content, names: Set[object]) -> Content:
    """Return a need of the whole axes that parts with these names are positions on."""
    if not names or need.index is None:
        return need
    parts = []
    for part in index_parts(need.index):
        if names.isdisjoint(read_variables(part)):
            parts.append(part)
        elif part.op == "slice" or _is_position(part):
            parts.append(EVERYTHING)
        else:
            return Content(need.site)
    index = parts[0] if need.index.op != "tuple" else need.index.with_args(parts)
    return replace(need, index=index, earlier=need.earlier - names)


def are_apart_in_passes(need: Content, store: Store, known: Mapping[Variable, Counter]) -> bool:
    """Tell whether a store of this pass surely leaves the elements alone that are needed."""
    target = store.target
    if target.op != "subscript" or need.index is None or need.variable is None:
        return False
    if target.args[0].op != "name" or target.args[0].data != need.variable:
        return False
    for read, stored in zip(index_parts(need.index), index_parts(target.args[1]), strict=False):
        if not _is_one_axis(read) or not _is_one_axis(stored):
            return False
        if _differ(read, stored, need.earlier, known):
            return True
    return False


def _differ(
    read: Expr, stored: Expr, earlier: Set[Variable], known: Mapping[Variable, Counter]
) -> bool:
    """Tell whether two positions differ: one of this or an earlier pass, the other of this."""
    one, other = _from_counter(read), _from_counter(stored)
    if one is None or other is None or one[0] != other[0] or one[0] not in known:
        return False
    variable, place, later = one[0], one[1], other[1]
    counter = known[variable]
    if counter.least + min(place, later) < 0:  # it may count from the end
        return False
    if variable not in earlier:
        return place != later
    return place <= later if counter.grows else place >= later


def _from_counter(part: Expr) -> tuple[Variable, int] | None:
    """Return the variable and the number of which a position is the sum."""
    if part.op == "name":
        return part.data, 0
    if part.op != "binary" or part.data not in ("+", "-"):
        return None
    left, right = part.args
    if left.op == "name":
        offset = literal_position(right)
        sign = 1 if part.data == "+" else -1
        return None if offset is None else (left.data, sign * offset)
    offset = literal_position(left)
    if right.op == "name" and part.data == "+" and offset is not None:
        return right.data, offset
    return None


def _is_one_axis(part: Expr) -> bool:
    return part.op == "slice" or _is_position(part)


def _is_position(part: Expr) -> bool:
    if literal_position(part) is not None:
        return True
    return isinstance(part.type, Number) and part.type.dtype.startswith(("int", "uint"))
