"""What the reverse sweep of a function is written with, and the code of one statement's reverse.

World   what is known of the function: its memory, what is active, how expressions are typed
Code    the lines so far, which adjoints have a value, what the forward sweep has to keep
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from s2sad.analysis.activity import flows
from s2sad.analysis.containers import is_container
from s2sad.analysis.gaps import (
    CHOICES,
    GAP,
    METHODS,
    MOVED,
    SCATTERED,
    Arms,
    Choice,
    Path,
    Reads,
    asks_numbers,
    factors,
    guarded_by,
    is_all,
    steps_to,
)
from s2sad.analysis.guards import Holders, held_in
from s2sad.analysis.memory import Memory
from s2sad.analysis.places import Place
from s2sad.analysis.pointers import Sites
from s2sad.analysis.retype import present
from s2sad.analysis.several import gives_several
from s2sad.analysis.strictness import Strictness
from s2sad.analysis.terms import is_cheap, term_name
from s2sad.ir.errors import NotYet, Refused, S2sadError, Span
from s2sad.ir.expression import Expr, Role, Variable, is_own_call, name, text_of_call
from s2sad.ir.program import PURE, Block, Effect, Function, Let, Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh, free_name
from s2sad.ir.types import Array, Number, Reference, Regions, Tuple, Type
from s2sad.ir.walk import nodes, read_variables, rebuilt
from s2sad.operators.chosen import is_choice, zero_by_test
from s2sad.operators.find import followed, unsupported
from s2sad.operators.guards import spelled
from s2sad.operators.missing import by_key_that_varies, no_rule_for
from s2sad.operators.slopes import may_be_infinite
from s2sad.operators.spreading import one_number_of
from s2sad.reverse.calculus import Calculus, is_literal, number
from s2sad.types.assumptions import Along

if TYPE_CHECKING:
    from s2sad.reverse.rules import TableRules

DEEPEST = 8
MOST_NODES = 2_000  # of a value that is traced back
DERIVED = (Role.ADJOINT, Role.TANGENT)
# what an adjoint is added to: a variable, the subscripts and fields to the part of it, the term
Contribution = tuple[Variable, tuple[Expr, ...], Expr]


# of a test, whether it asks numbers, and whether by what is stored there itself, the variables that
# may hold what is not finite by it: see analysis/guards.py
Doubtful = Callable[[Callable[[Expr], bool], bool, bool], frozenset[object]]
# of a function, the positions of the arguments that vary
Asked = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that keeps states by a schedule, as its call is seen: march_loop(u, c, steps).

    The results are the `state`, of these `types`, with the passes that were run if it `is_counted`,
    and what was kept. Positions: `received` of the state that passes take adjoints of and hand on,
    `left` of that which the last pass alone has one of; among the arguments `outside` of what
    passes read, `varying_outside` of that which has an adjoint, `shadowed` of the containers whose
    shadows are handed over and added to, `steps` of what they go over.
    `effect` is what a call does besides: it may draw.
    """

    reverse: str
    state: tuple[Variable, ...]
    types: tuple[Type, ...]
    received: tuple[int, ...]
    left: tuple[int, ...]
    outside: tuple[int, ...]
    varying_outside: tuple[int, ...]
    shadowed: tuple[int, ...]
    steps: int | None
    is_counted: bool = False
    effect: Effect = PURE


@dataclass(slots=True)
class Callees:
    """The functions of a program, and the derivatives that calls of them asked for, by name.

    `loops` are the calls that loops with schedules became, `made` the functions written for them.
    `missing` are the refusals of what has no rule: the sweep goes on to find them all. `masked` and
    `tested` are the derivatives that are handed an adjoint of which elements, or all, are left out.
    """

    functions: Mapping[str, Function]
    memory_of: Callable[[Function], Memory] | None = None
    asked: dict[Asked, str] = field(default_factory=dict)
    loops: dict[str, Loop] = field(default_factory=dict)
    made: dict[str, Function] = field(default_factory=dict)
    missing: list[S2sadError] = field(default_factory=list)
    masked: set[str] = field(default_factory=set)
    tested: set[str] = field(default_factory=set)

    def leaves_out(self, called: str) -> tuple[bool, bool]:
        """Tell whether a call hands a derivative an adjoint that is masked, or tested."""
        return called in self.masked, called in self.tested

    def loop(self, expr: Expr) -> Loop | None:
        """Return the loop that a call stands for."""
        return self.loops.get(expr.args[0].data) if is_own_call(expr) else None

    def named(self, wish: str) -> str:
        """Return a name that no function has: march_step, march_step_2."""
        return free_name(wish, {*self.functions, *self.asked.values(), *self.made})

    def derivative(self, name: str, positions: tuple[int, ...]) -> str:
        """Return what the derivative of a function is called: step_rev, step_rev_2."""
        key = name, positions
        if key not in self.asked:
            self.asked[key] = self.named(f"{name}_rev")
        return self.asked[key]


