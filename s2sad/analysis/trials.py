"""A `try` becomes trial runs that only tell whether it fails, and branches.

try:                        failed = False
    y = math.log(x)         try:
    z = math.sqrt(y)            trial_y = math.log(x)
except ValueError:          except ValueError:
    z = 0.0                     failed = True
                            if not failed:
                                y = math.log(x)
                                ... the same for z
                            else:
                                z = 0.0

It is tried in pieces, so that each failure finds what Python would have set before it. Most run
twice, first under names of their own: a store on a copy. What cannot, because it draws or prints,
runs once, within its `try`; it cannot vary. The branches are turned back as any other. Where all
handlers raise, the `try` stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeGuard

from s2sad.analysis.exits import is_left, structured
from s2sad.analysis.places import exposed
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, constant, copy_of, global_, name, root_of
from s2sad.ir.program import (
    PURE,
    Block,
    Break,
    Continue,
    Copied,
    For,
    Function,
    Handler,
    If,
    Let,
    Raise,
    RegionOp,
    Return,
    Statement,
    Store,
    Try,
    While,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh, renamed_in, with_variables
from s2sad.ir.types import Array, Number, Other, Reference, Type
from s2sad.ir.walk import (
    blocks,
    bound,
    bound_in,
    in_blocks,
    is_gone_through,
    nodes,
    nodes_in,
    own_nodes,
    read_in,
    rewritten,
    statements,
    with_expressions,
)
from s2sad.operators.table import calls_one

TRUTH = Number("bool")
WHOLE = Number("int64")
FAULT = Other(BaseException)
Fails = Callable[[Statement], bool]


def with_trials(function: Function, functions: Mapping[str, Function]) -> Function:
    """Return a function whose tries only tell whether something fails."""
    if not any(isinstance(s, Try) for s in statements(function.body)):
        return function
    trials = _Trials(function, functions, Fresh.of(function))
    return replace(function, body=trials.block(function.body))


COMPUTED, ONCE, STORED, SAFE = "computed", "once", "stored", "safe"
CHOSEN = "chosen"
ATOMS = ("name", "constant")
MOST_COPIES = 30  # statements of handlers that stand behind several pieces


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of what is tried, and how it is tried: see the constants.

    The arms of a branch are tried in pieces of their own, with all that follows the branch.
    """

    kind: str
    block: Block
    arms: tuple[list[_Piece], ...] = ()

    @property
    def count(self) -> int:
        """Return behind how many pieces the handlers stand."""
        return sum(piece.count for arm in self.arms for piece in arm) if self.arms else 1


