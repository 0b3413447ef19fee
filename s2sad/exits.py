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

Body = list[gast.AST]


@dataclass
class Names:
    """The names taken so far, so that invented ones are new."""

    taken: set[str]
    results: list[str] = field(default_factory=list)

    def fresh(self, wanted: str) -> str:
        """Return `wanted`, numbered if it is taken, and take it."""
        name, number = wanted, 2
        while name in self.taken:
            name, number = f"{wanted}_{number}", number + 1
        self.taken.add(name)
        return name


def structure(body: Body, taken: set[str]) -> Body:
    """Return the function body `body` with all early exits turned into branches."""
    names = Names(set(taken))
    block = _block(copy.deepcopy(body), names)
    if not any(_jumps(stmt, gast.Return) for stmt in block):
        return block
    if isinstance(block[-1], gast.Return) and not any(
        _jumps(stmt, gast.Return) for stmt in block[:-1]
    ):
        return block
    return _single_return(block, names)


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
    stmt.body, stmt.orelse = _block(stmt.body, names), _block(stmt.orelse, names)
    if not rest:
        return [stmt]
    if not _falls_through(stmt.body):
        stmt.orelse = _block(stmt.orelse + rest, names)
        return [stmt]
    if not _falls_through(stmt.orelse):
        stmt.body = _block(stmt.body + rest, names)
        return [stmt]
    return _flagged(stmt, rest, names)


def _flagged(stmt: gast.If, rest: Body, names: Names) -> Body:
    """Both branches may go on: jumps set a flag, and the flag decides after the branch."""
    jumps = list(_found(stmt, gast.Return | gast.Break | gast.Continue))
    flags = [names.fresh(_FLAG[type(jump)]) for jump in jumps]
    by_jump = {id(jump): flag for jump, flag in zip(jumps, flags, strict=True)}
    marked = _mark([stmt], by_jump, flags, stmt)
    out = [_set(flag, False, stmt) for flag in flags] + marked
    tail: Body = rest
    for jump, flag in zip(reversed(jumps), reversed(flags), strict=True):
        tail = [_if(_name(flag, stmt), [jump], tail, stmt)]
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
        return [*out, _if(_none_set(inner, stmt), rest, [], stmt)] if rest else out
    return out


def _none_set(flags: list[str], at: gast.AST) -> gast.AST:
    values = [_at(gast.UnaryOp(op=gast.Not(), operand=_name(flag, at)), at) for flag in flags]
    return values[0] if len(values) == 1 else _at(gast.BoolOp(op=gast.And(), values=values), at)


# ---------------------------------------------------------------- loops


def _loop(loop: gast.AST, names: Names) -> tuple[Body, Body]:
    """Return the loop with what sets its flags before it, and what must follow it."""
    body = _without_continue(_block(loop.body, names))
    before: Body = []
    after: Body = []
    body = _returns_to_breaks(body, loop, names, before, after)
    if loop.orelse:
        body = _else_flag(body, loop, names, before, after)
    loop.body, loop.orelse = body, []
    return [*before, loop], after


def _returns_to_breaks(
    body: Body, loop: gast.AST, names: Names, before: Body, after: Body
) -> Body:
    def leave(stmt: gast.AST) -> Body:
        flag = getattr(stmt, "s2sad_flag", None)
        known = flag is not None
        flag = flag or names.fresh("left")
        again = copy.copy(stmt)
        again.s2sad_flag = flag
        before.append(_set(flag, False, loop))
        after.append(_if(_name(flag, stmt), [again], [], stmt))
        # an inner loop's `if left: return` already runs only where the flag is set
        marks = [] if known else [_set(flag, True, stmt)]
        return [*marks, _at(gast.Break(), stmt)]

    return _replaced(body, gast.Return, leave)