@dataclass(frozen=True, slots=True)
class Stored:
    """The memory of which stores choose elements, by a mask alone, and that they write over in part."""

    chosen: Sites = frozenset()
    masked: Sites = frozenset()
    in_part: Sites = frozenset()


@dataclass(frozen=True, slots=True)
class World:
    """What is known of the function that is differentiated.

    `seed` is the parameter that the adjoint of the result comes in, None where it is 1; `seeds` are
    those of the parts of a result, with their types: arrays among them may be written to, and of a
    container that is handed through the seed is the shadow; `value`
    the name that the result is kept under, None where nobody asks for it; with `aux`, what the
    function gives beside its result, that is kept (and the result, if `gives_value`). `masked` are adjoints that
    a test made zero in places, `chosen` those that one test chose, `stored` memory that is stored to; `reads` are the contributions to adjoints, noted in which `arms` of
    branches the sweep is; `steep` are adjoints that may be infinite. `clamps` are the literals that branches assign to
    variables. `shadowed` is the hard memory that
    has a shadow, `shifts` are the identities of expressions that have no adjoint because they cancel; what the
    function asks for nan is `missing`. What
    `is_inactive_as_number` is an array, or a number that does not vary. `block` is that which is turned back, and `statement`, if it has no blocks.
    """

    memory: Memory
    active: frozenset[Variable]
    regions: Regions
    calculus: Calculus
    rules: TableRules
    fresh: Fresh
    doubtful: Doubtful
    definitions: Mapping[Variable, Let] = field(default_factory=dict)
    unpacked: Mapping[Variable, tuple[Let, int]] = field(default_factory=dict)
    seed: Variable | None = None
    seeds: Mapping[Variable, Type] = field(default_factory=dict)
    value: Variable | None = None
    clamps: Mapping[Variable, frozenset[float]] = field(default_factory=dict)
    shadowed: Sites = frozenset()
    bars: dict[Variable, Variable] = field(default_factory=dict)
    shared: dict[Variable, Sites] = field(default_factory=dict)
    masked: set[Variable] = field(default_factory=set)
    carried: set[Variable] = field(default_factory=set)
    tested: set[Variable] = field(default_factory=set)
    steep: set[Variable] = field(default_factory=set)
    chosen: dict[Variable, Choice | None] = field(default_factory=dict)
    stored: Stored = field(default_factory=Stored)
    reads: Reads = field(default_factory=lambda: Reads({}))
    arms: Arms = ()
    shifts: frozenset[int] = frozenset()
    missing: Holders = frozenset()
    divisors: set[tuple[Expr, Span | None]] = field(default_factory=set)  # of later statements
    gradients: dict[Variable, Variable] = field(default_factory=dict)
    callees: Callees = field(default_factory=lambda: Callees({}))
    aux: Expr | None = None
    gives_value: bool = False
    is_inactive_as_number: Callable[[Expr], bool] = lambda _: False
    origins: dict[Variable, Expr | None] = field(default_factory=dict)  # see reverse/fitting.py
    named: dict[Variable, Expr] = field(default_factory=dict)  # terms of the forward sweep
    different: frozenset[Along] = frozenset()  # of the arguments
    strict: Callable[[], Strictness] = Strictness
    block: Block = ()
    statement: Statement | None = None

    def kept_result(self, value: Expr) -> Expr:
        """Return what of the result is kept to be given back."""
        if self.aux is None:
            return value
        both = Expr("tuple", (value, self.aux), None, Tuple((value.type, self.aux.type)))
        return both if self.gives_value else self.aux

    def bar(self, variable: Variable) -> Expr:
        """Return the adjoint of a variable."""
        if variable not in self.bars:
            named = f"{variable.name}_bar"
            self.bars[variable] = self.fresh.variable(named, Role.ADJOINT, variable)
        return name(self.bars[variable], present(self.memory.types[variable]))

    def is_one_with_argument(self, copy: Variable) -> bool:
        """Tell whether a copy of an argument has one shadow with it."""
        argument = self.memory.copies.get(copy)
        return argument is not None and self.bars.get(copy) == self.bars.get(argument, copy)

    def gradient(self, variable: Variable) -> Expr:
        """Return what the gradient with respect to an argument is kept under."""
        kept = self.gradients.get(variable)
        return self.bar(variable) if kept is None else name(kept, self.memory.types[variable])

    def read(self, variable: Variable) -> Expr:
        """Return a variable that is read."""
        return name(variable, self.memory.types[variable])

    def is_active(self, expr: Expr) -> bool:
        """Tell whether derivatives flow through an expression."""
        return any(v in self.active for v in flows(expr, self.regions))

    def is_lasting(self, variable: Variable) -> bool:
        """Tell whether a variable is bound once in a run, and to memory that nobody writes to."""
        uses = self.memory.uses
        is_once = uses.is_bound_at_one_place(variable)
        in_loop = uses.loop_of(uses.block_of(variable)) is not None
        return is_once and not in_loop and not self.memory.is_memory(variable)

    def joins_elements(self, expr: Expr) -> bool:
        """Tell whether a number is computed of several elements of written memory: h[i] - c[j]."""
        if expr.op != "binary" or not isinstance(expr.type, Number):
            return False
        parts = {n for n in nodes(expr) if n.op == "subscript" and n.args[0].op == "name"}
        chosen = [part.args[0].data for part in parts if read_variables(part.args[1])]
        return sum(map(self.memory.is_memory, chosen)) > 1

    def is_easy(self, variable: Variable) -> bool:
        """Tell whether a variable refers to written memory whose shadow the reverse sweep makes."""
        return self.memory.is_memory(variable) and not self.memory.is_hard(variable)

    def gives_disjoint(self, expr: Expr) -> bool:
        """Tell whether an expression is a call whose results are memory of their own, each."""
        if not is_own_call(expr):
            return gives_several(expr) and not self.memory.shares(expr)
        function = self.callees.functions.get(expr.args[0].data)
        return function is not None and function.custom is not None and function.custom.disjoint

    def is_hard(self, variable: Variable) -> bool:
        """Tell whether a variable's shadow is bound in the forward sweep."""
        return self.memory.is_hard(variable)

    def note(self, adjoint: Variable, value: Expr, path: Path = (), home: Place = ()) -> None:
        """Note what an adjoint may be that a value is given or added to, or a part of it."""
        arms = () if adjoint.role is Role.TERM else self.arms
        is_first = not path and adjoint not in self.reads.found
        self.chosen[adjoint] = self._lasting_choice(adjoint, value) if is_first else None
        self.reads.note(adjoint, path, value, arms, home, self._has_gaps(value))
        if adjoint.of is not None and self.is_easy(adjoint.of):
            self._note_base(adjoint.of, value, path, home)
        self.note_left_out(adjoint, value, self.is_made_zero(value))

    def note_left_out(self, adjoint: Variable, value: Expr, is_masked: bool) -> None:
        """Note what a value that an adjoint is given, or that of its items, leaves out."""
        if is_masked:
            self.masked.add(adjoint)
        if self.is_tested(value):
            self.tested.add(adjoint)
        if self.is_steep(value):
            self.steep.add(adjoint)

    def _note_base(self, variable: Variable, value: Expr, path: Path, home: Place) -> None:
        """Note what is contributed to a part of memory as a contribution to the memory itself."""
        let = self.definitions.get(variable)
        if let is None or not self.memory.is_reference(let.value):
            return
        base, steps, is_whole = steps_to(let.value)
        if is_whole or path:  # of what is reshaped it is not known which part it is
            self.note(self.bar(base).data, value, (*steps, *path) if is_whole else GAP, home)

    def choice_of(self, g: Expr) -> Choice | None:
        """Return the one choice that an adjoint may be zero by, as far as that is known."""
        if g.op == "name":
            return self.chosen.get(g.data)
        if g.op == "binary" and g.data in ("*", "/"):
            masked = [arg for arg in g.args if self.is_masked(arg)]
            return self.choice_of(masked[0]) if len(masked) == 1 else None
        found = zero_by_test(g)
        if found is None:
            return None
        test, place, inner = found
        asked = guarded_by(test)
        others = rebuilt(inner, lambda e: number(1.0) if e == asked else None)
        if self.is_masked(others) or self.is_tested(others):
            return None
        return Choice(test, place, g, inner)

    def _lasting_choice(self, adjoint: Variable, value: Expr) -> Choice | None:
        """Return the choice of what an adjoint is given, by a test that can be asked where it is read."""
        choice = self.choice_of(value)
        if choice is None:
            return None
        is_literal_ = (
            choice.factor == value and choice.inner is not None and is_literal(choice.inner)
        )
        inner = choice.inner if is_literal_ else None
        if adjoint.of is None:  # it is read in one statement
            return replace(choice, factor=name(adjoint), inner=inner)
        test = choice.test
        if not all(self._is_bound_before(adjoint.of, v) for v in read_variables(test)):
            test = self._traced(test, 0, [MOST_NODES])
        is_known = all(self._is_bound_before(adjoint.of, v) for v in read_variables(test))
        if not is_known or not self.is_lasting(adjoint.of):
            return None
        return Choice(test, choice.place, name(adjoint), inner, is_lasting=True)

    def _is_bound_before(self, later: Variable, variable: Variable) -> bool:
        """Tell whether a variable has one value on every way to where another is bound."""
        uses = self.memory.uses
        if variable in uses.parameters:
            return True
        is_outside = variable in self.definitions and uses.block_of(variable) == ()
        if not is_outside or not self.memory.is_steady(variable):
            return False
        both = (v for v in self.definitions if v in (variable, later))  # as the text binds them
        return [*both] == [variable, later]

    def is_steep(self, g: Expr) -> bool:
        """Tell whether an adjoint may be infinite."""
        if any(n.op == "name" and n.data in self.steep for n in nodes(g)):
            return True
        return may_be_infinite(g) and not self.is_finite(g, may_be_infinite)

    def is_finite(
        self,
        expr: Expr,
        may_not_be: Callable[[Expr], bool],
        asks_numbers: bool = True,
    ) -> bool:
        """Tell whether a value is finite wherever the result is, with all that its names were computed by."""
        left, strict = [MOST_NODES], self.strict()

        def finite(value: Expr, made_by: Let | None) -> Expr:
            return strict.simplified(value, made_by or self.statement, asks_numbers, self.named)

        whole = self._traced(finite(expr, None), 0, left, finite)
        if left[0] < 0:
            return False
        if may_not_be(whole):
            return False
        left_over = (v for v in read_variables(whole) if not self._is_given(v))
        return not any(self.holds_doubtful(v, may_not_be, asks_numbers) for v in left_over)

    def holds_doubtful(
        self,
        variable: Variable,
        may_not_be: Callable[[Expr], bool],
        asks_numbers: bool = True,
        directly: bool = False,
    ) -> bool:
        """Tell whether a variable, or memory that it leads to, may be given what is not finite."""
        doubtful = self.doubtful(may_not_be, asks_numbers, directly)
        return variable in doubtful or not doubtful.isdisjoint(self.memory.reach(variable))

    def may_be_missing(self, expr: Expr) -> bool:
        """Tell whether a value is made of data of which the function asks whether they are numbers."""
        if not self.missing:
            return False
        return not self.missing.isdisjoint(held_in(self._traced(expr, 0, [MOST_NODES])))

    def _is_given(self, variable: Variable) -> bool:
        """Tell whether a variable is an argument, or an adjoint."""
        if variable in self.memory.uses.parameters:
            return self.memory.is_steady(variable)
        return self.is_adjoint(variable)

    def is_adjoint(self, variable: Variable) -> bool:
        """Tell whether a variable is an adjoint, or a temporary that is computed of one."""
        is_known = variable in self.definitions or variable in self.named
        return variable.role in DERIVED or (variable.role is Role.TERM and not is_known)

    def _traced(
        self,
        expr: Expr,
        depth: int,
        left: list[int],
        simplified: Callable[[Expr, Let | None], Expr] = lambda value, _: value,
    ) -> Expr:
        """Return a value with what its names were computed by in place of them, where that is known.

        `left` counts the nodes that it may still have: names that are read often multiply.
        """
        left[0] -= 1
        if expr.op != "name":
            return expr.with_args(self._traced(arg, depth, left, simplified) for arg in expr.args)
        let = self.definitions.get(expr.data)
        value = self.named.get(expr.data) if let is None else let.value
        if value is None or depth > DEEPEST or left[0] < 0 or not self.memory.is_steady(expr.data):
            return expr
        return self._traced(simplified(value, let), depth + 1, left, simplified)

    def is_masked(self, g: Expr) -> bool:
        """Tell whether an adjoint may be zero where a test, a store or a part left elements out."""
        return self.is_made_zero(g) or self._has_gaps(g)

    def is_made_zero(self, g: Expr) -> bool:
        """Tell whether a test or a store under a mask made an adjoint zero, or a part of it."""
        parts = factors(g, of_elements=True)
        return any(self._masks(node, self.masked, self.stored.chosen) for node in parts)

    def _has_gaps(self, g: Expr) -> bool:
        """Tell whether nothing contributes to some elements of an adjoint, or they are written over."""
        if isinstance(g.type, Number):
            return False
        match g:
            case Expr("name", data=Variable(of=of) as adjoint):
                held = self.memory.points_to.get(of, frozenset()) if of is not None else frozenset()
                return bool(held & self.stored.in_part) or self.reads.has_gaps(adjoint, g.type)
            case Expr("subscript", (held, index)) if is_all(index):
                return self._has_gaps(held)
            case Expr("subscript", (Expr("name", data=adjoint) as held, index)):
                return self.reads.has_gaps(adjoint, held.type, index)
            case Expr("binary", args, "+" | "-"):
                return all(map(self._has_gaps, args))
            case Expr("binary", (above, _), "/"):
                return self._has_gaps(above)
            case Expr("binary", data="*") | Expr("unary") | Expr("attribute", data="T"):
                return any(map(self._has_gaps, g.args))
        called = text_of_call(g)
        if g.op == "call" and g.args[0].op == "attribute":
            return g.args[0].data in METHODS and self._has_gaps(g.args[0].args[0])
        return called in SCATTERED or (called in MOVED and any(map(self._has_gaps, g.args)))

    def is_left_out(self, g: Expr, read: frozenset[Variable]) -> bool:
        """Tell whether an adjoint is an element that may be left out, as the loop around chooses it."""
        for node in nodes(g):
            match node:
                case Expr("subscript", (Expr("name", data=adjoint), index)):
                    counters = read_variables(index) & read & self.reads.counters.keys()
                    if counters and adjoint in self.masked:
                        return True
        return False

    def is_tested(self, g: Expr) -> bool:
        """Tell whether a test that may ask numbers made it so: see asks_numbers()."""
        parts = (n for n in factors(g) if self._masks(n, self.tested, self.stored.masked))
        return any(map(self._tests, parts))

    def _tests(self, node: Expr) -> bool:
        is_choice = node.op == "conditional" or len(node.args) == 4
        return asks_numbers(self._traced(node.args[-3] if is_choice else node, 0, [MOST_NODES]))

    def _masks(self, node: Expr, names: set[Variable], sites: Sites) -> bool:
        match node.op:
            case "compare":
                return True
            case "conditional" | "call" if node.op == "conditional" or is_choice(node):
                arms = node.args[-2:]  # where each has an adjoint, none is left out
                return any(spelled(arm) == 0 or self.is_masked(arm) for arm in arms)
            case "call":
                return text_of_call(node) in CHOICES
            case "name":
                of = node.data.of if node.data.role is Role.ADJOINT else None
                held = self.memory.points_to.get(of, frozenset()) if of is not None else frozenset()
                if of is not None and (isinstance(node.type, Array) or self.is_lasting(of)):
                    if self.reads.is_tested(node.data):
                        return True
                return bool(held & sites) or node.data in names
        return False

    def owner(self, variable: Variable) -> Place:
        """Return the block that a variable belongs to."""
        return self.memory.uses.owners.get(variable, ())

    def home(self, variable: Variable) -> Place:
        """Return the block in which the shadow of an easy variable is made."""
        return self.memory.uses.block_of(variable)


