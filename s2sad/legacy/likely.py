"""What parameters are taken to be where nothing is known of them and it decides what is right.

def f(u, k):            `u` is sliced, so it is taken to be an array, and the file checks that:
    b = u[1:]           if not isinstance(u, np.ndarray):
    b[k] = 1.0              raise ValueError("made for an array u")
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from s2sad.legacy.assume import float_test
from s2sad.legacy.facts import Fact, Facts
from s2sad.legacy.facts.fact import array, axis
from s2sad.legacy.program import (
    Assign,
    Attr,
    Call,
    Const,
    Expr,
    If,
    Loop,
    Op,
    Program,
    Ref,
    Update,
    Var,
)
from s2sad.legacy.traverse import SHAPE_ATTRIBUTES, expressions, reads, statements, walk

ARRAY, INTEGER, NUMBER = Fact("array"), Fact("int", "int64", ()), Fact("float", "", ())
ARITHMETIC = frozenset("+ - * / ** @ u-".split())
# attributes and methods that lists do not have
OF_ARRAYS = SHAPE_ATTRIBUTES | frozenset({"T", "sum", "mean", "dot", "reshape", "max", "min"})

LIKE = frozenset({f"np.{name}_like" for name in ("empty", "zeros", "ones", "full")} | {"np.copy"})
OF_OBJECTS = frozenset({"part", "method"})
PARTS = frozenset({"part", "array"})
COMPARISONS = frozenset("< <= > >= == !=".split())


def likely(program: Program) -> dict[str, Fact]:
    """Return the parameters that are used as arrays, as positions in one, or as numbers."""
    signs, found = _gathered(program, _signs(program)), {}
    for param in program.params:
        mine = signs[param.var.slot]
        if "array" in mine or ("arithmetic" in mine and mine & OF_OBJECTS):
            found[param.var.slot] = ARRAY
        elif "position" in mine and not mine & OF_OBJECTS:
            found[param.var.slot] = INTEGER
        elif {"arithmetic", "number"} <= mine and not mine & OF_OBJECTS:
            found[param.var.slot] = NUMBER
    return found


def narrow(program: Program) -> dict[str, Fact]:
    """Return the parameters that are summed up like numbers, as numbers or arrays of these.

    What is gone through, or read at single positions, is taken to be an array of one axis, or of two
    where its items are read so as well: where a sum begins with a number, it then stays one; so
    does an element of a list of lists.
    """
    if not (_has_sums(program) or _writes_to_rows(program)):
        return {}
    signs = _gathered(program, [*_signs(program), *_gone_through(program)])
    signs = _gathered(program, [*_pairs(signs), *_of_rows(program, signs)])
    shaping, found = _shaping(program, signs), dict[str, Fact]()
    for param in program.params:
        name, mine = param.var.slot, signs[param.var.slot]
        if "part" in mine and not mine & {"array", "method"}:
            axes = range(2 if "rows" in mine else 1)
            found[name] = array("", tuple(axis(name, place) for place in axes))
        elif "arithmetic" in mine and not mine & (OF_OBJECTS | {"array"}) and name not in shaping:
            found[name] = NUMBER
    return found


def takes_parts_of_numbers(program: Program, facts: Facts) -> bool:
    """Tell whether elements of what is known to be a number are read or written: it is none."""
    for stmt in statements(program.body):
        if isinstance(stmt, Update) and stmt.index is not None and facts.of(stmt.old).is_scalar:
            return True
        for part in (part for expr in expressions(stmt) for part in walk(expr)):
            if isinstance(part, Op) and part.op == "index" and facts.expr(part.args[0]).is_scalar:
                return True
    return False


def _shaping(program: Program, signs: dict[str, set[str]]) -> set[str]:
    """Return the names one of which must have parts, as what is computed of them: C = S * x; C[i]."""
    found: set[str] = set()
    for stmt in reversed(list(statements(program.body))):
        match stmt:
            case Assign((target,), Op(op) as value) if op in ARITHMETIC:
                names = {var.slot for var in reads(value)}
                if target.slot in found or signs[target.slot] & PARTS:
                    found |= names if not any(signs[name] & PARTS for name in names) else set()
    return found


def _has_sums(program: Program) -> bool:
    """Tell whether a name is given a number and then added to."""
    numbers, added = set(), set()
    for stmt in statements(program.body):
        match stmt:
            case Assign(targets, Const(int() | float())):
                numbers |= {var.slot for var in targets}
            case Assign(targets, Op("tuple", args), unpack=True):
                pairs = zip(targets, args, strict=False)
                numbers |= {var.slot for var, arg in pairs if isinstance(arg, Const)}
            case Update(_, old, None, op) if op in ARITHMETIC:
                added.add(old.slot)
    return bool(numbers & added)


def _writes_to_rows(program: Program) -> bool:
    """Tell whether something is written to what was taken out of a list: rows[i][j] += e."""
    taken, written = set(), set()
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Op("index", (Var(), _)), unpack=False):
                taken.add(target.slot)
            case Update(_, old):
                written.add(old.slot)
    return bool(taken & written)


def _gathered(program: Program, signs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Return the signs of each name, those of names for the same thing included."""
    found: dict[str, set[str]] = defaultdict(set)
    for slot, sign in signs:
        found[slot].add(sign)
    for copy, slot in reversed(list(_same(program))):
        found[slot] |= found[copy]
    return found


