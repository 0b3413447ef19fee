"""Which variables of a function may name one memory, and which memory is written.

row = A[i]              row and A are of one class
row[0] = x              that class is written
xs = [row]              the content of xs is of that class, too

Classes only grow together, whatever the order of the statements: what is told of one holds
everywhere in the function. More may be of one class than is; never less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2sad.analysis.memory import written_operands
from s2sad.analysis.points_to import Shares, stored_base
from s2sad.ir.expression import Expr, Pattern, Role, Variable, keywords, positional, root_of
from s2sad.ir.program import For, Function, Let, RegionOp, Restore, Return, Save, Statement, Store
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Array, Code, Number, Numeric, Other
from s2sad.ir.walk import statements
from s2sad.types.sharing import makes_new, may_hold_array

Class = int
Classes = frozenset[Class]
NOTHING: Classes = frozenset()
DISPLAYS = frozenset({"list", "tuple", "set", "dict", "record"})
ITERATING = frozenset({"list", "tuple", "sorted", "reversed", "iter", "copy"})
JOINING = frozenset({"update", "extend"})


@dataclass(slots=True)
class Aliases:
    """The classes of the variables of one function, with what lists and tuples hold."""

    shares: Shares
    functions: Mapping[str, Function]
    parents: list[int] = field(default_factory=list)
    contents: dict[Class, Class] = field(default_factory=dict)
    variables: dict[Variable, Class] = field(default_factory=dict)
    globals: dict[str, Class] = field(default_factory=dict)
    written: set[Class] = field(default_factory=set)

    # ------------------------------------------------------------------ classes

    def new(self) -> Class:
        """Return a class of its own."""
        self.parents.append(len(self.parents))
        return len(self.parents) - 1

    def root(self, one: Class) -> Class:
        """Return the class that stands for all that it has grown together with."""
        while self.parents[one] != one:
            self.parents[one] = self.parents[self.parents[one]]
            one = self.parents[one]
        return one

    def join(self, found: Iterable[Class]) -> None:
        """Let classes be one, and what they hold as well."""
        first, *rest = [self.root(each) for each in found] or [self.new()]
        for other in rest:
            a, b = self.root(first), self.root(other)
            if a == b:
                continue
            self.parents[b] = a
            if b in self.written:
                self.written.add(a)
            held = self.contents.pop(b, None)
            if held is not None:
                mine = self.contents.setdefault(a, held)
                self.join((mine, held))

    def of(self, variable: Variable) -> Class:
        """Return the class of a variable; a tangent's is that of its variable."""
        if variable.of is not None and _is_tangent(variable):
            variable = variable.of
        if variable not in self.variables:
            self.variables[variable] = self.new()
        return self.root(self.variables[variable])

    def content(self, one: Class) -> Class:
        """Return the class of what a list, tuple, dict or object holds."""
        one = self.root(one)
        if one not in self.contents:
            made = self.new()
            self.contents[one] = made
        return self.root(self.contents[one])

    def within(self, one: Class) -> Classes:
        """Return a class and all that it holds, however deep."""
        found: set[Class] = set()
        one = self.root(one)
        while one not in found:
            found.add(one)
            if one in self.contents:
                one = self.root(self.contents[one])
        return frozenset(found)

    def is_written(self, one: Class) -> bool:
        """Tell whether some statement writes to memory of a class."""
        return self.root(one) in {self.root(each) for each in self.written}

    # ------------------------------------------------------------------ values

    def value(self, expr: Expr) -> Classes:
        """Return the classes that a value may be memory of; those of what is made are new."""
        if expr.op in DISPLAYS:
            made = self.new()
            self.join((self.content(made), *self._parts(expr)))
            return frozenset({made})
        if expr.op == "comprehension":
            return self._comprehension(expr)
        if not may_hold(expr):
            return NOTHING
        match expr.op:
            case "name":
                return frozenset({self.of(expr.data)})
            case "global":
                return frozenset({self.globals.setdefault(expr.data.text, self.new())})
            case "conditional":
                return self.value(expr.args[1]) | self.value(expr.args[2])
            case "subscript" | "attribute" if not is_array(expr.args[0]):
                return self.items(expr.args[0])
            case "call":
                return self._called(expr)
        return self._shared(expr)

    def items(self, expr: Expr) -> Classes:
        """Return the classes of the items of a value: of an array its own."""
        found = self.value(expr)
        if is_array(expr):
            return found
        return frozenset(self.content(each) for each in found)

    def _parts(self, expr: Expr) -> Classes:
        found: Classes = NOTHING
        for arg in expr.args:
            match arg.op:
                case "item":
                    found |= self.value(arg.args[0]) | self.value(arg.args[1])
                case "starred":
                    found |= self.items(arg.args[0])
                case _:
                    found |= self.value(arg)
        return found

    def _comprehension(self, expr: Expr) -> Classes:
        element, *generators = expr.args
        for each in generators:
            self.bind(each.data, self.items(each.args[0]))
        made = self.new()
        inner = element.args if element.op == "item" else (element,)
        self.join((self.content(made), *(c for part in inner for c in self.value(part))))
        return frozenset({made})

    def _shared(self, expr: Expr) -> Classes:
        return NOTHING.union(*(self.value(expr.args[k]) for k in self.shares(expr)))

    def _called(self, expr: Expr) -> Classes:
        function = expr.args[0]
        operands = [*positional(expr), *keywords(expr).values()]
        if function.op == "function":
            return self._own_call(expr, operands)
        if function.op == "attribute":
            operands = [function.args[0], *operands]
        if is_array(expr) or makes_new(expr):
            return self._of_array(expr)
        return self._of_container(called(function), operands)

    def _of_array(self, expr: Expr) -> Classes:
        """Return the classes of an array that a call gives: those of the operands it shares."""
        function = expr.args[0]
        owners = (function.args[0],) if function.op == "attribute" else (function,)
        operands = (*owners, *expr.args[1:])
        shared = [operands[k] for k in self.shares(expr)]
        return NOTHING.union(*(self.value(e) if is_plain(e) else self.items(e) for e in shared))

    def _of_container(self, word: str, operands: list[Expr]) -> Classes:
        made = self.new()
        if word in ITERATING:
            self.join((self.content(made), *(c for each in operands for c in self.items(each))))
        elif word in ("zip", "enumerate"):
            pair = self.content(made)
            self.join((self.content(pair), *(c for e in operands for c in self.items(e))))
        else:
            self._collapse(made, operands)
        return frozenset({made})

    def _collapse(self, made: Class, operands: list[Expr]) -> None:
        """Let a result be anything that its operands are or hold."""
        found = {made}
        for each in operands:
            for one in self.value(each):
                found |= self.within(one)
        self.join(found)
        self.join((self.content(made), made))

    def _own_call(self, expr: Expr, operands: list[Expr]) -> Classes:
        called = self.functions.get(expr.args[0].data)
        summary = None if called is None else called.summary
        made = self.new()
        returned = operands
        if called is not None and summary is not None:
            named = arguments(called, expr)
            returned = [named[v] for v in summary.returns if v in named]
        if returned and may_hold_array(expr.type):
            self._collapse(made, returned)
        return frozenset({made})

    # ------------------------------------------------------------------ statements

    def bind(self, pattern: Pattern, found: Classes) -> None:
        """Let what a pattern binds be of these classes."""
        match pattern:
            case Variable():
                self.join((self.of(pattern), *found))
            case tuple():
                inside = frozenset(self.content(each) for each in found)
                for part in pattern:
                    self.bind(part, inside)

    def note(self, statement: Statement) -> None:
        """Take in what a statement does to memory."""
        match statement:
            case Let(target, value):
                self._let(target, value)
                self._effect(statement)
            case Store(target, op, value):
                self._store(target, op, value, statement)
            case RegionOp(target, base, method, args):
                held = self.value(base)
                self.written |= held | frozenset(map(self.of, names_of(base)))
                inside = self.items(base)
                put = self.items if method in JOINING else self.value
                for arg in args:
                    self.join((*inside, *put(arg)))
                self.bind(target, inside)
            case Save(stack, value):
                self.written.add(self.of(stack))
                self.join((self.content(self.of(stack)), *self.value(value)))
            case Restore(Variable() as target, stack):
                self.bind(target, frozenset({self.content(self.of(stack))}))
            case Restore(Expr() as target):
                self.written |= self.value(target)
            case For(target, domain):
                self.bind(target, self.items(domain))
            case Return(value):
                self.value(value)

    def _let(self, target: Pattern, value: Expr) -> None:
        if isinstance(target, tuple) and value.op in ("tuple", "list"):
            if len(target) == len(value.args):
                for part, arg in zip(target, value.args, strict=True):
                    self.bind(part, self.value(arg))
                return
        found = self.value(value)
        if isinstance(target, tuple) and is_array(value):
            for part in target:
                self.bind(part, found)
            return
        self.bind(target, found)

    def _store(self, target: Expr, op: str, value: Expr, store: Store) -> None:
        base = stored_base(store)
        self.written |= self.value(base)
        if target.op == "name":
            if not is_array(target) and op == "+":
                self.join((*self.items(target), *self.items(value)))
        elif not is_array(base):
            inside = self.items(base)
            self.join((*inside, *self.value(value)))
            if op != "=":
                self.written |= inside

    def _effect(self, let: Let) -> None:
        if let.effect.is_pure:
            return
        function, *args = let.value.args
        found = written_operands(let)
        for each in found:
            self.written |= frozenset(map(self.of, names_of(each)))
            for one in self.value(each):
                self.written |= self.within(one)
        if function.op == "function" and any(not is_plain(each) for each in found):
            self._collapse(self.new(), [a for a in args if may_hold(a)])