def _else_flag(body: Body, loop: gast.AST, names: Names, before: Body, after: Body) -> Body:
    if not any(_jumps(stmt, gast.Break) for stmt in body):
        after[:0] = loop.orelse
        return body
    flag = names.fresh("broke")
    before.append(_set(flag, False, loop))
    body = _replaced(body, gast.Break, lambda stmt: [_set(flag, True, stmt), stmt])
    tests = after.copy()
    after[:] = [_if(_name(flag, loop), tests or [_at(gast.Pass(), loop)], loop.orelse, loop)]
    return body


def _without_continue(body: Body) -> Body:
    # after `_block` a continue is the last statement of its path: the pass ends there anyway
    return _replaced(body, gast.Continue, lambda stmt: [])


def _replaced(body: Body, kind: type, change: Callable[[gast.AST], Body]) -> Body:
    out: Body = []
    for stmt in body:
        if isinstance(stmt, kind):
            out += change(stmt)
        elif isinstance(stmt, gast.If):
            stmt.body = _replaced(stmt.body, kind, change) or [_at(gast.Pass(), stmt)]
            stmt.orelse = _replaced(stmt.orelse, kind, change)
            out.append(stmt)
        else:
            out.append(stmt)
    return out


# ---------------------------------------------------------------- the one return


def _single_return(block: Body, names: Names) -> Body:
    returns = [part for stmt in block for part in _found(stmt, gast.Return)]
    widths = {
        len(each.value.elts) if isinstance(each.value, gast.Tuple) else 0 for each in returns
    }
    width = widths.pop() if len(widths) == 1 else 0
    falls = _falls_through(block)
    width = 0 if falls else width
    targets = [names.fresh("result") for _ in range(width or 1)]

    def store(stmt: gast.AST) -> Body:
        value = stmt.value if stmt.value is not None else _at(gast.Constant(None, None), stmt)
        values = value.elts if width else [value]
        stores = [_store(target, stmt) for target in targets]
        if width:
            left = _at(gast.Tuple(elts=stores, ctx=gast.Store()), stmt)
            right = _at(gast.Tuple(elts=values, ctx=gast.Load()), stmt)
            return [_at(gast.Assign(targets=[left], value=right, type_comment=None), stmt)]
        return [_at(gast.Assign(targets=stores, value=values[0], type_comment=None), stmt)]

    block = _replaced(block, gast.Return, store)
    last = returns[-1]
    loads = [_name(target, last) for target in targets]
    value = _at(gast.Tuple(elts=loads, ctx=gast.Load()), last) if width else loads[0]
    before = [_none_result(targets[0], last)] if falls else []
    return [*before, *block, _at(gast.Return(value=value), last)]


def _none_result(target: str, at: gast.AST) -> gast.AST:
    none = _at(gast.Constant(None, None), at)
    return _at(gast.Assign(targets=[_store(target, at)], value=none, type_comment=None), at)


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
    for part in _inside(stmt):
        if isinstance(part, kinds):
            return True
        if isinstance(part, gast.For | gast.While) and _loop_jumps(part, kinds):
            return True
    return False


def _loop_jumps(loop: gast.AST, kinds: type) -> bool:
    return any(
        isinstance(part, gast.Return) and issubclass(gast.Return, kinds)
        for stmt in (*loop.body, *loop.orelse)
        for part in gast.walk(stmt)
    )


# ---------------------------------------------------------------- building


def _at(node: gast.AST, place: gast.AST) -> gast.AST:
    return gast.copy_location(node, place)


def _name(name: str, at: gast.AST) -> gast.AST:
    return _at(gast.Name(id=name, ctx=gast.Load(), annotation=None, type_comment=None), at)


def _store(name: str, at: gast.AST) -> gast.AST:
    return _at(gast.Name(id=name, ctx=gast.Store(), annotation=None, type_comment=None), at)


def _set(name: str, value: bool, at: gast.AST) -> gast.AST:
    constant = _at(gast.Constant(value=value, kind=None), at)
    return _at(gast.Assign(targets=[_store(name, at)], value=constant, type_comment=None), at)


def _if(test: gast.AST, body: Body, orelse: Body, at: gast.AST) -> gast.AST:
    return _at(gast.If(test=test, body=body, orelse=orelse), at)