def _pairs(signs: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    return ((slot, sign) for slot, mine in signs.items() for sign in sorted(mine))


def _of_rows(program: Program, signs: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    """Yield the names of whose items single positions are read or written: A[i][j]."""
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Op("index", (Var(slot), _)), unpack=False):
                if signs[target.slot] & PARTS:
                    yield slot, "rows"
            case Loop(_, (target,), Var(slot)) if signs[target.slot] & PARTS:
                yield slot, "rows"


def _gone_through(program: Program) -> Iterator[tuple[str, str]]:
    for stmt in statements(program.body):
        if isinstance(stmt, Loop) and stmt.iterable is not None:
            yield from ((var.slot, "part") for var in reads(stmt.iterable))


def kind_checks(kinds: dict[str, Fact]) -> dict[str, str]:
    """Return the tests, with their messages, of what parameters were taken to be."""
    found = {}
    for name, fact in kinds.items():
        if fact.is_array and fact.rank:
            wrong = f"not isinstance({name}, np.ndarray) or {name}.ndim != {fact.rank}"
            found[wrong] = f"made for an array {name} of rank {fact.rank}"
        elif fact.is_array:
            found[f"not isinstance({name}, np.ndarray)"] = f"made for an array {name}"
        elif fact == NUMBER:
            found[f"isinstance({name}, np.ndarray)"] = f"made for a number {name}"
        else:
            found[f"not isinstance({name}, (int, np.integer))"] = f"made for an integer {name}"
    return found


def float_checks(
    program: Program, dtype: Callable[[Var], str], active: frozenset[Var], wrt: Iterable[str]
) -> dict[str, str]:
    """Return the tests of parameters in whose like what varies is stored: integers would cut it."""
    own = {param.var.slot: param.var for param in program.params if param.var.slot not in wrt}
    stored = dict.fromkeys(_stored_like(program, own, active))
    return dict(float_test(param.slot) for param in stored if not dtype(param))


def list_checks(program: Program, known: Callable[[Var], Fact]) -> dict[str, str]:
    """Return the tests of parameters that a list would be repeated or joined for: L * 2, L + M.

    Only where items of the result are asked for: what is a list is neither multiplied nor added
    to otherwise.
    """
    held = {param.var: {param.var.slot} for param in program.params}
    asked = {slot for slot, sign in (*_signs(program), *_gone_through(program)) if sign == "part"}
    found: set[str] = set()
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Var() as var):
                held[target] = held.get(var, set())
            case Assign((target,), value) if known(target).kind == "unknown":
                longer = {slot for var in _repeated(value, known) for slot in held.get(var, ())}
                held[target] = longer
                found |= longer if target.slot in asked else set()
    return {
        f"isinstance({name}, (list, tuple))": f"made for an array {name}" for name in sorted(found)
    }


