"""`try` becomes a trial, which tells what fails, and a branch, which is differentiated.

try:                               try:
    y = math.log(x)                    math.log(x)
except ValueError:         ->          failed = False
    y = 0.0                        except ValueError:
                                       failed = True
                                   if failed:
                                       y = 0.0
                                   else:
                                       y = math.log(x)

The trial computes what may fail a second time, under names of its own: nothing in it may be seen
outside. What it raises and nobody handles comes through as it does from the function itself.
"""

from __future__ import annotations

import builtins
import copy
from collections.abc import Iterator
from types import FunctionType

import gast
import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar.cutting import (
    LEAVING,
    always_leaves,
    around_what_may_fail,
    bound_at_once,
    in_two,
    is_past,
    left_at_ends,
)
from s2sad.legacy.desugar.giving import is_seen_to_write
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.remade import body_of, functions_read
from s2sad.legacy.desugar.renaming import renamed
from s2sad.legacy.desugar.syntax import (
    Body,
    Node,
    assign,
    binary,
    bound_names,
    branch,
    compare,
    constant,
    jumps,
    name,
    own_nodes,
    placed,
    statement,
    with_,
)
from s2sad.source.names import changed_names, reads_of
from s2sad.source.text import MISSING
from s2sad.source.trees import nodes_of

# what does something that is seen, or gives something else the next time
NOT_TWICE = (print, input, next, open, setattr, delattr, exec, eval, builtins.iter)
KNOWN_TYPES = (np.ndarray, np.floating, float, int, str, list, dict, tuple, set)


def is_trial(stmt: Node) -> bool:
    """Tell whether a `try` is one that was made here, and stays."""
    return getattr(stmt, "s2sad_trial", False)


def tried(stmt: Node, names: Names) -> Body:
    """Return a `try` as a trial and branches."""
    leaves = [*stmt.body, *stmt.orelse, *(part for h in stmt.handlers for part in h.body)]
    if stmt.finalbody and not stmt.handlers and not jumps(stmt.finalbody, LEAVING):
        body = _with_end(stmt.body, stmt.finalbody, names)
        return body if always_leaves(body) else [*body, *stmt.finalbody]
    if stmt.finalbody and jumps(leaves, LEAVING):
        raise _refused(
            stmt,
            names,
            "leaving a `try` that has a `finally` is not differentiated",
            "Leave after the `finally`.",
        )
    if not stmt.handlers:
        return [*stmt.body, *stmt.finalbody]
    return [*_with_handlers(stmt, names), *stmt.finalbody]


def _with_end(body: Body, end: Body, names: Names, inside: bool = False) -> Body:
    """Return statements in which `end` is done before each of those that leave them."""
    out: Body = []
    for stmt in body:
        match stmt:
            case gast.Return(value=value) if value is None or isinstance(value, gast.Constant):
                out += [*copy.deepcopy(end), stmt]
            case gast.Return(value=value):
                held = names.fresh("result")
                given = placed(gast.Return(value=name(held, stmt)), stmt)
                out += [assign(held, value, stmt), *copy.deepcopy(end), given]
            case gast.Break() | gast.Continue() if not inside:
                out += [*copy.deepcopy(end), stmt]
            case gast.If() | gast.For() | gast.While() | gast.With():
                within = inside or isinstance(stmt, gast.For | gast.While)
                blocks = {"body": _with_end(stmt.body, end, names, within)}
                if not isinstance(stmt, gast.With):
                    blocks["orelse"] = _with_end(stmt.orelse, end, names, inside)
                out.append(with_(stmt, **blocks))
            case gast.Try() if jumps([stmt], gast.Return if inside else LEAVING):
                raise _refused(
                    stmt,
                    names,
                    "leaving a `try` inside another is not differentiated",
                    "Leave after it.",
                )
            case _:
                out.append(stmt)
    return out


def _with_handlers(stmt: Node, names: Names) -> Body:
    front, stmt = around_what_may_fail(stmt)
    if not any(_is_seen(each, stmt, names) for each in bound_names(stmt.body)):
        stmt = with_(stmt, body=left_at_ends(stmt.body))
    stmt = in_two(stmt, lambda each: _is_seen(each, stmt, names))
    return [*front, *_tried_at_once(stmt, names)]


def _tried_at_once(stmt: Node, names: Names) -> Body:
    trial = _without_leaving(copy.deepcopy(stmt.body), stmt, names)
    trial = _without_last_name([_plain(each) for each in trial])
    made = functions_read(trial, names.source.tree)
    bodies = [part for each in made for part in body_of(each)]
    _refuse_effects([*bodies, *trial], bound_names(made), stmt, names)
    trial = [*made, *trial]
    own = {each: names.fresh(each) for each in sorted(bound_names(trial)) if "%" not in each}
    once = bound_at_once(trial[-1]) - bound_names(trial[:-1])
    once |= bound_names(made)
    _refuse_partial([each for each in own if each not in once], stmt, names)
    before = [
        assign(own[each], name(each, stmt), stmt)
        for each in sorted(_read_first(trial, set())[0] & {*own})
    ]
    return _branches([*before, *renamed(trial, own)], stmt, names)


