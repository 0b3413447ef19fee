"""Early `return`, `break` and `continue` become branches and flags; nothing after here knows them.

    for v in xs:                       left = False
        if v > 1:                      for v in xs:
            return v                       if v > 1:
    return 0                                   left = True
                                               break
                                       if left:
                                           result = v
                                       else:
                                           result = 0
                                       return result

Afterwards a Return stands only at the end of the function, a Break only last in its branch.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import gast

from s2sad.legacy.desugar.syntax import (
    all_of,
    assign,
    branch,
    constant,
    display,
    name,
    negated,
    placed,
    stored,
)
from s2sad.source.fresh import free

Body = list[gast.AST]


@dataclass
class Names:
    """The names taken so far, so that invented ones are new."""

    taken: set[str]
    results: list[str] = field(default_factory=list)

    def fresh(self, wanted: str) -> str:
        """Return `wanted`, numbered if it is taken, and take it."""
        name = free(wanted, self.taken)
        self.taken.add(name)
        return name


# a longer chain of exits goes on under a flag, so that nothing is nested deeper than this
CHAIN = 12


def structure(body: Body, taken: set[str]) -> Body:
    """Return the function body `body` with all early exits turned into branches."""
    names = Names(set(taken))
    first, *parts = _parts(_copied(body))
    if parts:
        return _in_parts([first, *parts], names)
    block = _block(first, names)
    if not any(_jumps(stmt, gast.Return) for stmt in block):
        return block
    if isinstance(block[-1], gast.Return) and not any(
        _jumps(stmt, gast.Return) for stmt in block[:-1]
    ):
        return block
    return _single_return(block, names)


def _copied(body: Body) -> Body:
    """Copy the statements whose blocks are changed here; expressions are shared, never changed."""
    out: Body = []
    for stmt in body:
        if isinstance(stmt, gast.If | gast.For | gast.While):
            stmt = copy.copy(stmt)
            stmt.body, stmt.orelse = _copied(stmt.body), _copied(stmt.orelse)
        out.append(stmt)
    return out


# ---------------------------------------------------------------- one block


def _block(body: Body, names: Names) -> Body:
    out: Body = []
    for position, stmt in enumerate(body):
        rest = body[position + 1 :]
        if isinstance(stmt, gast.Return | gast.Break | gast.Continue):
            return [*out, stmt]
        if isinstance(stmt, gast.For | gast.While):
            stmt, after = _loop(stmt, names)
            out += stmt
            if after:
                return out + _block(after + rest, names)
        elif isinstance(stmt, gast.If) and _jumps(stmt, gast.Return | gast.Break | gast.Continue):
            return out + _branch(stmt, rest, names)
        elif isinstance(stmt, gast.If):
            stmt.body, stmt.orelse = _block(stmt.body, names), _block(stmt.orelse, names)
            out.append(stmt)
        else:
            out.append(stmt)
    return out


def _branch(stmt: gast.If, rest: Body, names: Names) -> Body:
    """Place `rest`, what follows a branch that may jump, where the flow gets to it."""
    then, orelse = stmt.body, stmt.orelse
    if rest and not _falls_through(then):
        orelse, rest = orelse + rest, []
    elif rest and not _falls_through(orelse):
        then, rest = then + rest, []
    stmt.body, stmt.orelse = _block(then, names), _block(orelse, names)
    return _flagged(stmt, rest, names) if rest else [stmt]


def _flagged(stmt: gast.If, rest: Body, names: Names) -> Body:
    """Both branches may go on: jumps set a flag, and the flag decides after the branch."""
    jumps = list(_found(stmt, gast.Return | gast.Break | gast.Continue))
    flags = [names.fresh(_FLAG[type(jump)]) for jump in jumps]
    by_jump = {id(jump): flag for jump, flag in zip(jumps, flags, strict=True)}
    marked = _mark([stmt], by_jump, flags, stmt)
    out = [_set(flag, False, stmt) for flag in flags] + marked
    tail: Body = rest
    for jump, flag in zip(reversed(jumps), reversed(flags), strict=True):
        tail = [branch(name(flag, stmt), [jump], tail, stmt)]
    return out + _block(tail, names)


_FLAG = {gast.Return: "left", gast.Break: "stop", gast.Continue: "skip"}


def _mark(body: Body, flag_of: dict[int, str], flags: list[str], at: gast.AST) -> Body:
    out: Body = []
    for position, stmt in enumerate(body):
        if id(stmt) in flag_of:
            return [*out, _set(flag_of[id(stmt)], True, stmt)]
        if not (isinstance(stmt, gast.If) and any(id(part) in flag_of for part in _inside(stmt))):
            out.append(stmt)
            continue
        inner = [flag_of[id(part)] for part in _inside(stmt) if id(part) in flag_of]
        stmt.body = _mark(stmt.body, flag_of, flags, at)
        stmt.orelse = _mark(stmt.orelse, flag_of, flags, at)
        rest = _mark(body[position + 1 :], flag_of, flags, at)
        out.append(stmt)
        return [*out, branch(_none_set(inner, stmt), rest, [], stmt)] if rest else out
    return out


def _none_set(flags: list[str], at: gast.AST) -> gast.AST:
    return all_of([negated(name(flag, at), at) for flag in flags], at)


# ---------------------------------------------------------------- loops


def _loop(loop: gast.AST, names: Names) -> tuple[Body, Body]:
    """Return the loop with what sets its flags before it, and what must follow it."""
    body = _without_continue(_block(loop.body, names))
    before: Body = []
    after: Body = []
    endless = _is_endless(loop, body)
    completed: Body = []
    if loop.orelse:
        body = _else_flag(body, loop, names, before, completed)
    body = _returns_to_breaks(body, loop, names, before, after)
    if endless and after:
        # one of the flags is set; an outer loop sets its own for a return without a flag
        (last,) = after.pop().body
        after.append(_plain_return(last))
    after += completed
    loop.body, loop.orelse = body or [placed(gast.Pass(), loop)], []
    return [*before, loop], after


def _returns_to_breaks(body: Body, loop: gast.AST, names: Names, before: Body, after: Body) -> Body:
    def leave(stmt: gast.AST) -> Body:
        flag = getattr(stmt, "s2sad_flag", None)
        known = flag is not None
        flag = flag or names.fresh("left")
        again = copy.copy(stmt)
        again.s2sad_flag = flag
        before.append(_set(flag, False, loop))
        after.append(branch(name(flag, stmt), [again], [], stmt))
        # an inner loop's `if left: return` already runs only where the flag is set
        marks = [] if known else [_set(flag, True, stmt)]
        return [*marks, placed(gast.Break(), stmt)]

    return _replaced(body, gast.Return, leave)


def _is_endless(loop: gast.AST, body: Body) -> bool:
    """Tell whether only a return ends a loop."""
    return (
        isinstance(loop, gast.While)
        and isinstance(loop.test, gast.Constant)
        and bool(loop.test.value)
        and not any(_jumps(stmt, gast.Break) for stmt in body)
    )


def _plain_return(stmt: gast.AST) -> gast.AST:
    return placed(gast.Return(value=stmt.value), stmt)


def _else_flag(body: Body, loop: gast.AST, names: Names, before: Body, after: Body) -> Body:
    if not any(_jumps(stmt, gast.Break) for stmt in body):
        after += loop.orelse
        return body
    flag = names.fresh("broke")
    before.append(_set(flag, False, loop))
    after.append(branch(_none_set([flag], loop), loop.orelse, [], loop))
    return _replaced(body, gast.Break, lambda stmt: [_set(flag, True, stmt), stmt])


def _without_continue(body: Body) -> Body:
    # after `_block` a continue is the last statement of its path: the pass ends there anyway
    return _replaced(body, gast.Continue, lambda stmt: [])


def _replaced(body: Body, kind: type, change: Callable[[gast.AST], Body]) -> Body:
    out: Body = []
    for stmt in body:
        if isinstance(stmt, kind):
            out += change(stmt)
        elif isinstance(stmt, gast.If):
            stmt.body = _replaced(stmt.body, kind, change) or [placed(gast.Pass(), stmt)]
            stmt.orelse = _replaced(stmt.orelse, kind, change)
            out.append(stmt)
        else:
            out.append(stmt)
    return out


# ---------------------------------------------------------------- the one return


def _single_return(block: Body, names: Names) -> Body:
    returns = [part for stmt in block for part in _found(stmt, gast.Return)]
    result = _Result.of(returns, _falls_through(block), names)
    return result.around(_replaced(block, gast.Return, result.stored))


@dataclass(frozen=True)
class _Result:
    """The names that hold what is returned: several where every return gives as many values."""

    targets: tuple[str, ...]
    falls: bool
    last: gast.AST

    @classmethod
    def of(cls, returns: Body, falls: bool, names: Names) -> _Result:
        """Return the names for what `returns` give; None is returned where the flow `falls`."""
        widths = {
            len(each.value.elts) if isinstance(each.value, gast.Tuple) else 0 for each in returns
        }
        width = 0 if falls or len(widths) > 1 else widths.pop()
        targets = tuple(names.fresh("result") for _ in range(width or 1))
        return cls(targets, falls, returns[-1])

    def stored(self, stmt: gast.AST) -> Body:
        """Return the assignment that stands for the return `stmt`."""
        value = stmt.value if stmt.value is not None else constant(None, stmt)
        return [assign(_display(self.targets, stmt, store=True), value, stmt)]

    def around(self, block: Body) -> Body:
        """Return the block with the one return at its end."""
        none = assign(self.targets[0], constant(None, self.last), self.last)
        before = [none] if self.falls else []
        value = _display(self.targets, self.last)
        return [*before, *block, placed(gast.Return(value=value), self.last)]


def _display(names: tuple[str, ...], at: gast.AST, store: bool = False) -> gast.AST:
    parts = [(stored if store else name)(each, at) for each in names]
    return parts[0] if len(parts) == 1 else display(gast.Tuple, parts, at, store)


# ---------------------------------------------------------------- long chains of returns


def _parts(body: Body) -> list[Body]:
    """Cut a body after every `CHAIN` statements that may return."""
    parts: list[Body] = [[]]
    exits = 0
    for stmt in body:
        if exits == CHAIN:
            parts.append([])
            exits = 0
        parts[-1].append(stmt)
        exits += _jumps(stmt, gast.Return)
    return parts


def _in_parts(parts: list[Body], names: Names) -> Body:
    """Run each part only where no part before it has returned."""
    blocks = [_block(part, names) for part in parts]
    returns = [part for block in blocks for stmt in block for part in _found(stmt, gast.Return)]
    result = _Result.of(returns, _falls_through(blocks[-1]), names)
    done, at = names.fresh("done"), parts[0][0]

    def kept(stmt: gast.AST) -> Body:
        return [*result.stored(stmt), _set(done, True, stmt)]

    out = [_set(done, False, at), *_replaced(blocks[0], gast.Return, kept)]
    for block in blocks[1:-1]:
        out.append(branch(_none_set([done], at), _replaced(block, gast.Return, kept), [], at))
    last = _replaced(blocks[-1], gast.Return, result.stored)
    return result.around([*out, branch(_none_set([done], at), last, [], at)])


# ---------------------------------------------------------------- looking


def _falls_through(body: Body) -> bool:
    """Tell whether the flow may reach the end of `body`."""
    for stmt in body:
        if isinstance(stmt, gast.Return | gast.Break | gast.Continue | gast.Raise):
            return False
        if isinstance(stmt, gast.If) and not (
            _falls_through(stmt.body) or _falls_through(stmt.orelse)
        ):
            return False
    return True


def _inside(stmt: gast.AST) -> Iterator[gast.AST]:
    """Yield `stmt` and the statements in its branches, not those of loops inside it."""
    yield stmt
    if isinstance(stmt, gast.If):
        for part in (*stmt.body, *stmt.orelse):
            yield from _inside(part)


def _found(stmt: gast.AST, kinds: type) -> Iterator[gast.AST]:
    return (part for part in _inside(stmt) if isinstance(part, kinds))


def _jumps(stmt: gast.AST, kinds: type) -> bool:
    """Tell whether `stmt` holds a jump that leaves it; a return leaves loops as well."""
    return any(
        isinstance(part, kinds)
        or (isinstance(part, gast.For | gast.While) and _leaves(part, kinds))
        for part in _inside(stmt)
    )


def _leaves(loop: gast.AST, kinds: type) -> bool:
    # a break in the else of a loop belongs to the loop around it
    leaving = issubclass(gast.Return, kinds)
    return any(_jumps(stmt, kinds) for stmt in loop.orelse) or (
        leaving and any(_jumps(stmt, gast.Return) for stmt in loop.body)
    )


# ---------------------------------------------------------------- building


def _set(flag: str, value: bool, at: gast.AST) -> gast.AST:
    return assign(flag, constant(value, at), at)
