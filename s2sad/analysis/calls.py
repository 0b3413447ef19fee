"""Own functions put in place of their calls, but for those that are differentiated by themselves.

y = norm(u) + 1.0        p = u
                         total = np.sum(p * p)
                         y = np.sqrt(total) + 1.0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from s2sad.analysis.callees import is_call_of, kept_functions
from s2sad.analysis.comprehensions import Made, appended, summed
from s2sad.analysis.containers import is_held
from s2sad.analysis.exits import structured
from s2sad.analysis.retype import may_raise_inside, reads_guarded_part, reads_what_may_be_missing
from s2sad.analysis.trials import with_trials
from s2sad.ir.errors import NotYet, Span, Unsupported
from s2sad.ir.expression import Expr, Pattern, Variable, calls, constant, name, root_of
from s2sad.ir.program import (
    Block,
    Break,
    Function,
    If,
    Let,
    Program,
    RegionOp,
    Return,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh, with_variables
from s2sad.ir.types import Array, Number, Numeric, Tuple, Type
from s2sad.ir.walk import (
    bound_in,
    expressions,
    nodes,
    nodes_in,
    read_variables,
    rewritten,
    statements,
    with_expressions,
)
from s2sad.operators.algebra import Algebra
from s2sad.operators.effects import effect
from s2sad.operators.find import has_twin

DEEPEST = 40
NONE = ("is", "is not")
TAKES_ALL = (sum, max, min, list, tuple, sorted)
CHOICES = frozenset({"conditional", "and", "or"})


def inlined(program: Program, infer: Callable[[Expr], Expr]) -> Function:
    """Return the entry function, structured, with own functions in place of their calls."""
    entry = structured(with_trials(program.function, program.functions))
    fresh = Fresh.of(entry)
    for function in program.functions.values():
        fresh.know_inner(function)
    inliner = _Inliner(program, fresh, Algebra(infer), kept_functions(program))
    return replace(entry, body=inliner.block(entry.body, ()))


def is_choice(expr: Expr) -> bool:
    """Tell whether an expression is one of several as a test decides, and has to be a branch.

    It is one of several arrays or lists, or reads what may be None, or an element that may not be
    there, or computes what may raise.
    """
    if expr.op in ("and", "or"):
        return is_held(expr.type) or getattr(expr.type, "dtype", "")[:1] in ("f", "c")
    if expr.op != "conditional":
        return False
    if isinstance(expr.type, Tuple):
        return any(isinstance(item, Array | Numeric) for item in expr.type.items)
    asks_for_none = any(n.op == "compare" and n.data[0] in NONE for n in nodes(expr.args[0]))
    reads_missing = any(map(reads_what_may_be_missing, expr.args[1:]))
    reads_guarded = any(reads_guarded_part(expr.args[0], arm) for arm in expr.args[1:])
    is_float = getattr(expr.type, "dtype", "")[:1] == "f"
    may_raise = is_float and any(map(may_raise_inside, expr.args[1:]))
    return is_held(expr.type) or asks_for_none or reads_missing or reads_guarded or may_raise


@dataclass(slots=True)
class _Inliner:
    program: Program
    fresh: Fresh
    algebra: Algebra
    kept: frozenset[str] = frozenset()

    def has_to_move(self, expr: Expr) -> bool:
        """Tell whether something in an expression becomes statements: a call, a choice of memory."""
        return any(
            self.is_put_in_place(node)
            or is_choice(node)
            or self.gives_several(node)
            or self.calls_at_times(node)
            for node in nodes(expr)
        )

    def calls_at_times(self, node: Expr) -> bool:
        """Tell whether a test decides if a call is made: only a branch does so in both sweeps."""
        arms = node.args[1:] if node.op in CHOICES else ()
        return any(is_call_of(inner, self.kept) for arm in arms for inner in nodes(arm))

    def gives_several(self, node: Expr) -> bool:
        """Tell whether an expression is a call that stays, whose results get names of their own."""
        return is_call_of(node, self.kept) and isinstance(node.type, Tuple)

    def is_put_in_place(self, node: Expr) -> bool:
        return node.op == "function" and node.data not in self.kept

    def block(self, block: Block, stack: tuple[str, ...]) -> Block:
        return rewritten(block, lambda s: self.statement(s, stack))

    def statement(self, statement: Statement, stack: tuple[str, ...]) -> Block:
        if isinstance(statement, If | While):
            statement = replace(statement, test=_truth(statement.test))
        if not any(self.has_to_move(e) for e in expressions(statement)):
            return (statement,)
        if isinstance(statement, While):
            return self._while(statement, stack)
        if isinstance(statement, Let) and statement.value.op == "conditional":
            return self._branch(statement, stack)
        if isinstance(statement, Let) and statement.value.op == "call":
            if self.is_put_in_place(statement.value.args[0]):
                return self._called(statement, stack)
            if self.gives_several(statement.value) and _fits(
                statement.target, statement.value.type
            ):
                return self._with_lifted_arguments(statement, stack)
        before: list[Statement] = []
        if isinstance(statement, RegionOp) and _is_taken_whole(statement):
            items = self._made(appended(statement.args[0], "items", self.fresh), before, stack)
            return (*before, replace(statement, args=(items,)))
        changed = with_expressions(statement, lambda e: self.lifted(e, before, stack))
        return (*before, changed)

    def _while(self, loop: While, stack: tuple[str, ...]) -> Block:
        """while f(x): ... becomes while True: if not f(x): break ..., where f has statements."""
        names: list[Statement] = []
        lifted = self.lifted(loop.test, names, stack)
        rebound = bound_in(loop.body)
        if all(_names_again(each, rebound) for each in names):
            return (*names, replace(loop, test=lifted))
        truth = Number("bool")
        test = Expr("unary", (loop.test,), "not", truth)
        leave = If(test, (Break(loop.span),), loop.body, loop.span)
        body = self.block((leave,), stack)
        return (While(constant(True, truth), body, loop.span),)

    def _branch(self, let: Let, stack: tuple[str, ...]) -> Block:
        """x = a if c else b becomes a branch."""
        test, *arms = let.value.args
        made = [self.statement(replace(let, value=arm), stack) for arm in arms]
        return self.statement(If(test, made[0], made[1], let.span), stack)

    def _with_lifted_arguments(self, let: Let, stack: tuple[str, ...]) -> Block:
        before: list[Statement] = []
        args = tuple(self.lifted(arg, before, stack) for arg in let.value.args[1:])
        return (*before, replace(let, value=let.value.with_args((let.value.args[0], *args))))

    def _called(self, let: Let, stack: tuple[str, ...]) -> Block:
        before: list[Statement] = []
        value = self._in_place(let.value, before, stack, False)
        kept = replace(let, value=value, effect=type(let.effect)(), spelled="=")
        return (*before, *(() if let.target is None else (kept,)))

    def lifted(self, expr: Expr, before: list[Statement], stack: tuple[str, ...]) -> Expr:
        """Return an expression without own calls; what they do is added to `before`."""
        if not self.has_to_move(expr):
            return expr
        if expr.op == "call" and any(calls(expr, each) for each in TAKES_ALL):
            made = self._of_all_items(expr, before, stack)
            if made is not None:
                return made
        if expr.op == "comprehension":
            if expr.data == "generator":
                raise NotYet("a call of an own function within a generator", expr.span)
            return self._made(appended(expr, "items", self.fresh), before, stack)
        if expr.op in ("conditional", "and", "or"):
            return self._chosen(expr, before, stack)
        if self.is_put_in_place(expr):
            raise NotYet("a function as a value", expr.span)
        if expr.op == "call" and self.is_put_in_place(expr.args[0]):
            return self._in_place(expr, before, stack)
        made = expr.with_args(self.lifted(arg, before, stack) for arg in expr.args)
        return self._named_results(made, before) if self.gives_several(expr) else made

    def _of_all_items(
        self, expr: Expr, before: list[Statement], stack: tuple[str, ...]
    ) -> Expr | None:
        """Return what is made of all items of a generator: its calls are made in a loop."""
        first = expr.args[1] if len(expr.args) > 1 else None
        if first is None or first.op != "comprehension" or not self.has_to_move(first):
            return None
        if calls(expr, sum):
            return self._made(summed(expr, self.fresh), before, stack)
        items = self._made(appended(first, "items", self.fresh), before, stack)
        return expr.with_args((expr.args[0], items, *expr.args[2:]))

    def _made(self, made: Made, before: list[Statement], stack: tuple[str, ...]) -> Expr:
        """Return the name of a container or sum; the statements that make it come before."""
        base, block = made
        before += self.block(block, stack)
        return base

    def _named_results(self, call: Expr, before: list[Statement]) -> Expr:
        """Return the names of what a call gives, as a display."""
        called = call.args[0].data
        pattern, display = _pattern(call.type, called, self.fresh)
        before.append(Let(pattern, call, call.span))
        return display

    def _chosen(self, expr: Expr, before: list[Statement], stack: tuple[str, ...]) -> Expr:
        """Return the name of what a conditional expression, an `and` or an `or` gives."""
        made = self.fresh.variable("chosen")
        if expr.op == "conditional":
            test, value, otherwise = expr.args
        else:
            test, *others = expr.args
            rest = others[0] if len(others) == 1 else replace(expr, args=tuple(others))
            value, otherwise = (rest, test) if expr.op == "and" else (test, rest)
        if self.has_to_move(test):
            test = self.lifted(test, before, stack)
            if expr.op != "conditional":
                test = self.fresh.named(test, "first", before, expr.span)
                value = test if expr.op == "or" else value
                otherwise = test if expr.op == "and" else otherwise
        arms = []
        for arm in (value, otherwise):
            inner: list[Statement] = []
            lifted = self.lifted(arm, inner, stack)
            arms.append((*inner, Let(made, lifted, expr.span)))
        before.append(If(test, arms[0], arms[1], expr.span))
        return name(made, expr.type)

    def _in_place(
        self, call: Expr, before: list[Statement], stack: tuple[str, ...], nested: bool = True
    ) -> Expr:
        """Return what a call gives; the function's statements are added to `before`."""
        called = call.args[0].data
        summary = self.program.functions[called].summary
        if nested and summary is not None and summary.writes:
            raise NotYet("a call that writes to its arguments within an expression", call.span)
        if called in stack or len(stack) > DEEPEST:
            raise _recursion(self.program.functions[called], call.span)
        found = self.program.functions[called]
        function = structured(with_trials(found, self.program.functions))
        renamed = self._renamed(function)
        args = dict(zip((p.variable for p in function.parameters), call.args[1:], strict=True))
        stores = (each for each in statements(function.body) if isinstance(each, Store))
        rebound = bound_in(function.body) | {root_of(store.target) for store in stores}
        literals: dict[Variable, Expr] = {}
        for parameter in function.parameters:
            arg = self.lifted(args[parameter.variable], before, stack)
            inner = renamed[parameter.variable]
            if arg.op == "constant" and parameter.variable not in rebound:
                literals[inner] = arg
            else:
                before.append(Let(inner, arg, call.span))
        body = tuple(with_variables(s, renamed) for s in function.body)
        body = with_literals(body, literals, self.algebra)
        before += self.block(body[:-1], (*stack, called))
        end = body[-1]
        if not isinstance(end, Return):
            raise NotYet("a function that only raises", call.span)
        return self.lifted(end.value, before, (*stack, called))

    def _renamed(self, function: Function) -> dict[Variable, Variable]:
        own = [p.variable for p in function.parameters]
        own += sorted(bound_in(function.body) - set(own), key=lambda v: (v.name, v.number))
        return {v: replace(self.fresh.variable(v.name), role=v.role) for v in own}