def _repeated(value: Expr, known: Callable[[Var], Fact]) -> Iterator[Var]:
    """Yield what an expression repeats, or joins, should it be a list."""
    match value:
        case Op("*", (Var() as var, other)) | Op("*", (other, Var() as var)):
            if isinstance(other, Const) and type(other.value) is int:
                yield var
        case Op("+", (Var() as left, Var() as right)):
            if known(left).kind == known(right).kind == "unknown":
                yield from (left, right)


def _stored_like(program: Program, like: dict[str, Var], active: frozenset[Var]) -> Iterator[Var]:
    """Yield the parameters of which something that takes what varies has the dtype."""
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Var(slot) | Call(Attr(Var(slot), "copy"), ())) if slot in like:
                like[target.slot] = like[slot]
            case Assign((target,), Call(Ref(text), (Var(slot), *_), keywords)) if slot in like:
                if text in LIKE and "dtype" not in dict(keywords):
                    like[target.slot] = like[slot]
                    if target in active:
                        yield like[slot]
            case Update(new, Var(slot), index) if index is not None and new in active:
                if slot in like:
                    yield like[slot]


def _same(program: Program) -> Iterator[tuple[str, str]]:
    """Yield the names that are bound to what another holds, or to a copy of it."""
    for stmt in statements(program.body):
        match stmt:
            case Assign((target,), Var(slot) | Call(Attr(Var(slot), "copy"), ())):
                yield target.slot, slot
            case Assign(targets, Op("tuple", args), unpack=True):
                pairs = zip(targets, args, strict=False)
                yield from ((a.slot, b.slot) for a, b in pairs if isinstance(b, Var))


def _signs(program: Program) -> Iterator[tuple[str, str]]:
    for stmt in statements(program.body):
        if isinstance(stmt, Update) and stmt.index is not None:
            yield from _part(stmt.old, stmt.index)
        elif isinstance(stmt, Update) and stmt.op in ARITHMETIC:
            yield stmt.old.slot, "arithmetic"
        for expr in expressions(stmt):
            for part in walk(expr):
                yield from _sign(part)
        test = stmt.test if isinstance(stmt, If | Loop) else None
        for part in walk(test) if test is not None else ():
            if isinstance(part, Op) and part.op in COMPARISONS:  # of an array it has no truth
                yield from ((arg.slot, "number") for arg in part.args if isinstance(arg, Var))


def _sign(expr: Expr) -> Iterator[tuple[str, str]]:
    match expr:
        case Op("index", (Var() as owner, key)):
            yield from _part(owner, key)
        case Attr(Var(slot), name):
            if name != "copy":
                yield slot, "array" if name in OF_ARRAYS else "method"
        case Op(op, args) if op in ARITHMETIC:
            yield from ((arg.slot, "arithmetic") for arg in args if isinstance(arg, Var))
        case Call(Ref(text), args) if text.startswith("np."):
            yield from ((arg.slot, "arithmetic") for arg in args if isinstance(arg, Var))


def _is_text(key: Expr) -> bool:
    return isinstance(key, Const) and isinstance(key.value, str)


def _part(owner: Var, key: Expr) -> Iterator[tuple[str, str]]:
    yield owner.slot, "method" if _is_text(key) else "part"
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    if len(parts) > 1 or any(isinstance(part, Op) and part.op == "slice" for part in parts):
        yield owner.slot, "array"
    for part in parts:
        operands = part.args if isinstance(part, Op) and part.op in ARITHMETIC else (part,)
        yield from ((each.slot, "position") for each in operands if isinstance(each, Var))