@dataclass(slots=True)
class _Trials:
    function: Function
    functions: Mapping[str, Function]
    fresh: Fresh

    def block(self, block: Block) -> Block:
        return tuple(new for each in block for new in self.statement(each))

    def statement(self, statement: Statement) -> Block:
        if not isinstance(statement, Try):
            return (in_blocks(statement, self.block),)
        if self.is_trial(statement):
            return (statement,)
        if is_gone_through(statement):
            return (in_blocks(statement, self.block),)
        pieces = self.pieces(statement.body, statement, self.seen(statement))
        staying = sum(1 for _ in statements(tuple(s for h in statement.handlers for s in h.body)))
        copies = sum(piece.count for piece in pieces)
        if copies > 1 and copies * staying > MOST_COPIES:
            raise NotYet("a try of many steps with a long handler", statement.span)
        handlers = tuple(replace(h, body=self.block(h.body)) for h in statement.handlers)
        return self.tried(pieces, replace(statement, handlers=handlers))

    def is_trial(self, trial: Try) -> bool:
        """Tell whether all that a try leaves is which handler was taken: it is a trial run already."""
        seen = self.seen(trial)
        if any(isinstance(s, Return) for s in statements(_with_returns(trial.body, False))):
            return False
        if bound_in(trial.body) & seen or not self.is_run_twice(trial.body, trial, seen):
            return False
        marks = {s for h in trial.handlers if not _only_raises(h.body) for s in h.body}
        return all(isinstance(s, Let) and self.is_mark(s) for s in marks)

    def is_mark(self, let: Let) -> bool:
        """Tell whether a variable only ever tells what was raised, or which way was taken."""
        mine = (s for s in statements(self.function.body) if let.target in bound(s))
        values = [s.value if isinstance(s, Let) else None for s in mine]
        ways = (TRUTH, WHOLE)
        return let.value.type == FAULT or all(
            v is not None and v.op == "constant" and v.type in ways for v in values
        )

    # ------------------------------------------------------------------------ the pieces

    def pieces(self, block: Block, trial: Try, seen: frozenset[Variable]) -> list[_Piece]:
        """Return what is tried in as few pieces as tell apart what was set before a failure."""
        found: list[_Piece] = []
        run: Block = ()
        body = list(self.with_named_items(block))
        for place, statement in enumerate(body):
            if self.is_run_twice((*run, statement), trial, seen):
                run = (*run, statement)
                continue
            if run:
                found.append(_Piece(COMPUTED, run))
            run = ()
            if self.is_run_twice((statement,), trial, seen):
                run = (statement,)
            elif isinstance(statement, If) and self.is_chosen(statement, trial, seen):
                found += self.chosen(statement, tuple(body[place + 1 :]), trial, seen)
                break
            else:
                found.append(_Piece(self.kind(statement, trial, seen), (statement,)))
        rest = [_Piece(COMPUTED, run)] if run else []
        return [self.as_safe(piece, _failing(trial)) for piece in (*found, *rest)]

    def as_safe(self, piece: _Piece, fails: Fails) -> _Piece:
        """Return a piece, which is not tried if it cannot fail, with the tries in it written out."""
        is_safe = piece.kind != CHOSEN and not any(map(fails, piece.block))
        block = piece.block if piece.arms else self.block(piece.block)
        return replace(piece, kind=SAFE if is_safe else piece.kind, block=block)

    def is_chosen(self, branch: If, trial: Try, seen: frozenset[Variable]) -> bool:
        """Tell whether a branch does what lasts: each arm is tried by itself."""
        lasting = Store | RegionOp | Return | Break | Continue | Try
        does_more = any(isinstance(s, lasting) for s in statements((branch,)))
        return does_more or self.leaves_partly((branch,), trial, seen)

    def chosen(
        self, branch: If, rest: Block, trial: Try, seen: frozenset[Variable]
    ) -> list[_Piece]:
        """Return the pieces of a branch, with what follows it in each arm, behind those of its test."""
        ways = [arm if is_left(arm) else (*arm, *rest) for arm in (branch.body, branch.orelse)]
        arms = tuple(self.pieces(way, trial, seen) for way in ways)
        if sum(piece.count for arm in arms for piece in arm) > MOST_COPIES:
            raise NotYet("a try of many steps with a long handler", trial.span)
        test = self.fresh.variable("test")
        asked = Let(test, branch.test, branch.span)
        if not _failing(trial)(asked):
            return [_Piece(CHOSEN, (branch,), arms)]
        made = replace(branch, test=name(test, branch.test.type))
        return [_Piece(COMPUTED, (asked,)), _Piece(CHOSEN, (made,), arms)]

    def with_named_items(self, block: Block) -> Iterator[Statement]:
        """Yield a block in which what is appended, or stored in a field, has a name: that cannot fail."""
        for each in block:
            each = _as_new_value(each)
            kept = _kept_value(each)
            if kept is None or kept.op in ATOMS:
                yield each
                continue
            field = each.target.data if isinstance(each, Store) else "item"
            item = name(self.fresh.variable(str(field)), kept.type)
            yield Let(item.data, kept, each.span)
            named = {"value": item} if isinstance(each, Store) else {"args": (item,)}
            yield replace(each, **named)

    def is_run_twice(self, block: Block, trial: Try, seen: frozenset[Variable]) -> bool:
        """Tell whether a block can be run for what it raises alone, and then once more."""
        new = _made_in(block)
        for each in statements(block):
            if isinstance(each, Copied | RegionOp) or not self.is_repeatable(each):
                return False
            if isinstance(each, Store) and root_of(each.target) not in new:
                return False
        return not self.leaves_partly(block, trial, seen)

    def kind(self, statement: Statement, trial: Try, seen: frozenset[Variable]) -> str:
        """Return how a statement is tried that cannot run twice as it is."""
        if isinstance(statement, Store) and _is_of_name(statement.target):
            return STORED
        every = list(statements((statement,)))
        lasting = Store | Return | Break | Continue | Try
        if _kept_value(statement) is None and any(isinstance(s, lasting) for s in every):
            raise NotYet("a try that changes what lasts", trial.span)
        if len(every) > 1 and self.leaves_partly((statement,), trial, seen):
            raise NotYet("a try that leaves what it set before it failed", trial.span)
        return ONCE

    def is_repeatable(self, statement: Statement) -> bool:
        effect = statement.effect if isinstance(statement, Let) else PURE
        is_again = isinstance(statement, Let) and calls_one(statement.value, "again")
        if not is_again and not replace(effect, raises=False).is_pure:
            return False
        called = (n.data for n in own_nodes(statement) if n.op == "function")
        return all(map(self.only_computes, called))

    def only_computes(self, called: str) -> bool:
        """Tell whether a function of the program changes nothing that lasts."""
        summary = self.functions[called].summary
        if summary is None or summary.writes:
            return False
        return replace(summary.effect, raises=False).is_pure

    def seen(self, trial: Try) -> frozenset[Variable]:
        """Return what is read outside of the body of a try."""
        inside = {id(s) for s in statements(trial.body)}
        rest = (s for s in statements(self.function.body) if id(s) not in inside)
        return frozenset(v for s in rest for v in read_in(s))

    def leaves_partly(self, block: Block, trial: Try, seen: frozenset[Variable]) -> bool:
        """Tell whether a handler, or what follows it, may see what was set before the failure."""
        return any(
            not all(_forgets(handler.body, variable) for handler in trial.handlers)
            for variable in _set_before_failure(block, _failing(trial)) & seen
        )

    # ------------------------------------------------------------------------ the branches

    def tried(self, pieces: list[_Piece], trial: Try) -> Block:
        """Return the trial run of each piece, and what follows where it does not fail."""
        if not pieces:
            return ()
        piece, *rest = pieces
        if piece.kind == SAFE or self.is_in_vain((piece, *rest), trial):
            return (*piece.block, *self.tried(rest, trial))
        if piece.kind == CHOSEN:
            (branch,) = piece.block
            assert isinstance(branch, If)
            first, second = (self.tried(arm, trial) for arm in piece.arms)
            return (replace(branch, body=first, orelse=second),)
        first, dry = self.trial(piece, trial)
        onward = self.tried(rest, trial)
        if piece.kind != ONCE:
            onward = (*piece.block, *onward)
        return (*first, *self.branched(dry, onward, trial))

    def is_in_vain(self, pieces: tuple[_Piece, ...], trial: Try) -> bool:
        """Tell whether a failure is one in any case: all handlers read what is bound here, or later."""
        if pieces[0].kind == CHOSEN:
            return False
        late = bound_in(tuple(s for piece in pieces for s in piece.block)) & self.first_bound(trial)
        return bool(late) and all(
            any(_surely_reads(handler.body, variable) for variable in late)
            for handler in trial.handlers
        )

    def first_bound(self, trial: Try) -> frozenset[Variable]:
        """Return the variables that have no value before a try, nor from an earlier pass."""
        inside = {id(s) for s in statements(trial.body)}
        rest = [s for s in statements(self.function.body) if id(s) not in inside]
        loops = (s for s in rest if isinstance(s, For | While))
        if any(id(s) in inside for loop in loops for s in statements(loop.body)):
            return frozenset()
        given = {p.variable for p in self.function.parameters}
        return bound_in(trial.body) - given.union(*map(bound, rest))

    def branched(self, dry: Block, onward: Block, trial: Try) -> Block:
        """Return a trial run, and the branch on whether it failed."""
        returning = [h for h in trial.handlers if not _only_raises(h.body)]
        several = len(returning) > 1
        way = self.fresh.variable("way" if several else "failed")
        type_ = WHOLE if several else TRUTH
        started = Let(way, constant(0 if several else False, type_), trial.span)
        handlers: list[Handler] = []
        arms: list[Block] = []
        for handler in trial.handlers:
            if _only_raises(handler.body):
                handlers.append(handler)
                continue
            number = len(arms) + 1
            mark = Let(way, constant(number if several else True, type_), trial.span)
            made, arm = self.handled(handler, mark)
            handlers.append(made)
            arms.append(arm)
        told = Try(dry, tuple(handlers), trial.span)
        if several:
            return started, told, _chosen(name(way, type_), 0, (onward, *arms), trial)
        failed = name(way, type_)
        if not onward:
            return started, told, If(failed, arms[0], (), trial.span)
        return (
            started,
            told,
            If(Expr("unary", (failed,), "not", TRUTH), onward, arms[0], trial.span),
        )

    def handled(self, handler: Handler, mark: Let) -> tuple[Handler, Block]:
        """Return a handler that only tells that it was taken, and what it did."""
        raises_again = any(_is_bare_raise(s) for s in statements(handler.body))
        read = {v for s in statements(handler.body) for v in read_in(s)}
        target = handler.target
        if not raises_again and target not in read:
            return Handler(handler.kinds, None, (mark,)), handler.body
        target = target or self.fresh.variable("fault")
        kept = self.fresh.variable(f"{target.name}_raised")
        kinds = handler.kinds or global_("BaseException", BaseException)
        told = Handler(kinds, target, (mark, Let(kept, name(target, FAULT), mark.span)))
        body = tuple(with_variables(s, {target: kept}) for s in handler.body)
        return told, rewritten(body, lambda s: _raised(s, kept))

    def trial(self, piece: _Piece, trial: Try) -> tuple[Block, Block]:
        """Return what is run to see whether it fails, with names of its own set before it."""
        if piece.kind == ONCE:
            return (), piece.block
        if piece.kind == STORED:
            return (), self.on_a_copy(piece.block[0], trial)
        left = _with_returns(piece.block, False)
        if any(isinstance(s, Return) for s in statements(left)):
            left = self.single_way(left, trial)
        own = sorted(bound_in(left), key=lambda v: (v.name, v.number))
        renamed = {v: self.fresh.variable(f"trial_{v.name}") for v in own}
        first = tuple(Let(renamed[v], name(v, kind), trial.span) for v, kind in _read_first(left))
        return first, tuple(with_variables(s, renamed) for s in left)

    def on_a_copy(self, store: Statement, trial: Try) -> Block:
        """Return a store to a copy of the array, list or dict."""
        assert isinstance(store, Store)
        base = store.target.args[0]
        copied = self.fresh.variable(f"trial_{base.data.name}")
        value = copy_of(base)
        changed = with_expressions(store, lambda e: renamed_in(e, {base.data: copied}))
        return Let(copied, value, trial.span), changed

    def single_way(self, block: Block, trial: Try) -> Block:
        """Return a block whose ways all lead to its end, where what it returned is computed."""
        made = structured(Function("trial", (), block, trial.span))
        *front, end = made.body
        if not isinstance(end, Return) or end.value.op in ("constant", "name"):
            return tuple(front)
        return (*front, Let(self.fresh.variable("returned"), end.value, end.span))