def with_literals(block: Block, values: Mapping[Variable, Expr], algebra: Algebra) -> Block:
    """Return a block with values in place of variables, without the ways that they rule out."""

    def change(statement: Statement) -> Statement | Block:
        new = with_expressions(statement, lambda e: _with_values(e, values, algebra))
        if isinstance(new, If) and new.test.op == "constant":
            return new.body if new.test.data else new.orelse
        if isinstance(new, Let) and new != statement:
            return replace(new, spelled="=")
        return new

    return rewritten(block, change) if values else block


def _with_values(expr: Expr, values: Mapping[Variable, Expr], algebra: Algebra) -> Expr:
    """Return an expression with values in place of variables: it is no longer the user's text."""
    if expr.op == "name":
        return values.get(expr.data, expr)
    args = tuple(_with_values(arg, values, algebra) for arg in expr.args)
    if args == expr.args:
        return expr
    # but where a twin may be lowered in place of a call: there it is found by its place
    made = replace(expr, args=args, span=expr.span if has_twin(expr) else None)
    if expr.op == "conditional" and args[0].op == "constant":
        return args[1] if args[0].data else args[2]
    if expr.op in ("and", "or"):
        return _decided(made)
    if expr.op == "compare" or (expr.op == "unary" and expr.data == "not"):
        known = algebra.infer(made).known
        return made if known is None else constant(bool(known.value), made.type)
    return algebra.node(made, args) if expr.op in ("binary", "unary") else made


