"""Exits structured once: a function returns at its end only, and nothing follows a break.

for k in range(n):              left = False
    if u[k] > c:                for k in range(n):
        return u[k]                 if u[k] > c:
return c                                left = True
                                        break
                                if left:
                                    result = u[k]
                                else:
                                    result = c
                                return result
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Variable, constant, name
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    For,
    Function,
    If,
    Let,
    Raise,
    Return,
    Statement,
    While,
)
from s2sad.ir.records import replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import UNKNOWN, Array, Number, Numeric, Other, Type
from s2sad.ir.walk import blocks, in_blocks, rewritten, statements, with_blocks
from s2sad.types import join

TRUTH = Number("bool")


def structured(function: Function) -> Function:
    """Return a function whose only Return stands at its end."""
    fresh = Fresh.of(function)
    body = rewritten(function.body, lambda s: _without_returns(s, fresh))
    body = rewritten(body, _loop_structured)
    if not any(map(_returns, body)):
        return replace(function, body=(*body, Return(constant(None), function.span)))
    body = _in_arms(body, _returns)
    if isinstance(body[-1], Return):
        return replace(function, body=body)
    found = [s for s in statements(body) if isinstance(s, Return)]
    result = fresh.variable("result")
    body = _bound_to(body, result)
    end = Return(name(result, _common([s.value.type for s in found])), found[-1].span)
    return replace(function, body=(*body, end))


def _common(types: list[Type]) -> Type:
    """Return the type of what is of one of these, None aside.

    Where numbers and arrays have none in common it is that of most axes.
    """
    types = [type_ for type_ in types if not isinstance(type_, Other)] or types
    joined = functools.reduce(lambda a, b: join(a, b) or UNKNOWN, types)
    if joined == UNKNOWN and all(isinstance(type_, Number | Array | Numeric) for type_ in types):
        return max(types, key=lambda t: (getattr(t, "rank", 0), "f" in getattr(t, "dtype", "")))
    return joined


# ---------------------------------------------------------------------------- returns in loops


def _without_returns(statement: Statement, fresh: Fresh) -> Statement | Block:
    if not isinstance(statement, For | While):
        return statement
    before: list[Statement] = []
    after: list[Statement] = []
    body = tuple(_flagged(statement.body, before, after, fresh))
    return (*before, replace(statement, body=body), *after)


def _flagged(
    block: Block, before: list[Statement], after: list[Statement], fresh: Fresh
) -> Iterator[Statement]:
    """Yield a block of a loop with a flag and a break for each return."""
    for statement in block:
        if isinstance(statement, Return):
            left, span = fresh.variable("left"), statement.span
            before.append(Let(left, constant(False, TRUTH), span))
            after.append(If(name(left, TRUTH), (statement,), (), span))
            yield Let(left, constant(True, TRUTH), span)
            yield Break(span)
            return
        if isinstance(statement, If):
            statement = in_blocks(statement, lambda b: tuple(_flagged(b, before, after, fresh)))
        yield statement


# ---------------------------------------------------------------------------- breaks


def _loop_structured(statement: Statement) -> Statement:
    """Return a statement; in a loop nothing follows a break, and nothing is a continue."""
    if not isinstance(statement, For | While):
        return statement
    return replace(statement, body=_in_arms(statement.body, leaves_pass))


def _in_arms(block: Block, leaves: Callable[[Statement], bool]) -> Block:
    """Return a block in which what follows a branch that may leave it stands in its other arm."""
    for place, statement in enumerate(block):
        if isinstance(statement, Break | Return | Raise):
            return block[: place + 1]
        if isinstance(statement, Continue):
            return block[:place]
        if not leaves(statement):
            continue
        if not isinstance(statement, If):
            raise NotYet("a way out of a block that is no branch", statement.span)
        arms = (_in_arms((*arm, *block[place + 1 :]), leaves) for arm in blocks(statement))
        return (*block[:place], with_blocks(statement, tuple(arms)))
    return block


def leaves_pass(statement: Statement) -> bool:
    """Tell whether a statement may break or continue the loop that it stands in."""
    if isinstance(statement, Break | Continue):
        return True
    if isinstance(statement, For | While):
        return False
    return any(leaves_pass(s) for b in blocks(statement) for s in b)


def is_left(block: Block) -> bool:
    """Tell whether the end of a block is never reached."""
    last = block[-1] if block else None
    if isinstance(last, If):
        return is_left(last.body) and is_left(last.orelse)
    return isinstance(last, Return | Raise | Break | Continue)


def may_be_left(block: Block) -> bool:
    """Tell whether a pass of a loop, or the function, may end in a block."""
    return any(isinstance(each, Break | Continue | Return) for each in statements(block))


# ---------------------------------------------------------------------------- the end


def _bound_to(block: Block, result: Variable) -> Block:
    """Return a block that binds what it returned."""
    if not block:
        return (Let(result, constant(None)),)
    *front, last = block
    if isinstance(last, Return):
        return (*front, Let(result, last.value, last.span))
    if isinstance(last, Raise):
        return block
    if _returns(last):
        arms = tuple(_bound_to(b, result) for b in blocks(last))
        return (*front, with_blocks(last, arms))
    return (*block, Let(result, constant(None)))


def _returns(statement: Statement) -> bool:
    return any(isinstance(s, Return) for s in statements((statement,)))