def aliases(function: Function, functions: Mapping[str, Function], shares: Shares) -> Aliases:
    """Return which variables of a function may name one memory."""
    found = Aliases(shares, functions)
    for statement in statements(function.body):
        found.note(statement)
    return found


def _is_tangent(variable: Variable) -> bool:
    """Tell whether a variable is a tangent; that of what was saved is called so, too."""
    of_saved = variable.of is not None and variable.of.role == Role.SAVED
    return variable.role == Role.TANGENT or (variable.role == Role.SAVED and of_saved)


def is_array(expr: Expr) -> bool:
    """Tell whether a value is an array, or a number or array."""
    return isinstance(expr.type, Array | Numeric)


def is_plain(expr: Expr) -> bool:
    """Tell whether a value holds no memory but its own."""
    return isinstance(expr.type, Array | Numeric | Number | Other | Code) or not may_hold(expr)


def may_hold(expr: Expr) -> bool:
    """Tell whether a value may be memory or hold some."""
    return not isinstance(expr.type, Number | Code | Other)


def names_of(expr: Expr) -> tuple[Variable, ...]:
    """Return the variable that a place is a part of."""
    root = root_of(expr)
    return () if root is None else (root,)


def called(function: Expr) -> str:
    """Return the last word of what is called."""
    if function.op == "global":
        return str(function.data.text.rpartition(".")[2])
    return str(function.data) if function.op == "attribute" else ""


def arguments(function: Function, call: Expr) -> dict[Variable, Expr]:
    """Return what a call hands to each parameter, as far as it is written out."""
    plain = [p.variable for p in function.parameters if p.kind != "keyword"]
    found = dict(zip(plain, positional(call), strict=False))
    by_name = {p.variable.name: p.variable for p in function.parameters}
    for key, value in keywords(call).items():
        if key in by_name:
            found[by_name[key]] = value
    return found
