"""A `try` becomes a trial run that only tells whether it fails, and a branch.

try:                        failed = False
    y = math.log(x)         try:
except ValueError:              trial_y = math.log(x)
    y = 0.0                 except ValueError:
                                failed = True
                            if not failed:
                                y = math.log(x)
                            else:
                                y = 0.0

What is tried runs twice where it does not fail: it must change nothing that lasts, and draw nothing.
The branch is turned back as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from s2sad.analysis.exits import structured
from s2sad.analysis.fresh import Fresh
from s2sad.analysis.renaming import with_variables
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, constant, global_, name
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
from s2sad.ir.types import Number, Other, Type
from s2sad.ir.walk import (
    blocks,
    bound,
    bound_in,
    expressions,
    nodes,
    read_variables,
    statements,
    with_blocks,
)

TRUTH = Number("bool")
WHOLE = Number("int64")
FAULT = Other(BaseException)


def with_trials(function: Function, functions: Mapping[str, Function]) -> Function:
    """Return a function whose tries only tell whether something fails."""
    if not any(isinstance(s, Try) for s in statements(function.body)):
        return function
    trials = _Trials(function, functions, Fresh.of(function))
    return replace(function, body=trials.block(function.body))


@dataclass(slots=True)
class _Trials:
    function: Function
    functions: Mapping[str, Function]
    fresh: Fresh

    def block(self, block: Block) -> Block:
        return tuple(new for each in block for new in self.statement(each))

    def statement(self, statement: Statement) -> Block:
        if not isinstance(statement, Try):
            return (with_blocks(statement, tuple(map(self.block, blocks(statement)))),)
        self.refuse_lasting(statement)
        self.refuse_raising(statement)
        self.refuse_partial(statement)
        inner = tuple(map(self.block, blocks(statement)))
        return self.branched(with_blocks(statement, inner))

    # ------------------------------------------------------------------------ what is refused

    def refuse_raising(self, trial: Try) -> None:
        """Refuse to raise within a handler: the exception tells of the one that was caught."""
        for handler in trial.handlers:
            for each in statements(handler.body):
                if isinstance(each, Raise) and each.value is not None:
                    raise NotYet("an exception that is raised for another", trial.span)

    def refuse_lasting(self, trial: Try) -> None:
        """Refuse to run twice what changes memory, draws, prints, or is not known."""
        new = _made_in(trial.body)
        for each in statements(trial.body):
            if isinstance(each, Copied | RegionOp) or not self.is_repeatable(each):
                raise NotYet("a try that changes what lasts", trial.span)
            if isinstance(each, Store) and _root(each.target) not in new:
                raise NotYet("a try that changes what lasts", trial.span)

    def is_repeatable(self, statement: Statement) -> bool:
        effect = statement.effect if isinstance(statement, Let) else PURE
        if not replace(effect, raises=False).is_pure:
            return False
        every = (n for e in expressions(statement) for n in nodes(e))
        return all(self.only_computes(n.data) for n in every if n.op == "function")

    def only_computes(self, called: str) -> bool:
        """Tell whether a function of the program changes nothing that lasts."""
        summary = self.functions[called].summary
        if summary is None or summary.writes:
            return False
        return replace(summary.effect, raises=False).is_pure

    def refuse_partial(self, trial: Try) -> None:
        """Refuse where a handler, or what follows it, may see what was set before the failure."""
        inside = {id(s) for s in statements(trial.body)}
        rest = (s for s in statements(self.function.body) if id(s) not in inside)
        read = frozenset(v for s in rest for e in expressions(s) for v in read_variables(e))
        for variable in _set_before_failure(trial.body) & read:
            if not all(_forgets(handler.body, variable) for handler in trial.handlers):
                raise NotYet("a try that leaves what it set before it failed", trial.span)

    # ------------------------------------------------------------------------ the branch

    def branched(self, trial: Try) -> Block:
        """Return the trial run, and the branch on whether it failed."""
        several = len(trial.handlers) > 1
        way = self.fresh.variable("way" if several else "failed")
        type_ = WHOLE if several else TRUTH
        started = Let(way, constant(0 if several else False, type_), trial.span)
        first, dry = self.trial(trial)
        handlers, arms = [], []
        for number, handler in enumerate(trial.handlers, 1):
            mark = Let(way, constant(number if several else True, type_), trial.span)
            made, arm = self.handled(handler, mark)
            handlers.append(made)
            arms.append(arm)
        told = Try(dry, tuple(handlers), trial.span)
        branch: Statement
        if several:
            branch = _chosen(name(way, type_), 0, (trial.body, *arms), trial)
        else:
            went_well = Expr("unary", (name(way, type_),), "not", TRUTH)
            branch = If(went_well, trial.body, arms[0], trial.span)
        return (started, *first, told, branch)

    def handled(self, handler: Handler, mark: Let) -> tuple[Handler, Block]:
        """Return a handler that only tells that it was taken, and what it did."""
        raises_again = any(isinstance(s, Raise) and s.value is None for s in handler.body)
        read = {
            v for s in statements(handler.body) for e in expressions(s) for v in read_variables(e)
        }
        target = handler.target
        if not raises_again and target not in read:
            return Handler(handler.kinds, None, (mark,)), handler.body
        target = target or self.fresh.variable("fault")
        kept = self.fresh.variable(f"{target.name}_raised")
        kinds = handler.kinds or global_("BaseException", BaseException)
        told = Handler(kinds, target, (mark, Let(kept, name(target, FAULT), mark.span)))
        body = tuple(with_variables(s, {target: kept}) for s in handler.body)
        return told, tuple(_raised(s, kept) for s in body)

    def trial(self, trial: Try) -> tuple[Block, Block]:
        """Return what is run to see whether it fails, with names of its own set before it."""
        left = _with_returns(trial.body, False)
        if any(isinstance(s, Return) for s in statements(left)):
            left = self.single_way(left, trial)
        own = sorted(bound_in(left), key=lambda v: (v.name, v.number))
        renamed = {v: self.fresh.variable(f"trial_{v.name}") for v in own}
        first = tuple(Let(renamed[v], name(v, kind), trial.span) for v, kind in _read_first(left))
        return first, tuple(with_variables(s, renamed) for s in left)

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


def _raised(statement: Statement, kept: Variable) -> Statement:
    """Return a bare `raise` of a handler with what it raises."""
    if isinstance(statement, Raise) and statement.value is None:
        return replace(statement, value=name(kept, FAULT))
    return statement


def _root(target: Expr) -> Variable | None:
    while target.args:
        target = target.args[0]
    return target.data if target.op == "name" else None


def _made_in(block: Block) -> frozenset[Variable]:
    """Return the variables that a block binds to nothing but new memory."""
    made: set[Variable] = set()
    other: set[Variable] = set()
    for each in statements(block):
        is_new = isinstance(each, Let) and each.value.op in ("binary", "unary")
        (made if is_new else other).update(bound(each))
    return frozenset(made - other)


def _set_before_failure(block: Block) -> frozenset[Variable]:
    """Return the variables that a block may have set where it fails."""
    found: set[Variable] = set()
    for position, each in enumerate(block):
        may_fail_later = any(map(_may_fail, block[position + 1 :]))
        if may_fail_later or blocks(each):
            found |= bound_in((each,))
    return frozenset(found)


def _may_fail(statement: Statement) -> bool:
    if blocks(statement) or not isinstance(statement, Let | Return):
        return not isinstance(statement, Break | Continue)
    return statement.value.op not in ("name", "constant")


def _forgets(block: Block, variable: Variable) -> bool:
    """Tell whether a handler binds a variable before it is read, or leaves the function."""
    for each in block:
        every = (e for s in statements((each,)) for e in expressions(s))
        if any(variable in read_variables(e) for e in every):
            return False
        if isinstance(each, Return | Raise) or variable in bound(each):
            return True
    return False


def _read_first(block: Block) -> Iterator[tuple[Variable, Type]]:
    """Yield the variables that a block binds, but may read before, with their types."""
    own = bound_in(block)
    seen: set[Variable] = set()
    for each in statements(block):
        for expr in expressions(each):
            for node in nodes(expr):
                if node.op == "name" and node.data in own - seen:
                    seen.add(node.data)
                    yield node.data, node.type
        if isinstance(each, Let) and each in block:
            seen |= set(bound(each))


def _with_returns(block: Block, in_loop: bool) -> Block:
    """Return a block that returns where it would leave a loop around it."""
    made: list[Statement] = []
    for each in block:
        if isinstance(each, Break | Continue) and not in_loop:
            made.append(Return(constant(None), each.span))
            break
        inside = in_loop or isinstance(each, For | While)
        made.append(with_blocks(each, tuple(_with_returns(b, inside) for b in blocks(each))))
    return tuple(made)