def _chosen(way: Expr, number: int, arms: tuple[Block, ...], trial: Try) -> If:
    test = Expr("compare", (way, constant(number, WHOLE)), ("==",), TRUTH)
    if len(arms) == 2:
        return If(test, arms[0], arms[1], trial.span)
    rest = _chosen(way, number + 1, arms[1:], trial)
    return If(test, arms[0], (rest,), trial.span)


def _only_raises(block: Block) -> bool:
    """Tell whether a handler does nothing but raise: it can stay where it is."""
    return len(block) == 1 and isinstance(block[0], Raise)


def _is_bare_raise(statement: Statement) -> TypeGuard[Raise]:
    return isinstance(statement, Raise) and statement.value is None


def _raised(statement: Statement, kept: Variable) -> Statement:
    """Return a bare `raise` of a handler with what it raises."""
    return replace(statement, value=name(kept, FAULT)) if _is_bare_raise(statement) else statement


def _is_of_name(target: Expr) -> bool:
    """Tell whether a store goes to an array, list or dict that has a name, by a position in it."""
    if target.op != "subscript" or target.args[0].op != "name":
        return False
    return isinstance(target.args[0].type, Array | Reference)


def _made_in(block: Block) -> frozenset[Variable]:
    """Return the variables that a block binds to nothing but new memory."""
    made: set[Variable] = set()
    other: set[Variable] = set()
    for each in statements(block):
        is_new = isinstance(each, Let) and each.value.op in ("binary", "unary")
        (made if is_new else other).update(bound(each))
    return frozenset(made - other)


