"""A Program in, what is known of each of its values out.

    infer(misfit, {"W": array (W.0, W.1), ...}).of(r@1)    ->    float64 array (W.0,)

Sweeps over the program until what each loop starts its passes with no longer changes: a pass
may start with what was there before the loop, or with what the last pass left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod
from typing import Any

from s2sad.calls import arguments, is_python
from s2sad.errors import S2sadError, Span
from s2sad.facts.binding import as_array
from s2sad.facts.context import Context, Reading, prefixed, text_of
from s2sad.facts.elementwise import arithmetic, may_have_shape
from s2sad.facts.expressions import fact_of, truth
from s2sad.facts.fact import ANY, UNKNOWN, Dim, Fact, Shape, Token
from s2sad.facts.joins import element, join_elements, joined, with_dims
from s2sad.facts.lengths import Entry, Lengths, Meeting
from s2sad.facts.python import elements
from s2sad.program import (
    SHAPE_ATTRIBUTES,
    SHAPE_FUNCTIONS,
    Assign,
    Attr,
    Block,
    Break,
    Call,
    Carried,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Stmt,
    Update,
    Var,
    flat_targets,
    reads,
    walk,
)

RESTARTS = 6  # sweeps after which the start of a pass is only joined, never begun anew
SWEEPS = 14  # sweeps after which every start of a pass that still changes is unknown
UNBOUND = Fact("unbound")  # of a value that, as far as the sweeps know, nothing was given to
DEPTH = 30  # calls inside calls that are looked into


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the values of a program, and what of that has to be checked on entry."""

    known: Mapping[Var, Fact]
    meetings: tuple[Meeting, ...] = ()
    extra: Mapping[Var, Fact] = field(default_factory=dict)
    prefix: str = ""

    def of(self, var: Var) -> Fact:
        """Return what is known of a value."""
        found = self.extra.get(var)
        return found if found is not None else self.known.get(var, UNKNOWN)

    def expr(self, expr: Expr, extra: Mapping[Var, Fact] | None = None) -> Fact:
        """Return what is known of an expression; `extra` tells of values of its own."""
        more = self.extra if extra is None else {**self.extra, **extra} if self.extra else extra
        return fact_of(expr, Reading(self.known, more, self.prefix))

    def with_(self, extra: Mapping[Var, Fact]) -> Facts:
        """Return these facts and more."""
        return replace(self, extra={**self.extra, **extra})


def infer(program: Program, given: Mapping[str, Fact]) -> Facts:
    """Return what is known of every value of a program, from what is known of its parameters.

    Only lengths as `fact_of_value` names them, 'W.0' of the parameter W, can be assumed equal.
    """
    started, entries = _started(program, given)
    work = Inference(program, started, entries, prefix=_prefix(program, given))
    work.run()
    return Facts(work.known, work.lengths.meetings(), prefix=work.prefix)


def static(expr: Expr, facts: Facts) -> bool | None:
    """Return what a test gives, where that is settled by what is known; None otherwise."""
    return truth(facts.expr(expr))


def _started(
    program: Program, given: Mapping[str, Fact]
) -> tuple[dict[Var, Fact], dict[str, Entry]]:
    """Return the facts of the parameters, and which of their lengths a check can name."""
    started: dict[Var, Fact] = {}
    entries: dict[str, Entry] = {}
    for param in program.params:
        var, name = param.var, param.var.slot
        fact = given.get(name, Fact("unknown", shape=Token(name)))
        started[var] = with_dims(fact, lambda dim, path, v=var: _renamed(v, dim))  # type: ignore[misc]
        if fact.kind == "array" and isinstance(fact.shape, tuple):
            for i, dim in enumerate(fact.shape):
                if dim == Dim(f"{name}.{i}"):
                    entries[_renamed(var, dim).symbol] = Entry(var, i)
    return started, entries


def _prefix(program: Program, given: Mapping[str, Fact]) -> str:
    """Return what the names of this program's lengths start with, and none that it is given."""
    names = {dim.symbol for fact in given.values() for dim in _dims_of(fact)}
    names |= _tokens_of(given)
    prefix = ""
    # 'x@1.0' of a caller is not that of this function
    while any("@" in name and name.lstrip("#").startswith(prefix) for name in names):
        prefix += f"{program.name}:"
    return prefix


def _renamed(var: Var, dim: Dim) -> Dim:
    # lengths that a caller of this function has named are not to be mistaken for its own
    own = dim.symbol.startswith((f"{var.slot}.", f"{var.slot}["))
    if not own:
        return dim
    return Dim(f"{var.slot}@{var.version}{dim.symbol[len(var.slot) :]}", dim.offset)


