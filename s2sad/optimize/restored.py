"""What a value was computed by that the reverse sweep takes back: it is not computed again.

for x in xs:                                for x, c in zip(reversed(xs), reversed(c_saved)):
    c = np.cos(x)                               s_bar = y_bar * c, not y_bar * np.cos(x)
    s = np.sin(x)

So it is of what each pass binds once, before it reads it, and reads nowhere else: in the reverse of a
pass a name of the forward sweep stands for the value that it had in that pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from s2sad.ir.expression import Expr, Role, Variable
from s2sad.ir.program import Block, For, Function, Let, While, sweeps
from s2sad.ir.records import dataclass, field
from s2sad.ir.walk import blocks, bound, expressions, name_nodes, rebuilt, statements
from s2sad.optimize.memory import Content, Memory

Loops = tuple[int, ...]


@dataclass(slots=True)
class _Uses:
    """Where the variables of the forward sweep are met first, and in which loops they are met at all.

    `first` has no loops for what is met first where it is read, or where a test decides.
    """

    first: dict[Variable, Loops | None] = field(default_factory=dict)
    around: dict[Variable, list[Loops]] = field(default_factory=dict)
    often: Counter[Variable] = field(default_factory=Counter)
    values: dict[Variable, Expr] = field(default_factory=dict)

    def block(self, block: Block, loops: Loops, is_sure: bool) -> None:
        for place, statement in enumerate(block):
            for node in (node for expr in expressions(statement) for node in name_nodes(expr)):
                self.first.setdefault(node.data, None)
                self.around.setdefault(node.data, []).append(loops)
            is_loop = isinstance(statement, For | While)
            inner = (*loops, place) if is_loop else loops
            for variable in bound(statement):
                self.first.setdefault(variable, inner if is_sure else None)
                self.around.setdefault(variable, []).append(inner)
                self.often[variable] += 1
            if isinstance(statement, Let) and isinstance(statement.target, Variable):
                if statement.effect.is_pure and statement.spelled == "=":
                    self.values[statement.target] = statement.value
            for number, each in enumerate(blocks(statement)):
                self.block(each, inner if is_loop else (*inner, -1 - number), is_sure and is_loop)

    def is_first_restored(self, variable: Variable) -> bool:
        """Tell whether a variable is taken back in a loop, once, and met after that alone."""
        return self.often[variable] == 1 and self.is_read_there_alone(variable)

    def is_of_its_pass(self, variable: Variable) -> bool:
        """Tell whether all reads of a variable in a pass mean the value that this pass gave it."""
        return self.often[variable] == 1 and self.first[variable] is not None

    def is_read_there_alone(self, variable: Variable) -> bool:
        """Tell whether a variable is met in the loop alone that binds it."""
        home = self.first.get(variable) or ()
        return bool(home) and all(each[: len(home)] == home for each in self.around[variable])


def values_of_passes(
    function: Function, memory: Memory, written: Set[Content], terms: Mapping[Variable, Expr]
) -> Mapping[Variable, Expr]:
    """Return what each variable was computed by that the reverse of a pass may take back."""
    forward, reverse = sweeps(function.body)
    if not reverse:
        return {}
    uses = _Uses(first=dict.fromkeys((p.variable for p in function.parameters), ()))
    uses.block(forward, (), True)
    taken = _Uses()
    taken.block(reverse, (), True)

    def is_steady(variable: Variable) -> bool:
        is_given = uses.first.get(variable) == () and not uses.often[variable]
        is_steady_ = is_given or (variable in uses.first and uses.is_of_its_pass(variable))
        return is_steady_ and memory.content(variable) not in written

    found = {}
    for variable, value in uses.values.items():
        if not taken.is_first_restored(variable):
            continue
        if is_steady(variable) and uses.is_read_there_alone(variable):
            whole = written_out(value, terms)
            if all(is_steady(node.data) for node in name_nodes(whole)):
                found[variable] = whole
    return found


def terms_of(body: Block) -> Mapping[Variable, Expr]:
    """Return the values of our names for parts of what the user wrote, where these are the same everywhere."""
    found: dict[Variable, set[Expr | None]] = {}
    for statement in statements(body):
        is_plain = isinstance(statement, Let) and statement.spelled == "="
        for variable in bound(statement):
            if variable.role is Role.TERM:
                value = statement.value if is_plain else None  # type: ignore[union-attr]
                found.setdefault(variable, set()).add(value)
    alone = {v: next(iter(values)) for v, values in found.items() if len(values) == 1}
    return {v: value for v, value in alone.items() if value is not None}


def written_out(expr: Expr, terms: Mapping[Variable, Expr], depth: int = 4) -> Expr:
    """Return a value with what our names stand for in place of them."""
    if not depth:
        return expr

    def value(node: Expr) -> Expr | None:
        found = terms.get(node.data) if node.op == "name" else None
        return None if found is None else written_out(found, terms, depth - 1)

    return rebuilt(expr, value)