def _set_before_failure(block: Block, fails: Fails) -> frozenset[Variable]:
    """Return the variables that a block may have set where it fails."""
    found: set[Variable] = set()
    for position, each in enumerate(block):
        may_fail_later = any(map(fails, block[position + 1 :]))
        if may_fail_later or blocks(each):
            found |= bound_in((each,))
    return frozenset(found)


def _failing(trial: Try) -> Fails:
    """Return what tells whether a statement may raise what a try catches."""
    sums_fail = any(_catches(h.kinds, FloatingPointError) for h in trial.handlers)

    def fails(statement: Statement) -> bool:
        kept = _kept_value(statement)
        if kept is not None:
            return kept.op not in ATOMS
        if blocks(statement) or not isinstance(statement, Let | Return):
            return not isinstance(statement, Break | Continue)
        if not _fits(statement):
            return True
        every = list(nodes(statement.value))
        is_sum = all(n.op in (*ATOMS, "tuple") or _is_sum(n) for n in every)
        return not is_sum or (sums_fail and len(every) > 1)

    return fails


def _fits(statement: Let | Return) -> bool:
    """Tell whether as many names are bound as there are values: a, b = x, y."""
    if isinstance(statement, Return) or not isinstance(statement.target, tuple):
        return True
    value, targets = statement.value, statement.target
    is_flat = all(isinstance(target, Variable) for target in targets)
    return is_flat and value.op == "tuple" and len(value.args) == len(targets)