def _is_field(value: Expr) -> bool:
    """Tell whether a value is a field of an object or dict that has a name: b_bar.x."""
    if value.op == "attribute":
        return value.args[0].op == "name" and is_container(value.args[0].type)
    is_key = value.op == "subscript" and value.args[1].op == "constant"
    return is_key and value.args[0].op == "name" and isinstance(value.args[0].type, Reference)


@dataclass(slots=True)
class Code:
    """The reverse of one statement while it is written.

    `state` are the adjoints that have a value here: all others are zero. `wanted` are the easy
    shadows that have to be there. `terms` are named in the forward sweep before the statement.
    `wide`: what the adjoint that is pulled back has the shape of, where that is larger than its
    value's (see pull()); `sums` has that of what is summed to a shape as the text runs. `repeated` are
    values that an expression computes more than once, with the adjoints that are not pulled back yet.
    """

    world: World
    state: set[Variable]
    span: Span | None = None
    target: str = "result"
    lines: list[Statement] = field(default_factory=list)
    kept: list[Statement] = field(default_factory=list)
    wanted: dict[Variable, None] = field(default_factory=dict)
    terms: dict[Expr, Variable] = field(default_factory=dict)
    result: tuple[Expr, Expr] | None = None
    found: list[Contribution] = field(default_factory=list)
    wide: Expr | None = None
    sums: dict[Expr, Expr] = field(default_factory=dict)
    repeated: dict[Expr, list[Expr]] = field(default_factory=dict)

    def emit(self, statement: Statement) -> None:
        """Add a line."""
        self.lines.append(statement)

    def temporary(self, value: Expr, called: str | None = None, word: str = "") -> Expr:
        """Return a name for an adjoint that is used more than once.

        `word` says what it is the adjoint of: u_product_bar, where there is a u_term_bar.
        """
        filled = one_number_of(value)
        is_short = value.op in ("name", "constant") or _is_field(value)
        if is_short or (filled is not None and filled.op != "binary"):
            return value
        if filled is not None:  # what reads it takes the number
            one = self.temporary(filled, called, word)
            return rebuilt(value, lambda e: one if e is filled else None)
        called = called or f"{self.target}_term_bar"
        if word and self.has_named(called):
            called = f"{self.target}_{word}_bar"
        made = self.world.fresh.variable(called, Role.TERM)
        self.emit(Let(made, value, self.span))
        self.world.note(made, value)
        if value.op == "compare":  # what is chosen by it may ask which numbers it compares
            self.world.named[made] = value
        return name(made, value.type)

    def has_named(self, called: str) -> bool:
        """Tell whether the reverse of this statement has a variable of a name."""
        targets = (line.target for line in self.lines if isinstance(line, Let))
        return any(isinstance(t, Variable) and t.name == called for t in targets)

    def value(self, expr: Expr) -> Expr:
        """Return a value of the primal: itself if it costs nothing, else a name of the forward sweep."""
        if self.result is not None and expr == self.result[0]:
            return self.result[1]
        is_ours = any(n.op == "name" and n.data.role in DERIVED for n in nodes(expr))
        if is_ours or (is_cheap(expr) and not self.world.joins_elements(expr)):
            return expr
        if expr not in self.terms:
            term = self.world.fresh.variable(term_name(expr, self.target), Role.TERM)
            self.terms[expr] = term
            self.world.named[term] = expr
        return name(self.terms[expr], expr.type)

    def refuse(self, reason: str, expr: Expr | None = None) -> NotYet:
        """Return the exception that says what is not done yet."""
        return unsupported(reason, expr, self.span)

    def without_rule(self, called: str, what: str, expr: Expr) -> NotYet:
        """Return the refusal of a function that has no rule for what it is given here."""
        by_key = self.by_key(expr)
        if by_key:
            return Refused(by_key)
        return followed(Refused(no_rule_for(called, what, expr.span or self.span)), expr)

    def by_key(self, expr: Expr) -> S2sadError | None:
        """Return the refusal of an operand that an object of a library computes with its key."""
        looked_up = (n for n in nodes(expr) if n.op == "subscript" and n.args[0].op == "global")
        if not any(self.world.is_active(part) for n in looked_up for part in nodes(n.args[1])):
            return None
        return by_key_that_varies(expr, self.span)