def _decided(choice: Expr) -> Expr:
    """Return an `and` or `or` without the first operands that are known: abs(r) < tol of False or abs(r) < tol."""
    first, *rest = choice.args
    if first.op != "constant":
        return choice
    if bool(first.data) is (choice.op == "or"):
        return first
    return rest[0] if len(rest) == 1 else _decided(choice.with_args(rest))


def _truth(test: Expr) -> Expr:
    """Return a test that is no choice of memory: of what `and` and `or` give the truth alone is read."""
    if test.op not in ("and", "or"):
        return test
    return test.with_args(map(_truth, test.args)).typed(Number("bool"))


def _names_again(statement: Statement, rebound: frozenset[Variable]) -> bool:
    """Tell whether a statement gives a second name to what none of `rebound` is."""
    if not isinstance(statement, Let) or statement.value.op != "name":
        return False
    return statement.value.data not in rebound


def _recursion(function: Function, span: Span | None) -> NotYet:
    """Return what is said of a function that calls itself, and does more than compute."""
    called, summary, span = function.name, function.summary, span or function.span
    every = (node for node in nodes_in(function.body) if node.op == "call")
    unknown = next((n for n in every if n.args[0].op == "global" and effect(n).writes_all), None)
    if unknown is not None:
        return Unsupported.refused(
            f"{called} calls {unknown.args[0].data.text}, which may do anything, and calls itself",
            unknown.span or span,
            "Call it before, and hand on what it gives.",
        )
    if summary is None or not (summary.writes or summary.effect.draws):
        return NotYet("recursion", span)
    does = "draws random numbers" if summary.effect.draws else "writes to what it is given"
    return Unsupported.refused(
        f"{called} {does}, and calls itself",
        span,
        "Let it return what it makes, or write it as a loop.",
    )


def _pattern(type_: Type, called: str, fresh: Fresh) -> tuple[Pattern, Expr]:
    """Return names for what a tuple holds, as what it is bound to and as a display of them."""
    if not isinstance(type_, Tuple):
        made = fresh.variable(called)
        return made, name(made, type_)
    parts = [_pattern(item, f"{called}_{k}", fresh) for k, item in enumerate(type_.items)]
    display = Expr("tuple", tuple(shown for _, shown in parts), None, type_)
    return tuple(pattern for pattern, _ in parts), display


def _is_taken_whole(statement: RegionOp) -> bool:
    """Tell whether a list is extended by all that a generator gives, which does not look at it."""
    given = statement.args[0] if statement.method == "extend" else None
    if given is None or given.op != "comprehension" or given.data != "generator":
        return False
    return not read_variables(given) & read_variables(statement.base)


def _fits(target: Pattern, type_: Type) -> bool:
    """Tell whether each result of a call gets a name."""
    if not isinstance(target, tuple) or not isinstance(type_, Tuple):
        return isinstance(target, Variable) and not isinstance(type_, Tuple)
    pairs = zip(target, type_.items, strict=False)
    return len(target) == len(type_.items) and all(_fits(t, item) for t, item in pairs)