def _kept_value(statement: Statement) -> Expr | None:
    """Return what a statement appends to a list, or stores in a field of an object, if it does no more."""
    match statement:
        case RegionOp(method="append", args=(value,)):
            return value
        case Store(Expr("attribute", (Expr(type=Reference()),)), "=", value):
            return value
    return None


def _as_new_value(statement: Statement) -> Statement:
    """Return `p.x += y` of numbers as `p.x = p.x + y`; other statements as they are."""
    if (
        not isinstance(statement, Store)
        or statement.op == "="
        or statement.target.op != "attribute"
    ):
        return statement
    operands = (statement.target, statement.value)
    if not all(isinstance(each.type, Number) for each in operands):
        return statement
    value = Expr("binary", operands, statement.op, statement.target.type, None, statement.span)
    return replace(statement, op="=", value=value)


def _is_sum(node: Expr) -> bool:
    """Tell whether a node adds, multiplies or compares numbers: only NumPy may be told to raise then."""
    is_plain = node.op == "compare" or node.data in ("+", "-", "*", "not")
    is_plain = is_plain and node.op in ("binary", "unary", "compare")
    return is_plain and all(isinstance(arg.type, Number) for arg in node.args)


def _catches(kinds: Expr | None, kind: type) -> bool:
    """Tell whether a handler of some kinds may take an exception."""
    if kinds is None:
        return True
    every = kinds.args if kinds.op == "tuple" else (kinds,)
    found = [k.data.value if k.op == "global" else BaseException for k in every]
    return any(not isinstance(k, type) or issubclass(kind, k) for k in found)


def _forgets(block: Block, variable: Variable) -> bool:
    """Tell whether a handler binds a variable before it is read, or leaves the function."""
    for each in block:
        if any(variable in read_in(s) for s in statements((each,))):
            return False
        if isinstance(each, Return | Raise) or variable in bound(each):
            return True
    return False


def _surely_reads(block: Block, variable: Variable) -> bool:
    """Tell whether a block reads a variable on all ways, and before it binds it."""
    for each in block:
        if variable in read_in(each):
            return True
        if variable in bound_in((each,)) or is_left((each,)):
            return False
    return False


def _read_first(block: Block) -> Iterator[tuple[Variable, Type]]:
    """Yield the variables that a block binds, but may read before, with their types."""
    early = exposed(block)[0] & bound_in(block)
    types: dict[Variable, Type] = {}
    for node in nodes_in(block):
        if node.op == "name" and node.data in early:
            types.setdefault(node.data, node.type)
    yield from types.items()


def _with_returns(block: Block, in_loop: bool) -> Block:
    """Return a block that returns where it would leave a loop around it."""
    made: list[Statement] = []
    for each in block:
        if isinstance(each, Break | Continue) and not in_loop:
            made.append(Return(constant(None), each.span))
            break
        inside = in_loop or isinstance(each, For | While)
        made.append(in_blocks(each, partial(_with_returns, in_loop=inside)))
    return tuple(made)
