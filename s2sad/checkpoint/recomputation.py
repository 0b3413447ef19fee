"""Values of one pass that its end needs: there still, computed again, or saved.

a = abs(r[k])       had again from r, which is still there, for less than saving it
q, r = qr(A)        takes longer than to save what it gives
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from math import prod

from s2sad.analysis.activity import may_vary
from s2sad.analysis.containers import is_container
from s2sad.analysis.places import is_within
from s2sad.checkpoint.needs import Content, Need
from s2sad.checkpoint.planner import AFTER, Planner, Point, Restoration
from s2sad.checkpoint.reverse_reads import last_read, readers_in
from s2sad.ir.expression import Expr, Role, Variable, calls
from s2sad.ir.program import Let
from s2sad.ir.types import ONE, Array, Number, Tuple, is_float, is_integer, types_in
from s2sad.ir.walk import nodes, read_variables
from s2sad.reverse.sweep import Path, may_be_left

FEW = 3  # numbers of a pass that are computed again
FEW_ELEMENTS = 16  # of an array that is saved as a number is


def choose(planner: Planner) -> None:
    """Decide for the values of one pass that are needed at its end: had again, or saved."""
    found = [
        (v, block)
        for block, needs in planner.ends.items()
        for v in needs
        if isinstance(v, Variable)
        if planner.index.owners.get(v) == block or v in planner.index.targets_of(block)
        if planner.index.loop_of(block) is not None and not planner.index.is_counter(v, block)
    ]
    found.sort(key=lambda each: (planner.index.last_bound(each[0]), str(each[0])))
    # what is saved, the forward sweep computes, and all that it is computed from
    kept = planner.demands.kept.union(planner.saved_in_passes())
    planner.demanded |= planner.demands.sources.of(kept)
    planner.saving |= _passes_that_save(planner)
    planner.states |= _passes_of_states(planner)
    for variable, _ in found:
        _is_steady(planner, variable)  # in the order of the text: what one asks for is known then
    planner.again = {each: planner.again[each] for each in found if each in planner.again}
    for variable, block in reversed(found):
        point = last_read(planner, variable, block)
        if point is None:
            continue
        let = planner.index.definition(variable, block)
        order = planner.index.last_bound(variable)
        if _is_steady(planner, variable):
            planner.again.pop((variable, block), None)
            continue
        if let is not None and _can_be_had_again(planner, variable, let, block, point):
            restoration = Restoration(variable, let.value, order, let.span)
            planner.again[variable, block] = restoration, point
            planner.tried.add(variable)
            needs = planner.forward.binding_needs(let.value)
            planner.extra.setdefault(point, set()).update(needs)
            for need in needs:
                planner.extra_at.setdefault(need, set()).add(point)
        else:
            planner.again[variable, block] = Restoration(variable, None, order), point


def _is_steady(planner: Planner, need: Need) -> bool:
    """Tell whether every pass of the loops around a value computes the same: it is still there."""
    if need not in planner.steady:
        planner.steady[need] = False  # what is computed from itself is none
        planner.steady[need] = _is_alike_in_passes(planner, need)
    return planner.steady[need]


def _is_alike_in_passes(planner: Planner, need: Need) -> bool:
    """Tell whether the definition of a value, and all that it is computed from, is steady."""
    if not isinstance(need, Variable) or need.of is not None:
        return False
    block = planner.index.owner(need)
    let = planner.index.definition(need, block)
    if let is None:
        return False
    if planner.forward.memory.is_memory(need) and not _is_table(planner, need, let):
        return False
    outermost = next(
        block[: k + 1] for k in range(len(block)) if block[: k + 1] in planner.index.loops
    )
    lost = planner.index.changes_in(outermost).keys() | planner.index.targets_of(outermost)
    needs = planner.forward.binding_needs(let.value)
    changed = {n for n in needs if (n.site if isinstance(n, Content) else n) in lost}
    return all(_is_steady(planner, each) for each in changed)


def _is_table(planner: Planner, variable: Variable, let: Let) -> bool:
    """Tell whether a list of numbers is made that are the same in each pass, and nobody writes to."""
    is_display = let.value.op == "list" and not read_variables(let.value)
    return is_display and planner.forward.memory.is_steady(variable)


def _can_be_had_again(
    planner: Planner, variable: Variable, let: Let, block: Path, point: Point
) -> bool:
    """Tell whether a value can be computed again at a point, for less than saving it."""
    if variable in planner.saved:
        return False
    memory = planner.forward.memory
    is_held = memory.is_memory(variable) and not _is_tuple_of_constants(planner, let.value)
    is_made_here = is_held and not memory.is_reference(let.value)
    if is_made_here and not (_is_of_positions(let.value) and memory.is_steady(variable)):
        return False  # what is added to shadows is added to one object
    if variable.of is not None and not _is_part(let.value):
        return False  # a shadow is one object
    if _is_costly(planner, variable, let):
        return False
    needs = planner.forward.binding_needs(let.value)
    path, when = point
    first = planner.index.bound_at[variable][0][len(block)] + 1
    last = path[len(block)] + (1 if when == AFTER else 0)
    if planner.index.may_change(needs, block, first, last):
        return False
    loop = planner.index.loop_of(block)
    assert loop is not None
    lost = planner.index.changes_in(loop).keys() | planner.index.targets_of(loop)
    return all(_is_had_anyway(planner, need, lost, loop) for need in needs)


def _is_tuple_of_constants(planner: Planner, value: Expr) -> bool:
    """Tell whether a value is a tuple, which cannot be written to, of what does not vary: of positions."""
    regions = planner.forward.memory.regions
    is_plain = all(isinstance(each, Tuple | Number) for each in types_in(value.type))
    is_tuple = isinstance(value.type, Tuple) and value.type.cls is not list
    return is_tuple and is_plain and not may_vary(value.type, regions)


def _is_had_anyway(planner: Planner, need: Need, lost: Set[object], loop: Path) -> bool:
    """Tell whether a need costs nothing more: it is never lost, or needed without this."""
    if isinstance(need, Content):
        return need.site not in lost or need.site in planner.demands.sites
    if need not in lost or need in planner.demands.wanted or need in planner.saved:
        return True
    if planner.index.is_counter(need, planner.index.owner(need)):
        return True
    if not is_within(planner.index.owner(need), loop):
        return False
    let = planner.index.let_of(need)
    return let is not None and not _is_costly(planner, need, let)


def _is_costly(planner: Planner, variable: Variable, let: Let) -> bool:
    """Tell whether it costs more to have a value again: the forward sweep computes it, too."""
    if variable not in planner.demanded:
        return False
    costs = {planner.cost(node) for node in nodes(let.value)}
    if "costly" in costs:
        return True
    if is_integer(let.value.type) and "lengthy" not in costs and not _is_of_floats(let.value):
        return False  # a position
    is_worth = "lengthy" in costs or _is_small(let.value) or _is_summed(let.value)
    is_worth &= planner.cost(let.value) != "free" or _is_looked_up(planner, let.value)
    return is_worth and _is_saved_along(planner, variable, let)


def _is_of_floats(value: Expr) -> bool:
    """Tell whether a position is computed of floats, which had to be had again for it: int(x[0] / h)."""
    return any(is_float(node.type) for node in nodes(value) if node.op == "name")


def _is_looked_up(planner: Planner, value: Expr) -> bool:
    """Tell whether a number is looked up under a key, or at a place: unit["area"], w[i].

    What a loop goes through is there: a of `for a in xs`, b of `for a, b in pairs`.
    """
    if value.op != "subscript" or not isinstance(value.type, Number):
        return False
    base, index = value.args
    if _is_item_of_loop(planner, value):
        return False
    is_row = isinstance(base.type, Array) and base.type.rank == 1
    return is_container(base.type) or (is_row and index.op != "constant")


def _is_item_of_loop(planner: Planner, value: Expr) -> bool:
    """Tell whether a value is an item of what a loop goes through, or a part of one, or under it as a key."""
    if value.op == "name":
        let = planner.index.let_of(value.data)
        return let is not None and _is_item_of_loop(planner, let.value)
    if value.op != "subscript":
        return False
    base, index = value.args
    at = index.args[0] if index.op == "binary" and index.args[1].op == "constant" else index
    is_item = at.op == "name" and planner.index.counts(at.data)
    is_item = is_item or _is_item_of_loop(planner, index)
    return is_item or (index.op == "constant" and _is_item_of_loop(planner, base))


def _is_saved_along(planner: Planner, variable: Variable, let: Let) -> bool:
    """Tell whether a value with a name is one more of what its pass saves.

    A function of numbers takes longer than to save what it gives: where several read that, too.
    """
    block = planner.index.owner(variable)
    is_called = let.value.op == "call" and isinstance(let.value.type, Number)
    is_asked = is_called and len(readers_in(planner, block).get(variable, ())) > 1
    is_asked |= variable.role is Role.PRIMAL or _is_summed(let.value) or _is_reduced(let.value)
    is_asked |= _is_lengthy_array(planner, let.value) and block not in planner.states
    return is_asked and block in planner.saving


def _passes_that_save(planner: Planner) -> set[Path]:
    """Return the blocks of loops that save something at their ends.

    A pass that may be left saves each value by itself: there it is no less than to compute it.
    """
    found = {path[:-1] for path in planner.lost} | _passes_of_numbers(planner)
    found |= _passes_of_lengthy_arrays(planner)
    costly = {*planner.saved_in_passes()} - planner.tried
    found = (found | {planner.index.owner(v) for v in costly}) - planner.saving
    found = {block for block in found if planner.index.loop_of(block) is not None}
    return {block for block in found if not may_be_left(planner.index.block_at(block))}


def _passes_of_numbers(planner: Planner) -> set[Path]:
    """Return the blocks that compute several numbers with a name again, and save none so far."""
    again = [r.variable for r, _ in planner.again.values() if r.value is not None]
    lets = ((v, planner.index.let_of(v)) for v in again)
    counts = Counter(
        planner.index.owner(v)
        for v, let in lets
        if let is not None and v.role is Role.PRIMAL and v in planner.demanded
        if _is_small(let.value) and planner.cost(let.value) != "free"
    )
    return {block for block, count in counts.items() if count >= FEW}


def _passes_of_states(planner: Planner) -> set[Path]:
    """Return the blocks that save arrays which the next pass changes: what has no name is computed of them."""
    lets = ((path, planner.index.by_path[path].statement) for path in planner.lost)
    found = {p[:-1] for p, s in lets if isinstance(s, Let) and isinstance(s.value.type, Array)}
    return found | {path[:-1] for path in planner.overwritten}


def _passes_of_lengthy_arrays(planner: Planner) -> set[Path]:
    """Return the blocks that compute arrays again of which each element takes long."""
    again = [r.variable for r, _ in planner.again.values() if r.value is not None]
    lets = ((v, planner.index.let_of(v)) for v in again)
    return {
        planner.index.owner(v)
        for v, let in lets
        if let is not None and v in planner.demanded and _is_lengthy_array(planner, let.value)
    }


def _is_lengthy_array(planner: Planner, value: Expr) -> bool:
    return isinstance(value.type, Array) and planner.cost(value) == "lengthy"


def _is_small(value: Expr) -> bool:
    """Tell whether a value is a number, or an array of few elements."""
    match value.type:
        case Array(_, lengths):
            is_known = all(n is not None and n.is_literal for n in lengths)
            return is_known and prod(n.constant for n in lengths if n is not None) <= FEW_ELEMENTS
    return isinstance(value.type, Number)


def _is_summed(value: Expr) -> bool:
    """Tell whether a call gives an array of fewer axes, or of length one, than what it goes through."""
    match value:
        case Expr(
            "call", (Expr("attribute", (through,)), *_) | (_, through, *_), type=Array() as found
        ):
            if isinstance(through.type, Array) and None not in through.type.lengths:
                long, short = (
                    Counter(n for n in t.lengths if n != ONE) for t in (through.type, found)
                )
                return short < long
    return False


def _is_reduced(value: Expr) -> bool:
    """Tell whether a number is computed of what goes through arrays: np.sqrt(np.sum(d**2))."""
    passes = (n for n in nodes(value) if n.op in ("binary", "call") and isinstance(n.type, Array))
    return isinstance(value.type, Number) and any(True for _ in passes)


def _is_of_positions(made: Expr) -> bool:
    """Tell whether a list of whole numbers is made, which has no shadow: [k, k + 1], list(range(k))."""
    if calls(made, list) and len(made.args) == 2:
        return calls(made.args[1], range)
    items = made.args if made.op == "list" else made.args[:1] if made.op == "comprehension" else ()
    types = [each.type for each in items]
    return bool(types) and all(isinstance(t, Number) and t.dtype[0] in "iu" for t in types)


def _is_part(expr: Expr) -> bool:
    """Tell whether an expression is a name, or what stands in a container: the same object again."""
    while expr.op in ("subscript", "attribute") and is_container(expr.args[0].type):
        expr = expr.args[0]
    return expr.op == "name"
