"""How many items a list has that the block around it makes, and fills in each pass of loops.

hs = []                          hs = [x[0]]                     len(x) items, and 1 + len(x)
for t in range(len(x)):          for row in x:
    h = step(x[t], h)                hs.append(step(row))
    hs.append(h)

Nothing else may change the list, or keep it under a second name.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.ir.expression import Expr, Variable, calls, positional
from s2sad.ir.program import Block, Break, Continue, For, Let, RegionOp, Return, Statement
from s2sad.ir.types import Length
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import bound, expressions, read_in, statements
from s2sad.types import Context, count_of
from s2sad.types.assumptions import depends_on_pass
from s2sad.types.subscripts import whole

Ends = tuple[Length, Length]


def length_of_list(block: Sequence[Statement], listed: Expr, context: Context) -> Length | None:
    """Return the length of a list after the statements of a block; None where it is not known."""
    if listed.op != "name":
        return _length_of(listed, context)
    for place in reversed(range(len(block))):
        made = block[place]
        if isinstance(made, Let) and made.target == listed.data:
            first = _length_of(made.value, context)
            more = _added(block[place + 1 :], listed.data, context)
            return None if first is None or more is None else first + more
        if listed.data in bound(made):
            return None
    return None


def _length_of(value: Expr, context: Context) -> Length | None:
    """Return the length of a list that is written out, or made of the items of a domain."""
    if value.op == "list" and not any(arg.op == "starred" for arg in value.args):
        return Length((), len(value.args))
    is_plain = value.op == "comprehension" and value.data == "list" and len(value.args) == 2
    if is_plain and len(value.args[1].args) == 1:
        return count_of_passes(value.args[1].args[0], context)
    return None


def _added(block: Sequence[Statement], listed: Variable, context: Context) -> Length | None:
    """Return how many items statements add to a list."""
    total = Length()
    for each in block:
        more = _added_by(each, listed, context)
        if more is None:
            return None
        total = total + more
    return total


def _added_by(statement: Statement, listed: Variable, context: Context) -> Length | None:
    if any(listed in bound(each) for each in statements((statement,))):
        return None
    if not any(listed in read_in(each) for each in statements((statement,))):
        return Length()
    if isinstance(statement, For) and not _may_be_left(statement.body):
        count = count_of_passes(statement.domain, context)
        more = _added(statement.body, listed, context)
        if count is None or more is None or depends_on_pass(more):
            return None
        return more * count
    if isinstance(statement, RegionOp) and statement.method == "append":
        is_alone = statement.base.data == listed and listed not in read_in(
            Let((), statement.args[0])
        )
        return Length((), 1) if is_alone else None
    is_read = isinstance(statement, Let) and all(
        _only_reads(expr, listed) for expr in expressions(statement)
    )
    return Length() if is_read else None


def _may_be_left(block: Block) -> bool:
    return any(isinstance(each, Break | Continue | Return) for each in statements(block))


def _only_reads(expr: Expr, listed: Variable) -> bool:
    """Tell whether an expression takes items of a list, or joins them: nothing else gets hold of it."""
    if expr.op == "name":
        return expr.data != listed
    is_numpy = expr.op == "call" and expr.args[0].op == "global"
    is_numpy = is_numpy and expr.args[0].data.text.startswith("np.")
    if is_numpy or expr.op == "subscript" or calls(expr, len):
        return all(arg.op == "name" or _only_reads(arg, listed) for arg in expr.args)
    return all(_only_reads(arg, listed) for arg in expr.args)


# ---------------------------------------------------------------------------- passes


def count_of_passes(domain: Expr, context: Context) -> Length | None:
    """Return how many passes a loop over a domain has."""
    if calls(domain, range) and not domain.data:
        ends = ends_of_range(domain)
        count = None if ends is None else ends[1] - ends[0] + 1
        known = count is not None and context.assumptions.assume_natural(count)
        return count if known else None
    if calls(domain, enumerate) or calls(domain, reversed):
        return count_of_passes(domain.args[1], context) if len(domain.args) == 2 else None
    if calls(domain, zip) and not domain.data:
        counts = {count_of_passes(each, context) for each in positional(domain)}
        return counts.pop() if len(counts) == 1 else None
    is_iterator = isinstance(domain.type, SequenceType) and domain.type.cls not in (list, tuple)
    return None if is_iterator else count_of(domain.type)


def ends_of_range(domain: Expr) -> tuple[Length, Length] | None:
    """Return the least and the greatest number of a range by steps of 1, None of another."""
    bounds = [whole(each) for each in positional(domain)]
    step = bounds[2].constant if len(bounds) > 2 and _is_literal(bounds[2]) else 1
    if len(bounds) > 2 and (not _is_literal(bounds[2]) or abs(step) != 1):
        return None
    start, stop = (Length(), bounds[0]) if len(bounds) == 1 else bounds[:2]
    if start is None or stop is None:
        return None
    return (start, stop - 1) if step > 0 else (stop + 1, start)


def _is_literal(length: Length | None) -> bool:
    return length is not None and length.is_literal
