"""How many items a list has that the block around it makes, and fills in each pass of loops.

hs = [h]                         1 + len(x) items, if nothing else changes the list
for t in range(len(x)):          or keeps it under a second name
    h = step(x[t], h)
    hs.append(h)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import mul

from s2sad.ir.expression import Expr, Variable, calls, positional, text_of_call
from s2sad.ir.program import Break, Continue, For, Let, RegionOp, Return, Statement, Store
from s2sad.ir.types import Length, Number
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import bound, expressions, read_in, read_variables, statements, written_to
from s2sad.types import Context, count_of
from s2sad.types.assumptions import depends_on_pass
from s2sad.types.subscripts import count_of_range, whole

Ends = tuple[Length, Length]
LEAVES = Break | Continue | Return


def length_of_list(block: Sequence[Statement], listed: Expr, context: Context) -> Length | None:
    """Return the length of a list after the statements of a block; None where it is not known."""
    if listed.op != "name":
        return _made_length(listed, context, block)
    for place in reversed(range(len(block))):
        value = _bound_to(block[place], listed.data)
        if value is not None:
            first = _made_length(value, context, block[:place])
            more = _added(block[place + 1 :], listed.data, context)
            return None if first is None or more is None else first + more
    return None


def _bound_to(statement: Statement, variable: Variable) -> Expr | None:
    """Return what a statement binds a name to, alone or beside others: xs, ys = [], []."""
    if not isinstance(statement, Let):
        return None
    target, value = statement.target, statement.value
    if isinstance(target, tuple) and value.op == "tuple" and len(value.args) == len(target):
        if not any(arg.op == "starred" for arg in value.args):
            return next((v for t, v in zip(target, value.args, strict=True) if t == variable), None)
    return value if target == variable else None


def _made_length(made: Expr, context: Context, block: Sequence[Statement] = ()) -> Length | None:
    """Return the length of a list that is written out, repeated, or of a range: [0.0] * n."""
    if calls(made, list) and len(made.args) == 2 and calls(made.args[1], range):
        found = count_of_range(positional(made.args[1]), context.assumptions)
        return None if depends_on_pass(found) else found
    if made.op == "list" and not any(arg.op == "starred" for arg in made.args):
        return Length((), len(made.args))
    if made.op == "comprehension" and made.data == "list":
        counts = [_passes_of(each, context, block) for each in made.args[1:]]
        return None if None in counts else reduce(mul, counts)  # type: ignore[arg-type]
    if made.op != "binary" or made.data not in ("*", "+"):
        return None
    first, second = (_made_length(arg, context) or whole(arg) for arg in made.args)
    if first is None or second is None or not (first.is_sum and second.is_sum):
        return None
    found = first * second if made.data == "*" else first + second
    return None if depends_on_pass(found) else found


def _passes_of(generator: Expr, context: Context, block: Sequence[Statement]) -> Length | None:
    """Return how many items a generator of a comprehension gives; None where it leaves some out."""
    over, *tests = generator.args
    found = None if tests else passes(over, context) or length_of_list(block, over, context)
    return None if found is None or depends_on_pass(found) else found


def _added(block: Sequence[Statement], listed: Variable, context: Context) -> Length | None:
    """Return how many items statements add to a list; None where they may do more with it."""
    total = Length()
    for each in block:
        inside = tuple(statements((each,)))
        if any(listed in bound(s) for s in inside):
            return None
        if not any(listed in read_in(s) for s in inside):
            continue
        if isinstance(each, RegionOp) and each.method == "append" and each.base.data == listed:
            more = None if listed in read_variables(each.args[0]) else Length((), 1)
        elif (
            isinstance(each, Let | Store)
            and (written_to(each) != listed or _puts_item(each))
            and (_unpacks(each) or all(_only_reads(e, listed) for e in expressions(each)))
        ):
            more = Length()
        elif isinstance(each, For) and not any(isinstance(s, LEAVES) for s in inside):
            count, once = passes(each.domain, context), _added(each.body, listed, context)
            more = None if count is None or once is None else once * count
        else:
            return None
        if more is None or depends_on_pass(more):
            return None
        total = total + more
    return total


def _unpacks(statement: Statement) -> bool:
    """Tell whether a statement gives each item of a list a name: a, b = xs."""
    pairs = isinstance(statement, Let) and isinstance(statement.target, tuple)
    return pairs and statement.value.op == "name"  # type: ignore[union-attr]


def _puts_item(statement: Statement) -> bool:
    """Tell whether a statement puts another item in the place of one: xs[k] = -1."""
    is_store = isinstance(statement, Store) and statement.target.op == "subscript"
    return is_store and isinstance(statement.target.args[1].type, Number)


def _only_reads(expr: Expr, listed: Variable) -> bool:
    """Tell whether an expression takes items of a list, or joins them: nobody else gets hold of it."""
    if expr.op == "name":
        return bool(expr.data != listed)
    takes = text_of_call(expr).startswith("np.") or calls(expr, len)
    takes = takes or expr.op in ("subscript", "generator")
    return all((takes and arg.op == "name") or _only_reads(arg, listed) for arg in expr.args)


def passes(domain: Expr, context: Context) -> Length | None:
    """Return how many passes a loop over a domain has."""
    if (calls(domain, reversed) or calls(domain, enumerate)) and len(domain.args) >= 2:
        return passes(domain.args[1], context)
    if calls(domain, zip) and positional(domain):
        first, *others = (passes(each, context) for each in positional(domain))
        return first if all(each == first for each in others) else None
    if calls(domain, range) and not domain.data:
        ends = ends_of_range(domain)
        count = None if ends is None else ends[1] - ends[0] + 1
        known = count is not None and context.assumptions.assume_natural(count)
        return count if known else None
    is_iterator = isinstance(domain.type, SequenceType) and domain.type.cls not in (list, tuple)
    return None if is_iterator else count_of(domain.type)


def ends_of_range(domain: Expr) -> Ends | None:
    """Return the least and the greatest number of a range by steps of 1, None for another domain."""
    if calls(domain, reversed) and len(domain.args) == 2:
        return ends_of_range(domain.args[1])
    if not calls(domain, range) or domain.data:
        return None
    bounds = [whole(each) for each in positional(domain)]
    step = bounds[2] if len(bounds) > 2 else Length((), 1)
    start, stop = (Length(), bounds[0]) if len(bounds) == 1 else bounds[:2]
    if start is None or stop is None or step is None or abs(step.constant) != 1:
        return None
    ends = (start, stop - 1) if step.constant > 0 else (stop + 1, start)
    return ends if step.is_literal else None