@dataclass(slots=True)
class _Head:
    """What a loop starts its passes with, as far as the sweeps have found out."""

    init: Fact | None
    fact: Fact


class Inference(Context):
    """The sweeps over one program."""

    def __init__(
        self,
        program: Program,
        started: Mapping[Var, Fact],
        entries: Mapping[str, Entry],
        active: tuple[Any, ...] = (),
        calls: dict[Any, Any] | None = None,
        prefix: str = "",
    ):
        self.program = program
        self.prefix = prefix
        self.started = started
        self.entries = entries
        self.active = active
        self.calls: dict[Any, Any] = {} if calls is None else calls
        self.heads: dict[Var, _Head] = {}
        self.known: dict[Var, Fact] = {}
        self.lengths = Lengths(entries)
        self.span: Span = program.span
        self.depths: dict[Var, int] = {}
        self.implied: list[tuple[Dim, Dim]] = []
        self.inside: list[list[Var]] = [[]]
        self.sweeps = 0
        self.changed = False

    # ------------------------------------------------------------ as a context

    def of(self, var: Var) -> Fact:
        """Return what is known of a value."""
        return self._held(var) or UNKNOWN

    def _held(self, var: Var | None) -> Fact | None:
        """Return what is known of a value, None of one that nothing was given to."""
        fact = UNBOUND if var is None else self.known.get(var, UNKNOWN)
        return None if fact is UNBOUND else self.lengths.resolved(fact)

    def meet(self, left: Dim, right: Dim) -> Dim | None:
        """Assume two lengths equal where that can be checked on entry."""
        return self.lengths.meet(left, right, self.span)

    def imply(self, left: Dim, right: Dim) -> None:
        """Note that two lengths are equal, or the operation raises."""
        if not self.lengths.depth:
            self.implied.append((left, right))
        self.lengths.imply(left, right, self.span)

    def fresh(self, name: str, parts: Iterable[Expr | Dim]) -> Dim:
        """Return a length called `name`, which ends with the loop or branch of its parts."""
        depth = self.lengths.depth
        if "!" not in name:
            depth = max((self._depth_of(part) for part in parts), default=0)
        return self._new(name, depth)

    def _new(self, name: str, depth: int) -> Dim:
        made = prefixed(self.prefix, name)
        self.lengths.bound[made] = depth
        return Dim(made)

    def _depth_of(self, part: Expr | Dim) -> int:
        if isinstance(part, Dim):
            return self.lengths.depth_of(part)
        return max((self.depths.get(var, 0) for var in reads(part)), default=0)

    def called(self, call: Call, facts: Sequence[Fact]) -> Fact | None:
        """Return what a Python function makes of these arguments."""
        assert isinstance(call.func, Ref)
        function = call.func.value
        if not is_python(call.func) or function in self.active or len(self.active) > DEPTH:
            return None
        try:
            bound = arguments(call)
        except (TypeError, ValueError):
            return None
        given = {name: fact_of(expr, self) for name, expr in bound.items()}
        found = self._result_of(function, given)
        if found is None:
            return None
        result, pairs, implied = found
        for left, right in pairs:
            self.meet(left, right)
        ours = self._symbols_of(given)
        for left, right in implied:
            if {left.symbol, right.symbol} <= ours:
                self.imply(left, right)
        return self._own_names(result, given, text_of(call))

    # ------------------------------------------------------------ calls

    def _result_of(self, function: Any, given: dict[str, Fact]) -> Any:
        entries = {} if self.lengths.barriers else self.entries
        key = (function, tuple(given.items()), bool(entries))
        if key not in self.calls:
            self.calls[key] = None
            self.calls[key] = self._inside_of(function, given, entries)
        return self.calls[key]

    def _inside_of(
        self, function: Any, given: Mapping[str, Fact], entries: Mapping[str, Entry]
    ) -> Any:
        from s2sad.normalise import normalise

        try:
            program = normalise(function)
        except (S2sadError, RecursionError):
            return None
        started = {p.var: given.get(p.var.slot, UNKNOWN) for p in program.params}
        active = (*self.active, function)
        prefix = _prefix(program, given)
        work = Inference(program, started, entries, active, self.calls, prefix)
        work.run()
        met = [(Dim(left), Dim(right)) for left, right in work.lengths.met]
        return work.of_result(), met, work.implied

    def _own_names(self, result: Fact, given: Mapping[str, Fact], name: str) -> Fact:
        """Return the result of a call with lengths that the callee made called after the call."""
        ours = self._symbols_of(given)

        def renamed(dim: Dim, path: str) -> Dim:
            if dim.symbol in ours or dim == ANY:
                return dim
            made = self._new(f"{name}:{dim.symbol}", self.lengths.depth)
            return replace(made, offset=dim.offset)

        return with_dims(_without_tokens(result, _tokens_of(given)), renamed)

    def _symbols_of(self, given: Mapping[str, Fact]) -> set[str]:
        """Return the symbols that mean the same in a called function, and '' of constants."""
        symbols = {dim.symbol for fact in given.values() for dim in _dims_of(fact)}
        return symbols | self.entries.keys() | {""}

    def of_result(self) -> Fact:
        """Return what is known of what the program returns."""
        return fact_of(self.program.result, Reading(self.known, prefix=self.prefix))

    # ------------------------------------------------------------ sweeps

    def run(self) -> None:
        """Sweep over the program until nothing changes."""
        while True:
            self.sweeps += 1
            self.changed = False
            self.lengths = Lengths(self.entries)
            self.known, self.depths, self.implied = {}, {}, []
            self.inside = [[]]
            for var, fact in self.started.items():
                self.bind(var, fact)
            self.block(self.program.body)
            if not self.changed:
                break
        fact_of(self.program.result, self)
        self._settle(self.inside[0])
        for var, fact in self.known.items():
            if fact is UNBOUND:
                self.known[var] = UNKNOWN

    def _settle(self, made: list[Var]) -> None:
        """Resolve what was found before later equalities were."""
        if self.lengths.equal:
            for var in made:
                if self.known[var] is not UNBOUND:
                    self.known[var] = self.lengths.resolved(self.known[var])

    def bind(self, var: Var, fact: Fact) -> None:
        """Note what is known of a value."""
        if fact.shape is None and fact.kind in ("array", "unknown"):
            # a value has its own shape at least
            name = self._new(text_of(var), self.lengths.depth).symbol
            fact = replace(fact, shape=Token(name))
        self.known[var] = fact
        self.depths[var] = self.lengths.depth
        self.inside[-1].append(var)

    def block(self, block: Block) -> None:
        """Look at statements, one after the other."""
        for stmt in block:
            self.span = stmt.span
            self.statement(stmt)

    def _enter(self) -> None:
        self.lengths.depth += 1
        self.inside.append([])

    def _leave(self) -> None:
        made = self.inside.pop()
        self._settle(made)
        self.inside[-1] += made
        self.lengths.leave()

    # ------------------------------------------------------------ statements

    @singledispatchmethod
    def statement(self, stmt: Stmt) -> None:
        """Note what is known of the values that a statement makes."""
        raise TypeError(f"not a statement: {stmt!r}")

    @statement.register
    def _assign(self, stmt: Assign) -> None:
        if not stmt.unpack:
            self.bind(stmt.target, fact_of(stmt.value, self))
        elif (
            isinstance(stmt.value, Op)
            and len(stmt.value.args) == len(stmt.targets)
            and (stmt.value.op in ("tuple", "list"))
        ):
            facts = [fact_of(arg, self) for arg in stmt.value.args]
            for target, fact in zip(stmt.targets, facts, strict=True):
                self.bind(target, fact)
        else:
            self._unpack(stmt.targets, fact_of(stmt.value, self))

    def _unpack(self, targets: Sequence[Any], fact: Fact) -> None:
        """Bind nested targets to the parts of a value."""
        known = fact.kind == "tuple" and len(fact.items) == len(targets)
        for i, target in enumerate(targets):
            part = fact.items[i] if known else self._part(fact, target)
            if isinstance(target, Var):
                self.bind(target, self._named(part, target))
            else:
                self._unpack(target, part)

    def _part(self, fact: Fact, target: Any) -> Fact:
        if fact.kind == "tuple" and fact.extent is not None:
            return Fact("int", "int64", (), weak=True)
        if fact.kind == "tuple":
            return UNKNOWN
        return elements(fact, self._name_of(_first(target)))

    def _named(self, fact: Fact, target: Var) -> Fact:
        """Return an element of a list with lengths called after its name."""
        name = text_of(target)

        return element(fact, lambda path: self._new(name + path, self.lengths.depth))

    @statement.register
    def _update(self, stmt: Update) -> None:
        old, value = self.of(stmt.old), fact_of(stmt.value, self)
        if stmt.op == "append":
            kept = old.items if old.kind == "list" else (UNKNOWN,)
            self.bind(stmt.new, Fact("list", items=join_elements((*kept, value))))
        elif stmt.index is None:
            self.bind(stmt.new, self._changed(stmt, old, value))
        else:
            self.bind(stmt.new, _written(old, value))

    def _changed(self, stmt: Update, old: Fact, value: Fact) -> Fact:
        """Return what `old op= value` leaves: an array keeps its shape and dtype."""
        if stmt.op == "=":
            return value
        made = fact_of(Op(stmt.op, (stmt.old, stmt.value)), self)
        if old.kind == "array":
            return old
        if old.kind == "list":
            extra = as_array(stmt.value, value, self) if value.kind == "array" else value
            more = extra.items if extra.kind in ("list", "tuple") else (UNKNOWN,)
            return Fact("list", items=join_elements((*old.items, *more)))
        return made

    @statement.register
    def _pop(self, stmt: Pop) -> None:
        old = self.of(stmt.old)
        found = old.items[0] if old.kind == "list" and old.items else UNKNOWN
        self.bind(stmt.target, self._named(found, stmt.target))
        self.bind(stmt.new, old)

    @statement.register
    def _effect(self, stmt: Effect) -> None:
        if isinstance(stmt.value, Opaque):
            for _, var in stmt.value.writes:
                self.bind(var, UNKNOWN)

    @statement.register
    def _break(self, stmt: Break) -> None:
        return

    @statement.register
    def _if(self, stmt: If) -> None:
        known = truth(fact_of(stmt.test, Reading(self.known, prefix=self.prefix)))
        if known is not None:
            self.block(stmt.then if known else stmt.orelse)
            for merge in stmt.merges:
                side = merge.then if known else merge.orelse
                self.bind(merge.out, self._held(side) or UNBOUND)
            return
        shapes_decide = _reads_shape(stmt.test)
        self.lengths.barriers += shapes_decide
        sides = [self._branch(block, stmt, i) for i, block in enumerate((stmt.then, stmt.orelse))]
        self.lengths.barriers -= shapes_decide
        for merge, a, b in zip(stmt.merges, *sides, strict=True):
            self.bind(merge.out, self._either(a, b, merge.out))

    def _branch(self, block: Block, stmt: If, side: int) -> list[Fact | None]:
        self._enter()
        self.block(block)
        found: list[Fact | None] = []
        for merge in stmt.merges:
            held = self._held(merge.orelse if side else merge.then)
            found.append(None if held is None else self._outward(held, merge.out))
        self._leave()
        return found

    def _either(self, a: Fact | None, b: Fact | None, out: Var) -> Fact:
        if a is None or b is None:
            return b or a or UNBOUND
        return joined(self.lengths.resolved(a), self.lengths.resolved(b), self._name_of(out))

    def _name_of(self, var: Var) -> Any:
        """Return what names the lengths of a value that differ on two ways to it."""
        return lambda path: self._new(text_of(var) + path, self.lengths.depth)

    def _outward(self, fact: Fact, out: Var) -> Fact:
        """Return a fact as it stands after the loop or branch in which it was found."""
        lengths, name = self.lengths, text_of(out)

        def renamed(dim: Dim, path: str) -> Dim:
            if not lengths.is_inner(dim.symbol):
                return dim
            if path.startswith("?") or not path:
                return ANY
            # one name for each of the two ways, so that they differ
            return self._new(f"{name}{path}'{dim}", lengths.depth - 1)

        return with_dims(_without_tokens(fact, None, lengths), renamed)

    # ------------------------------------------------------------ loops

    @statement.register
    def _loop(self, stmt: Loop) -> None:
        iterable = None if stmt.iterable is None else fact_of(stmt.iterable, self)
        inits = [self._held(c.init) for c in stmt.carried]
        self._enter()
        for carried, init in zip(stmt.carried, inits, strict=True):
            self.bind(carried.head, self._start(carried, init))
        if stmt.iterable is not None and iterable is not None:
            self._target(stmt.targets, elements(iterable, self._name_of(_first(stmt.targets))))
        self.block(stmt.body)
        self.span = stmt.span
        ends = [self._held(c.end) for c in stmt.carried]
        out = [e and self._outward(e, c.exit) for c, e in zip(stmt.carried, ends, strict=True)]
        for carried, end in zip(stmt.carried, ends, strict=True):
            if end is not None:
                self._again(carried, end)
        self._leave()
        for carried, init, end in zip(stmt.carried, inits, out, strict=True):
            self.bind(carried.exit, self._either(init, end, carried.exit))

    def _target(self, targets: Any, fact: Fact) -> None:
        if isinstance(targets, Var):
            named = self._named(fact, targets)
            # the number of this pass
            self.bind(targets, replace(named, extent=None) if named.kind == "int" else named)
        else:
            self._unpack(targets, fact)

    def _start(self, carried: Carried, init: Fact | None) -> Fact:
        """Return what a pass starts with, as far as is known in this sweep."""
        head = self.heads.get(carried.head)
        if head is None:
            head = _Head(init, init or UNBOUND)
            self.heads[carried.head] = head
        elif init is not None and init != head.init:
            begun_anew = self.sweeps <= RESTARTS or head.init is None
            made = init if begun_anew else self._joined_start(head.fact, init, carried)
            self.changed |= made != head.fact
            head.fact, head.init = made, init
        return UNKNOWN if self.sweeps > SWEEPS + RESTARTS else head.fact

    def _joined_start(self, a: Fact, b: Fact, carried: Carried) -> Fact:
        if self.sweeps > SWEEPS:
            return UNKNOWN
        lengths = self.lengths
        made = joined(a, b, self._name_of(carried.head))
        return (
            replace(made, extent=None)
            if made.kind == "int" and a.extent != b.extent
            else (with_dims(made, lambda dim, _: dim) if lengths.equal else made)
        )

    def _again(self, carried: Carried, end: Fact) -> None:
        """Take into account that a pass starts with what the last one left."""
        head = self.heads[carried.head]
        own = set(_dims_of(head.fact))
        left = self._inner_unknown(end, own, carried.head)
        start = self.lengths.resolved(head.fact)
        if head.fact is UNBOUND:
            # bound in the loop only: a pass can only see what the last one left
            made = left
        else:
            made = start if start == left else self._joined_start(start, left, carried)
        if made != start and self.sweeps <= SWEEPS + RESTARTS:
            head.fact = made
            self.changed = True

    def _inner_unknown(self, end: Fact, own: set[Dim], head: Var) -> Fact:
        """Return an end with the lengths that were made in this pass given names of their own."""
        lengths, name = self.lengths, text_of(head)

        def renamed(dim: Dim, path: str) -> Dim:
            resolved_own = any(lengths.resolve(each) == dim for each in own)
            if not lengths.is_inner(dim.symbol) or (resolved_own and path[:1] != "?"):
                return dim
            if path.startswith("?") or not path:
                return ANY
            return self._new(name + path, lengths.depth)

        kept = {prefixed(self.prefix, name)}
        return with_dims(_without_tokens(end, kept, lengths), renamed)


