"""Removes what nobody reads: statements without effect, stores to dead memory, whole loops.

    lap = f(u)               # read nowhere       ->    nothing
    for t in range(n):       # only the shape of u is read after it, and u is never bound anew
        u[1:] += dt * u[:-1]                      ->    nothing

A statement with an effect stays; of the two sides of a stack both go or both stay.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from s2sad.analysis.contexts import is_quiet
from s2sad.analysis.sharing_names import SharingNames
from s2sad.ir.expression import Variable, negated, root_of
from s2sad.ir.program import (
    Block,
    Break,
    Continue,
    Copied,
    For,
    Function,
    If,
    Note,
    Raise,
    Restore,
    Return,
    Save,
    Statement,
    Store,
    Try,
    While,
    With,
)
from s2sad.ir.records import replace
from s2sad.ir.walk import (
    bound,
    is_gone_through,
    read_variables,
    statements,
    with_blocks,
    with_statements,
)
from s2sad.optimize.memory import (
    MODULE,
    WORLD,
    Memory,
    Pushed,
    Token,
    Tokens,
    changes_of,
    read_tokens,
    sharing_names,
    statement_changes,
    statement_reads,
)

# told of each statement, and of what is live after it
Visitor = Callable[[Statement, Set[Token]], None]


def without_dead(function: Function, memory: Memory) -> Function:
    """Return a function without the statements that nobody reads."""
    needed: frozenset[Variable] = frozenset()
    while True:
        sweep = Liveness(function, memory, needed)
        body, _ = sweep.block(function.body, sweep.at_exit)
        if sweep.restored.isdisjoint(sweep.left_out):
            return function if body is function.body else replace(function, body=body)
        needed |= sweep.restored


class Liveness:
    """One walk over a function, from its end to its start.

    It may tell a visitor of each statement and of what is live after it; what a loop binds is told
    with what is live in a pass. Then nothing is left out: what is dead may be alive under the names
    that the visitor looks for. `needed` are stacks from which something live is taken: none of their
    values may be left out.
    """

    def __init__(
        self,
        function: Function,
        memory: Memory,
        needed: frozenset[Variable] = frozenset(),
        visit: Visitor | None = None,
    ):
        self.function = function
        self.memory = memory
        self.shared: SharingNames | None = None
        self.needed = needed
        self.restored: set[Variable] = set()
        self.left_out: set[Variable] = set()
        self.heads: dict[int, set[Token]] = {}  # what is live in the passes of a loop
        self.visit = visit
        self.keeps_all = visit is not None
        self.reads = statement_reads
        given = [memory.content(p.variable) for p in function.parameters]
        given.append(memory.content(MODULE))
        self.at_exit: Tokens = frozenset({WORLD, *(c for c in given if c is not None)})
        self.at_break: list[Set[Token]] = []
        self.at_continue: list[Set[Token]] = []
        self.at_raise: list[Set[Token]] = [self.at_exit]
        self.in_try = False  # what raises is caught, and the function goes on

    def block(self, block: Block, after: Set[Token]) -> tuple[Block, set[Token]]:
        """Return what is kept of a block, and what is live before it."""
        live = set(after)
        kept: list[Statement] = []
        for statement in reversed(block):
            new, live = self.seen(statement, live)
            if new is not None:
                kept.append(new)
            if len(self.at_raise) > 1:
                live |= self.at_raise[-1]
        kept.reverse()
        return with_statements(block, kept), live

    def seen(self, statement: Statement, live: set[Token]) -> tuple[Statement | None, set[Token]]:
        """Return a statement, or None if it is dead, and what is live before it; `live` is lost."""
        if self.visit is None or isinstance(statement, For):
            return self.statement(statement, live)
        after: Set[Token] = frozenset(live)
        new, live = self.statement(statement, live)
        self.visit(statement, after)
        return new, live

    def statement(
        self, statement: Statement, live: set[Token]
    ) -> tuple[Statement | None, set[Token]]:
        """Return a statement, or None if it is dead, and what is live before it."""
        match statement:
            case If():
                return self.branch(statement, live)
            case For() | While():
                return self.loop(statement, live)
            case With():
                return self.under(statement, live)
            case Try():
                return self.guarded(statement, live)
            case Break():
                return statement, set(self.at_break[-1])
            case Continue():
                return statement, set(self.at_continue[-1])
            case Return():
                return statement, {*self.at_exit, *statement_reads(statement, self.memory)}
            case Raise():
                return statement, {*self.at_raise[-1], *statement_reads(statement, self.memory)}
            case Note():
                return statement, live
        if not self.is_live(statement, live):
            if isinstance(statement, Restore):
                self.left_out.add(statement.stack)
            return None, live
        if isinstance(statement, Restore):
            self.restored.add(statement.stack)
        live.difference_update(bound(statement))
        live |= self.reads(statement, self.memory)
        return statement, live

    def is_live(self, statement: Statement, live: Set[Token]) -> bool:
        """Tell whether a simple statement does something that is seen."""
        if self.keeps_all or (self.in_try and not isinstance(statement, Save)):
            return True
        match statement:
            case Save(stack):
                return stack in self.needed or Pushed(stack) in live
            case Restore(_, stack) if stack in self.needed:
                return True
            case Copied():
                return True
        changed = statement_changes(statement, self.memory)
        if isinstance(statement, Restore):
            changed -= {Pushed(statement.stack)}
        if live.isdisjoint(changed):  # a store to what is not known to be anything may change all
            return isinstance(statement, Store) and not changed
        return not isinstance(statement, Store) or self.is_reached(statement, live)

    def is_reached(self, store: Store, live: Set[Token]) -> bool:
        """Tell whether what is stored to is reached later: a name may hold other memory by then."""
        root = root_of(store.target)
        if root is None or root in live or self.memory.content(root) in self.at_exit:
            return True
        if self.shared is None:
            self.shared = sharing_names(self.function, self.memory)
        return any(v in live or Pushed(v) in live for v in self.shared.sharers(root, store))

    def branch(self, statement: If, live: set[Token]) -> tuple[Statement | None, set[Token]]:
        """Keep a branch if one of its sides does something."""
        body, before = self.block(statement.body, live)
        orelse, before_else = self.block(statement.orelse, live)
        if not body and not orelse and not self.in_try and not self.keeps_all:
            return None, live
        before |= before_else
        before |= read_tokens(statement.test, self.memory)
        if not body and orelse:
            return replace(statement, test=negated(statement.test), body=orelse, orelse=()), before
        return with_blocks(statement, (body, orelse)), before

    def loop(self, statement: For | While, live: set[Token]) -> tuple[Statement | None, set[Token]]:
        """Keep a loop if it changes what is read later, or leaves the function."""
        if not self.in_try and not self.keeps_all and self.is_dead_loop(statement, live):
            inside = statements(statement.body)
            self.left_out |= {each.stack for each in inside if isinstance(each, Restore)}
            return None, live
        own = statement_reads(statement, self.memory)
        # what an earlier walk found comes first: loops in each other would multiply
        head = live | self.heads.get(id(statement), set())
        if isinstance(statement, While):
            head |= own
        else:  # items are taken as the loop runs, by the names of what it goes over
            head |= self.memory.contents(statement.domain)
            named = read_variables(statement.domain)
            held = {v: self.memory.content(v) for v in named}
            head |= {each for v, c in held.items() if c is not None for each in (v, c)}
        target = frozenset(bound(statement))
        visit, self.visit = self.visit, None
        while True:
            restored, left_out = set(self.restored), set(self.left_out)
            body, before = self.inside(statement, head, live)
            if before - target <= head:
                break
            self.restored, self.left_out = restored, left_out
            head |= before - target
        self.heads[id(statement)] = set(head)
        self.visit = visit
        if visit is not None:
            body, before = self.inside(statement, head, live)
        if self.visit is not None and isinstance(statement, For):  # bound anew in each pass
            self.visit(statement, head | before)
        return with_blocks(statement, (body,)), head | own

    def inside(
        self, statement: For | While, head: Set[Token], after: Set[Token]
    ) -> tuple[Block, set[Token]]:
        """Walk the body of a loop once."""
        self.at_break.append(after)
        self.at_continue.append(head)
        found = self.block(statement.body, head)
        self.at_break.pop()
        self.at_continue.pop()
        return found

    def is_dead_loop(self, statement: For | While, live: Set[Token]) -> bool:
        """Tell whether nothing that a loop does is seen after it."""
        inside = tuple(statements(statement.body))
        if any(isinstance(each, Return | Raise | Copied) for each in inside):
            return False
        restored = frozenset(s.stack for s in inside if isinstance(s, Save | Restore))
        if restored & self.needed:
            return False
        changed = changes_of(statement, self.memory) - {Pushed(stack) for stack in restored}
        saved = {Pushed(s.stack) for s in inside if isinstance(s, Save)}
        return live.isdisjoint(changed | saved)

    def under(self, statement: With, live: set[Token]) -> tuple[Statement | None, set[Token]]:
        """Keep a block under a context if it does something; all of it where it may be left."""
        may_be_left, outside = may_be_cut_short(statement), self.in_try
        if may_be_left:
            self.in_try = True
            self.at_raise.append(self.at_raise[-1] | live)
            live |= self.at_raise[-1]
        body, before = self.block(statement.body, live)
        if may_be_left:
            self.at_raise.pop()
            self.in_try = outside
        if not body:
            return None, live
        before |= statement_reads(statement, self.memory)
        return with_blocks(statement, (body,)), before

    def guarded(self, statement: Try, live: set[Token]) -> tuple[Statement | None, set[Token]]:
        """Keep all of a block that may be left at any place."""
        handlers, caught = [], set(self.at_raise[-1])
        for handler in statement.handlers:
            body, before = self.block(handler.body, live)
            handlers.append(replace(handler, body=body))
            caught |= before - ({handler.target} if handler.target is not None else frozenset())
        self.at_raise.append(caught)
        outside, self.in_try = self.in_try, self.in_try or not is_gone_through(statement)
        body, before = self.block(statement.body, live)
        self.at_raise.pop()
        self.in_try = outside
        reads = statement_reads(statement, self.memory)
        return replace(statement, body=body, handlers=tuple(handlers)), before | caught | reads


def may_be_cut_short(statement: Statement) -> bool:
    """Tell whether the function may go on though something in a block has raised an error."""
    if isinstance(statement, With):
        return not is_quiet(statement.context)
    return isinstance(statement, Try) and not is_gone_through(statement)


def stacks_of(function: Function) -> frozenset[Variable]:
    """Return the stacks that a function saves values on."""
    return frozenset(s.stack for s in statements(function.body) if isinstance(s, Restore | Save))