def _branches(trial: Body, stmt: Node, names: Names) -> Body:
    """Return the trial with what is made of each handler, and the branch between them."""
    going_on = [each for each in stmt.handlers if not always_raises(each.body)]
    rest: Body = [*stmt.body, *stmt.orelse]
    if not going_on:
        return [_trial(stmt, trial, stmt.handlers), *rest]
    failed = names.fresh("failed")
    single = len(going_on) == 1
    handlers: Body = []
    sides: list[tuple[Node, Body]] = []
    for handler in stmt.handlers:
        if handler not in going_on:
            handlers.append(handler)
            continue
        code = constant(True if single else len(sides) + 1, handler)
        made, body = _handled(handler, assign(failed, code, handler), names)
        handlers.append(made)
        sides.append((code, body))
    none = constant(False if single else 0, stmt)
    for code, body in reversed(sides):
        flag = name(failed, stmt)
        test = flag if single else compare(flag, gast.Eq(), code, stmt)
        rest = [branch(test, body, rest, stmt)]
    return [_trial(stmt, [*trial, assign(failed, none, stmt)], handlers), *rest]


def _trial(stmt: Node, body: Body, handlers: Body) -> Node:
    made = with_(stmt, body=body, handlers=handlers, orelse=[], finalbody=[])
    made.s2sad_trial = True
    return made


def _handled(handler: Node, noted: Node, names: Names) -> tuple[Node, Body]:
    """Return a handler that notes that it was reached, and its body as one of a branch."""
    for part in own_nodes(handler.body):
        if isinstance(part, gast.Raise) and part.exc is None:
            raise _refused(
                handler,
                names,
                "a handler that raises again on one way and goes on on another is not differentiated",
                "Raise a new error, or test for what goes wrong with an `if` first.",
            )
    error = handler.name.id if handler.name is not None else ""
    if error not in reads_of(handler.body):
        return with_(handler, name=None, body=[noted]), handler.body
    held = names.fresh(error)
    kept = assign(held, name(error, handler), handler)
    return with_(handler, body=[noted, kept]), renamed(handler.body, {error: held})


def always_raises(body: Body) -> bool:
    """Tell whether statements end in an error, whichever way they take."""
    return bool(body) and isinstance(body[-1], gast.Raise) and not jumps(body, LEAVING)


# ---------------------------------------------------------------------------- what is tried


def _without_leaving(body: Body, stmt: Node, names: Names) -> Body:
    """Return statements that compute what is returned at their ends, and do not leave."""
    *front, last = body
    match last:
        case gast.Return():
            last = placed(gast.Pass(), last) if last.value is None else statement(last.value, last)
        case gast.Break() | gast.Continue():
            last = placed(gast.Pass(), last)
        case gast.If():
            sides = [_without_leaving(s, stmt, names) if s else s for s in (last.body, last.orelse)]
            last = with_(last, body=sides[0], orelse=sides[1])
    if jumps([*front, last], LEAVING):
        raise _refused(
            stmt,
            names,
            "a `try` that is left from its middle is not differentiated",
            "Leave at its end, or after it.",
        )
    return [*front, last]


def _plain(stmt: Node) -> Node:
    """Return a statement in which `s += e` is `s = s + e`, so that s itself is not written to."""
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        total = binary(stmt.op, name(stmt.target.id, stmt), stmt.value, stmt)
        return assign(stmt.target.id, total, stmt)
    for key in ("body", "orelse"):
        if isinstance(stmt, gast.If | gast.For | gast.While):
            setattr(stmt, key, [_plain(each) for each in getattr(stmt, key)])
    return stmt


def _without_last_name(trial: Body) -> Body:
    """Return statements the last of which only computes: if it fails, it has bound nothing."""
    *front, last = trial
    if isinstance(last, gast.Assign | gast.AnnAssign) and last.value is not None:
        targets = last.targets if isinstance(last, gast.Assign) else [last.target]
        if all(isinstance(each, gast.Name) for each in targets):
            last = statement(last.value, last)
    if isinstance(last, gast.If):
        sides = [_without_last_name(side) if side else side for side in (last.body, last.orelse)]
        last = with_(last, body=sides[0], orelse=sides[1])
    return [*front, last]


