"""What the reverse sweep reads of the forward sweep: variables, and contents of written memory.

u_bar[k] += w[k] * y_bar    reads w (the binding), k, and the content w[k]
np.zeros_like(w)            reads w only
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from s2sad.analysis.containers import is_container, is_field_step, is_held, step_of
from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import Site, stored_base, written_operands
from s2sad.ir.expression import Expr, Role, Variable, calls, copied, text_of_call
from s2sad.ir.program import Block, For, If, Let, Restore, Save, Statement, Store, Try
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Array, Other, Type
from s2sad.ir.walk import bound, expressions, read_in, reads, reads_shape_only, statements
from s2sad.reverse.statements import are_apart
from s2sad.reverse.sweep import Step, Steps, walk
from s2sad.types import without_passes


@dataclass(frozen=True, slots=True)
class Content:
    """Elements of memory: of all of it, or `variable[index]`.

    `earlier` are the counters of loops in the index that mean their values in earlier passes, `natural` the
    parts of it that tests have told not to count from the end. What is `older` was made by an earlier pass
    than the newest memory of its site.
    """

    site: Site
    variable: Variable | None = None
    index: Expr | None = None
    earlier: frozenset[Variable] = frozenset()
    natural: frozenset[Expr] = frozenset()
    older: bool = False


Need = Variable | Content
Needs = frozenset[Need]
NOTHING: Needs = frozenset()


@dataclass(frozen=True, slots=True)
class Forward:
    """The forward sweep as the plan sees it: what it binds, and what its memory is.

    Each value of a variable that is `of_one_shape` tells the shape of the others. Only contents of
    memory that is `read` are needed: it is written in place, or in a container.
    """

    memory: Memory
    variables: frozenset[Variable]
    of_one_shape: frozenset[Variable] = frozenset()
    known: dict[int, tuple[Block, Needs]] = field(default_factory=dict, compare=False)
    read: frozenset[Site] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        held: frozenset[Site] = frozenset().union(*self.memory.items.values())
        object.__setattr__(self, "read", self.memory.written | held)

    def is_read(self, variable: Variable) -> bool:
        """Tell whether contents of what a variable may refer to are needed."""
        return not self.read.isdisjoint(self.memory.points_to.get(variable, ()))

    def needs(self, expr: Expr, content: bool = True) -> Iterator[Need]:
        """Yield what an expression reads."""
        if expr.op == "name":
            yield from self._variable(expr.data, None, content)
            return
        step = step_of(expr)
        of_list = step is not None and is_container(expr.args[0].type)
        is_path = of_list and expr.args[0].op in ("subscript", "attribute")
        if step is not None and (is_path or (expr.args[0].op == "name" and (content or of_list))):
            if is_path:
                held = self.memory.sites(expr.args[0]) & self.memory.written
                yield from (Content(site, None, step) for site in held)
                yield from self.needs(expr.args[0], False)
            else:
                yield from self._variable(expr.args[0].data, step, True)
            if not is_field_step(step):
                yield from self.needs(step)
            if of_list and content and is_held(expr.type):
                yield from self._inside(self.memory.sites(expr))
            return
        if expr.op == "comprehension":
            own = {v for v, _ in reads(expr)}
            for variable in own:
                yield from self._variable(variable, None, True)
            return
        if expr.op == "compare" and set(expr.data) <= {"is", "is not"}:
            for arg in expr.args:
                yield from self.needs(arg, False)
            return
        if calls(expr, len) and is_container(expr.args[1].type):  # not what it holds
            container = expr.args[1]
            root = container.data if container.op == "name" else None
            yield from self.needs(container, False)
            if root is None or root in self.variables:
                mine = self.memory.sites(container) & self.memory.written
                yield from (Content(site, root) for site in mine)
            return
        shape_only = reads_shape_only(expr)
        for place, arg in enumerate(expr.args):
            is_operand = place == 0 if expr.op in ("attribute", "subscript") else place <= 1
            inside = content and not (is_operand and shape_only)
            if expr.op == "subscript" and place:
                inside = True
            if shape_only and is_operand and arg.op == "name" and arg.data in self.of_one_shape:
                continue
            yield from self.needs(arg, inside)

    def _variable(self, variable: Variable, index: Expr | None, content: bool) -> Iterator[Need]:
        if variable not in self.variables:
            return
        yield variable
        if content:
            for site in self.memory.points_to.get(variable, frozenset()) & self.memory.written:
                yield Content(site, variable, index)
                if index is None:
                    yield from self._inside(self.memory.items.get(site, frozenset()))

    def _inside(self, sites: frozenset[Site]) -> Iterator[Content]:
        """Yield all contents of memory that is read through a list, and of what is in it."""
        todo, seen = set(sites), set()
        while todo:
            site = todo.pop()
            seen.add(site)
            yield Content(site)
            todo |= self.memory.items.get(site, frozenset()) - seen

    def of_code(self, code: Block) -> Needs:
        """Return what reverse code reads."""
        if not code:
            return NOTHING
        if len(code) > 1:
            return NOTHING.union(*(self.of_code((each,)) for each in code))
        key = id(code[0])
        if key not in self.known:
            self.known[key] = code, self._of_code(code)
        return self.known[key][1]

    def _of_code(self, code: Block) -> Needs:
        found: set[Need] = set()
        for statement in statements(code):
            if isinstance(statement, Store):
                base = statement.target
                while base.op in ("subscript", "attribute"):
                    for index in base.args[1:]:
                        found |= set(self.needs(index))
                    base = base.args[0]
                    if is_container(base.type):
                        found |= set(self.needs(base))
                found |= set(self.needs(base, False)) | set(self.needs(statement.value))
                continue
            for expr in expressions(statement):
                found |= set(self.needs(expr))
        return frozenset(found)

    def binding_needs(self, expr: Expr) -> Needs:
        """Return what is read to have a value again; of a reference only the names."""
        return frozenset(self.needs(expr, not self.memory.is_reference(expr)))

    def changed(self, steps: Steps) -> frozenset[object]:
        """Return the variables and the sites that steps of the forward sweep may change."""
        every = (step.statement for _, step in walk(steps))
        return self.memory.changed_by([each for each in every if each is not None])


def of_one_shape(every: Iterable[Statement], parameters: Iterable[Variable]) -> frozenset[Variable]:
    """Return the names that statements bind to arrays of one dtype and of the same known lengths alone."""
    every = tuple(every)
    saved: dict[Variable, list[Expr]] = {}
    for save in every:
        if isinstance(save, Save):
            items = save.value.args if save.value.op == "tuple" else (save.value,)
            saved.setdefault(save.stack, []).extend(copied(item) or item for item in items)
    found: dict[Variable, set[Array | None]] = {variable: {None} for variable in parameters}
    for statement in every:
        for variable in bound(statement):
            type_ = without_passes(_given_to(variable, statement, saved))
            array = type_ if isinstance(type_, Array) and None not in type_.lengths else None
            found.setdefault(variable, set()).add(array)
    return frozenset(v for v, types in found.items() if len(types) == 1 and None not in types)


def _given_to(
    variable: Variable, statement: Statement, saved: Mapping[Variable, list[Expr]]
) -> Type:
    """Return the type of what a statement binds a name to, or takes back that was saved of that name."""
    match statement:
        case Let(target, value) if target == variable:
            return value.type
        case Restore(target, stack) if stack in saved:
            types = {
                each.type for each in saved[stack] if each.op == "name" and each.data == variable
            }
            return types.pop() if len(types) == 1 else Other()
    return Other()


@dataclass(frozen=True, slots=True)
class Sources:
    """What variables are computed from, and those that are computed in any case."""

    reads_of: Mapping[Variable, Set[Variable]]
    kept: frozenset[Variable]

    def of(self, roots: Iterable[Variable]) -> frozenset[Variable]:
        """Return what is computed for some variables, and in any case."""
        known: set[Variable] = set()
        todo = [*self.kept, *roots]
        while todo:
            variable = todo.pop()
            if variable not in known:
                known.add(variable)
                todo += self.reads_of.get(variable, ())
        return frozenset(known)


def sources(steps: Steps) -> Sources:
    """Return what each variable is computed from, and what the forward sweep has to compute in any case.

    What only the derivative of a later value reads is not among that.
    """
    reads_of: dict[Variable, set[Variable]] = {}
    kept: set[Variable] = set()
    for _, step in walk(steps):
        statement = step.statement
        if statement is None:
            continue
        found = set(read_in(statement))
        if not isinstance(statement, Let) or not statement.effect.is_pure:
            kept |= found
            continue
        for variable in bound(statement):
            reads_of.setdefault(variable, set()).update(found)
            if variable.role is Role.SAVED:
                kept.add(variable)
    return Sources(reads_of, frozenset(kept))


def forward_variables(steps: Steps, parameters: Iterable[Variable]) -> frozenset[Variable]:
    """Return the variables that the forward sweep binds."""
    found = set(parameters)
    for _, step in walk(steps):
        if step.statement is not None:
            found |= set(bound(step.statement))
    return frozenset(found)


def reads_beside(step: Step, forward: Forward) -> Needs:
    """Return what is read at the point after a compound statement: a test, a domain, a count."""
    found: set[Need] = set()
    match step.statement:
        case If(test):
            found |= set(forward.needs(test))
        case For(domain=domain):
            found |= set(forward.needs(domain))
    if step.passes is not None:
        found.add(step.passes)
    return frozenset(found)


def places_written(step: Step, forward: Forward) -> tuple[Expr, ...]:
    """Return the arrays, or parts of them, that a call or a try writes to; nothing if not known."""
    if not isinstance(step.statement, Try):
        return _written_by_call(step.statement)
    inside = [s for block in step.blocks for _, s in walk(block)]
    written = (place for s in inside for place in _written_by(s.statement))
    places, changed = dict.fromkeys(map(viewed, written)), forward.changed((step,))
    sites = {site for place in places for site in forward.memory.sites(place)}
    if any(each not in sites for each in changed if not isinstance(each, Variable)):
        return ()
    return () if any(place.data in changed for place in places) else tuple(places)


def _written_by(statement: Statement | None) -> tuple[Expr, ...]:
    if not isinstance(statement, Store):
        return _written_by_call(statement)
    base = stored_base(statement)
    return (base,) if _is_place(base) else ()


def _written_by_call(statement: Statement | None) -> tuple[Expr, ...]:
    if not isinstance(statement, Let) or statement.effect.is_pure or statement.effect.writes_all:
        return ()
    function = statement.value.args[0]
    if function.op == "attribute" and function.data == "resize":
        return ()  # what was there has another shape
    found = tuple(written_operands(statement))
    return found if all(map(_is_place, found)) else ()


def _is_place(expr: Expr) -> bool:
    root = viewed(expr)
    return root.op == "name" and isinstance(root.type, Array)


def viewed(expr: Expr) -> Expr:
    """Return what an expression is a part of: A of A[i]."""
    while expr.op == "subscript" and isinstance(expr.type, Array):
        expr = expr.args[0]
    return expr


def surely_apart(need: Content, store: Store) -> bool:
    """Tell whether a store surely leaves the elements alone that are needed."""
    target = store.target
    step = step_of(target)
    if step is None or need.index is None:
        return False
    if is_field_step(step) or is_field_step(need.index):  # of whichever objects
        return is_field_step(step) and is_field_step(need.index) and step.data != need.index.data
    if need.variable is None:
        return False
    if target.args[0].op != "name" or target.args[0].data != need.variable:
        return False
    fixed = not any(True for e in (need.index, step) for _ in reads(e))
    return fixed and are_apart(need.index, step)


def whole_copied(value: Expr | None) -> Expr | None:
    """Return the array that a value is a copy of, u of u.copy(); None of anything else."""
    if value is None:
        return None
    is_called = len(value.args) == 2 and text_of_call(value) in ("np.copy", "np.array")
    base = value.args[1] if is_called else copied(value)
    is_whole = base is not None and base.op == "name" and isinstance(base.type, Array)
    return base if is_whole and base is not None and base.type == value.type else None