def _first(targets: Any) -> Var:
    return next(flat_targets(targets), Var("item", 0))


def _dims_of(fact: Fact) -> list[Dim]:
    found: list[Dim] = []

    def note(dim: Dim, _: str) -> Dim:
        found.append(dim)
        return dim

    with_dims(fact, note)
    return found


def _tokens_of(given: Mapping[str, Fact]) -> set[str]:
    shapes = [shape for fact in given.values() for shape in _shapes_in(fact)]
    return {shape.name for shape in shapes if isinstance(shape, Token)}


def _shapes_in(fact: Fact) -> Iterator[Shape]:
    yield fact.shape
    yield fact.extent
    for each in fact.items:
        yield from _shapes_in(each)


def _without_tokens(fact: Fact, kept: set[str] | None, lengths: Lengths | None = None) -> Fact:
    """Return a fact without shapes named after values that ended or are not ours."""

    def ended(token: Token) -> bool:
        if kept is not None and token.name in kept:
            return False
        return lengths is None or lengths.is_inner(token.name)

    shape, extent = fact.shape, fact.extent
    if isinstance(shape, Token) and ended(shape):
        shape = None
    if isinstance(extent, Token) and ended(extent):
        extent = None
    items = tuple(_without_tokens(each, kept, lengths) for each in fact.items)
    if shape is fact.shape and extent is fact.extent and items == fact.items:
        return fact
    return replace(fact, shape=shape, extent=extent, items=items)


def _written(old: Fact, value: Fact) -> Fact:
    """Return what a write to elements leaves: an array keeps its shape and dtype."""
    if old.kind == "list":
        return replace(old, items=join_elements((*old.items, value)))
    return old if may_have_shape(old) or old.kind == "dict" else UNKNOWN


def _reads_shape(test: Expr) -> bool:
    """Tell whether shapes decide which way a branch goes."""
    for part in walk(test):
        if isinstance(part, Attr) and part.name in SHAPE_ATTRIBUTES:
            return True
        called = part.func if isinstance(part, Call) else None
        if isinstance(called, Ref) and called.text in SHAPE_FUNCTIONS:
            return True
    return False


__all__ = ["Facts", "Meeting", "arithmetic", "infer", "static"]