def _read_first(body: Body, known: set[str]) -> tuple[set[str], set[str]]:
    """Return the names that statements read before they surely bind them, and those they bind."""
    found: set[str] = set()
    for stmt in body:
        blocks = [getattr(stmt, key, None) or [] for key in ("body", "orelse")]
        if isinstance(stmt, gast.If | gast.For | gast.While):
            head = stmt.iter if isinstance(stmt, gast.For) else stmt.test
            found |= {*reads_of(head)} - known
            own = bound_names(stmt.target) if isinstance(stmt, gast.For) else set()
            after = [_read_first(block, known | own) for block in blocks]
            found |= after[0][0] | after[1][0]
            if isinstance(stmt, gast.If):
                known = known | (after[0][1] & after[1][1])
        else:
            found |= {*reads_of(stmt)} - known
            known = known | bound_names(stmt)
    return found, known


# ---------------------------------------------------------------------------- what is refused


def _refuse_effects(trial: Body, made: set[str], stmt: Node, names: Names) -> None:
    written = sorted(changed_names(trial))
    if written:
        raise _refused(
            stmt,
            names,
            f"a `try` that changes {written[0].split('%')[0]} in place is not differentiated: "
            "how far it came before it failed would have to be known",
            "Change a copy, and assign that after the `try`.",
        )
    kinds = (gast.With, gast.Global, gast.Nonlocal, gast.Delete, gast.Yield, gast.Await)
    for part in own_nodes(trial):
        is_made = isinstance(part, gast.Call) and getattr(part.func, "id", "") in made
        told = _effect_of_call(part, names) if isinstance(part, gast.Call) and not is_made else ""
        if isinstance(part, kinds):
            told = f"`{type(part).__name__.lower()}`"
        if told:
            raise _refused(
                part,
                names,
                f"{told} inside a `try` is not differentiated: what is tried is computed twice",
                "Do it before or after the `try`.",
            )


def _effect_of_call(call: Node, names: Names) -> str:
    """Return what a call is of, where it may do more than to give a value; '' of others."""
    from s2sad.legacy.drawn import METHODS, USED_UP, is_drawing
    from s2sad.legacy.normalise import wide
    from s2sad.legacy.written import written_by  # they stand after this in the pipeline

    called = names.value(call.func)
    if isinstance(call.func, gast.Attribute) and called is MISSING:
        attr = call.func.attr
        known = any(hasattr(kind, attr) for kind in KNOWN_TYPES)
        return f"a call of the method .{attr}()" if attr in METHODS | USED_UP or not known else ""
    if called is MISSING:
        return f"a call of {getattr(call.func, 'id', 'a function')}, which is not known here,"
    if any(called is each for each in NOT_TWICE):
        return f"a call of {called.__name__}"
    module = getattr(called, "__module__", "") or ""
    if module.startswith(("random", "numpy.random")) or is_drawing(called):
        return "a random draw"
    if isinstance(called, FunctionType) and is_seen_to_write(
        call, called, written_by(called, wide)
    ):
        return f"a call of {called.__name__}, which changes what it is given,"
    return ""


def _refuse_partial(own: list[str], stmt: Node, names: Names) -> None:
    """Refuse a `try` of which it is seen, after it failed, how far it came."""
    for each in own:
        if _is_seen(each, stmt, names):
            raise _refused(
                stmt,
                names,
                f"a `try` that sets {each} before it may fail is not differentiated: {each} is "
                "used after it failed",
                f"Set {each} before the `try`, or in its last line.",
            )


def _is_seen(each: str, stmt: Node, names: Names) -> bool:
    """Tell whether a name may be read once a handler has begun."""
    return any(
        each in reads_of(handler.body)
        if always_raises(handler.body)
        else _sees(handler.body, each, stmt, names)
        for handler in stmt.handlers
    )


def _sees(handler: Body, each: str, stmt: Node, names: Names) -> bool:
    """Tell whether a value that was set in a `try` may be read once a handler has begun."""
    for part in handler:
        if each in reads_of(part):
            return True
        if isinstance(part, gast.Assign) and each in bound_names(part):
            return False
    if _returns(handler):
        return False
    tree = names.source.tree
    return any(
        part.id == each
        and not _stands_in(part, [*stmt.body, *stmt.orelse])
        and not is_past(part, stmt, tree)
        for part in _reads(tree)
    )


def _returns(body: Body) -> bool:
    """Tell whether statements end by returning, on each of their ways."""
    match body[-1:]:
        case [gast.Return()]:
            return True
        case [gast.If(body=then, orelse=orelse)]:
            return _returns(then) and _returns(orelse)
    return False


def _reads(tree: Node) -> Iterator[Node]:
    for part in nodes_of(tree):
        if isinstance(part, gast.AugAssign) and isinstance(part.target, gast.Name):
            yield part.target
        if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load):
            yield part


def _stands_in(part: Node, body: Body) -> bool:
    place = (part.lineno, part.col_offset)
    ends = [((s.lineno, s.col_offset), (s.end_lineno, s.end_col_offset)) for s in body]
    return any(start <= place < end for start, end in ends)


def _refused(node: Node, names: Names, problem: str, hint: str) -> Unsupported:
    return Unsupported(problem, names.span(node), hint)
