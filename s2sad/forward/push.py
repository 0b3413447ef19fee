"""The tangent of an expression from the tangents of what it reads.

u * np.sin(c)      u_dot * np.sin(c) + u * np.cos(c) * c_dot
xs[k]              xs_dot[k]
[u, 1.0]           [u_dot, 0.0]

A tangent may be smaller than its value where it is the same along an axis: what only adds and
multiplies takes it as it is, all else makes it full.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace

from s2sad.analysis.activity import called
from s2sad.forward.own import pushed_call
from s2sad.forward.world import Code
from s2sad.forward.zeros import ZERO, as_float, full, is_full, zero
from s2sad.ir.expression import Expr, Fields, Pattern, Variable, global_, keywords, name, positional
from s2sad.ir.types import (
    Array,
    Number,
    Numeric,
    Optional,
    Reference,
    Sequence,
    Tuple,
    Unknown,
)
from s2sad.ir.walk import rebuilt, variables
from s2sad.operators.algebra import numpy_function
from s2sad.operators.filling import fill
from s2sad.operators.find import find
from s2sad.operators.match import Match
from s2sad.operators.rule import ELEMENTWISE, TWIN
from s2sad.operators.slopes import may_raise

NUMERIC = Number | Array | Numeric
ZIP = global_("zip", zip)
CONTAINERS = Reference | Tuple | Sequence


@dataclass(frozen=True, slots=True)
class Dot:
    """A tangent; `full` tells that it has the shape of its value."""

    expr: Expr
    full: bool = True


def push(expr: Expr, code: Code) -> Dot | None:
    """Return the tangent of an expression, None where it is zero."""
    if not code.world.is_moving(expr):
        return None
    match expr.op:
        case "name":
            variable = expr.data
            return Dot(name(code.world.dot(variable), expr.type))
        case "tuple" | "list" | "set" | "dict" | "record":
            return Dot(_display(expr, code))
        case "conditional":
            return _conditional(expr, code)
        case "and" | "or":
            return _logical(expr, code)
        case "subscript" | "attribute":
            return _part(expr, code)
        case "comprehension":
            return Dot(_comprehension(expr, code))
        case "starred":
            return Dot(expr.with_args((whole(expr.args[0], code),)))
        case "call" if expr.args[0].op == "function":
            return Dot(pushed_call(expr, code, moving_arguments(expr, code)))
        case "call" if _is_sum(expr):
            return Dot(_sum(expr, code))
        case "call" if _is_named_tuple(expr):
            operands = tuple(own(arg, code) for arg in expr.args[1:])
            return Dot(expr.with_args((expr.args[0], *operands)))
        case "call" if _is_structural(expr, code):
            return Dot(_structural(expr, code))
        case "binary" if _joins(expr):
            return Dot(_joined(expr, code))
    return _by_rule(expr, code)


def whole(expr: Expr, code: Code) -> Expr:
    """Return the tangent of an expression in its shape, zeros if it is zero."""
    found = push(expr, code)
    if found is None:
        return zero(expr, code)
    return found.expr if found.full else full(found.expr, expr, code)


def moving_arguments(expr: Expr, code: Code) -> dict[int, Expr]:
    """Return the tangents of the arguments of a call that have one."""
    operands = (*positional(expr), *keywords(expr).values())
    found = {}
    for place, arg in enumerate(operands):
        if code.world.is_moving(arg) or _has_shadow(arg, code):
            found[place] = own(arg, code)
    return found


def _has_shadow(arg: Expr, code: Code) -> bool:
    """Tell whether a call is handed memory that has a shadow, though it is zero so far."""
    while arg.op in ("subscript", "attribute"):
        arg = arg.args[0]
    is_name = arg.op == "name" and code.world.has_tangent(arg.data)
    return is_name and not isinstance(arg.type, Number) and code.world.may_vary(arg.type)


# ---------------------------------------------------------------------------- structures


def _display(expr: Expr, code: Code) -> Expr:
    parts = tuple(_display_part(arg, code) for arg in expr.args)
    if expr.op == "record":
        return Expr("record", parts, Fields(None, expr.data.names), expr.type)
    type_ = expr.type
    if isinstance(type_, Tuple):
        type_ = replace(type_, items=tuple(as_float(item) for item in type_.items))
    return Expr(expr.op, parts, expr.data, type_)


def _display_part(arg: Expr, code: Code) -> Expr:
    if arg.op == "item":
        return arg.with_args((code.value(arg.args[0]), own(arg.args[1], code)))
    return own(arg, code)


def own(expr: Expr, code: Code) -> Expr:
    """Return a tangent that lasts: it shares memory with others only where its value does."""
    return separated(whole(expr, code), expr, code)


def separated(dot: Expr, expr: Expr, code: Code) -> Expr:
    """Return a tangent copied where its value is new memory, and others are written."""
    if isinstance(expr.type, Number) and isinstance(dot.type, Array) and not dot.type.lengths:
        return code.world.algebra.part(dot, Expr("tuple", (), None, Tuple(())))
    if not isinstance(expr.type, Array) or not isinstance(dot.type, Array):
        return dot
    aliases = code.world.aliases
    mine = {aliases.root(each) for each in aliases.value(expr)}
    its = {aliases.root(each) for each in aliases.value(dot)}
    if any(aliases.is_written(each) for each in mine - its):
        raise code.refuse("a view whose tangent is none", expr)
    if its <= mine:
        return dot
    return code.world.algebra.call(Expr("attribute", (dot,), "copy"))


def _conditional(expr: Expr, code: Code) -> Dot:
    test, *arms = expr.args
    code.lazy += 1
    dots = tuple(own(arm, code) for arm in arms)
    code.lazy -= 1
    return Dot(Expr("conditional", (code.value(test), *dots), None, expr.type))


def _logical(expr: Expr, code: Code) -> Dot:
    """Return the tangent of `a or b`: that of a where it holds."""
    first, *rest = expr.args
    other = rest[0] if len(rest) == 1 else replace(expr, args=tuple(rest))
    code.lazy += 1
    dots = own(first, code), own(other, code)
    code.lazy -= 1
    arms = dots if expr.op == "or" else (dots[1], dots[0])
    return Dot(Expr("conditional", (code.value(first), *arms), None, expr.type))


def _part(expr: Expr, code: Code) -> Dot | None:
    base = expr.args[0]
    if isinstance(base.type, NUMERIC) and expr.op == "attribute" and expr.data != "flat":
        return _by_rule(expr, code)
    if expr.op == "subscript" and base.op == "global":
        return _by_rule(expr, code)
    dot = whole(base, code)
    if expr.op == "attribute":
        return Dot(Expr("attribute", (dot,), expr.data, expr.type))
    index = code.value(expr.args[1])
    if isinstance(base.type, Array):
        return Dot(code.world.algebra.part(dot, index))
    return Dot(Expr("subscript", (dot, index), None, expr.type))


def _is_sum(expr: Expr) -> bool:
    """Tell whether an expression is Python's sum of a list or generator."""
    function = expr.args[0]
    is_plain = not expr.data and all(arg.op != "starred" for arg in expr.args)
    return function.op == "global" and function.data.value is sum and is_plain


def _sum(expr: Expr, code: Code) -> Expr:
    function, items, *start = expr.args
    rest = [whole(each, code) for each in start]
    return replace(expr, args=(function, whole(items, code), *rest), known=None)


def _is_named_tuple(expr: Expr) -> bool:
    """Tell whether an expression makes a named tuple."""
    cls = expr.type.cls if isinstance(expr.type, Tuple) else None
    function = expr.args[0]
    if function.op == "global" and function.data.value is SimpleNamespace:
        return not positional(expr)
    return function.op == "global" and cls is not None and function.data.value is cls


STRUCTURAL = frozenset({"list", "tuple", "reversed", "iter", "dict"})
METHODS = frozenset({"copy", "get", "values"})


def _is_structural(expr: Expr, code: Code) -> bool:
    function = expr.args[0]
    args = positional(expr)
    if function.op == "global":
        if function.data.value is dict and not _is_dict(args, code):
            return False
        return function.data.text in STRUCTURAL and len(args) == 1 and not expr.data
    if function.op != "attribute":
        return False
    return isinstance(function.args[0].type, Reference | Unknown) and function.data in METHODS


def _is_dict(args: tuple[Expr, ...], code: Code) -> bool:
    """Tell whether arguments are one dict."""
    if len(args) != 1 or not isinstance(args[0].type, Reference):
        return False
    region = code.world.regions.get(args[0].type.site)
    return region is not None and region.kind in ("mapping", "fields")


def _structural(expr: Expr, code: Code) -> Expr:
    """Return what is done to a list or dict, done to its tangent."""
    function, *args = expr.args
    if function.op == "global":
        (arg,) = args
        if isinstance(arg.type, Array):
            return replace(expr, args=(function, whole(arg, code)))
        return replace(expr, args=(function, whole(arg, code)))
    owner = Expr("attribute", (whole(function.args[0], code),), function.data)
    if function.data != "get":
        return replace(expr, args=(owner, *args))
    rest = [own(arg, code) for arg in args[1:]]
    return replace(expr, args=(owner, code.value(args[0]), *rest))


def _joins(expr: Expr) -> bool:
    """Tell whether an operation joins or repeats lists: no array is among the operands."""
    is_list = isinstance(expr.type, CONTAINERS)
    return is_list and not any(isinstance(arg.type, Array | Numeric) for arg in expr.args)


def _joined(expr: Expr, code: Code) -> Expr:
    """Return xs + ys or n * xs of lists and tuples."""
    parts = []
    for arg in expr.args:
        is_count = isinstance(arg.type, Number)
        parts.append(code.value(arg) if is_count else whole(arg, code))
    return replace(expr, args=tuple(parts))


# ---------------------------------------------------------------------------- comprehensions


def _comprehension(expr: Expr, code: Code) -> Expr:
    """Return the comprehension of the tangents, the items taken beside theirs."""
    element, *generators = expr.args
    before, still = set(code.world.local), set(code.world.still)
    code.lazy += 1
    made = [_generator(each, code) for each in generators]
    if element.op == "item":
        inner = element.with_args((element.args[0], own(element.args[1], code)))
    else:
        inner = own(element, code)
    code.lazy -= 1
    code.world.local.clear()
    code.world.local.update(before)
    code.world.still.clear()
    code.world.still.update(still)
    return replace(expr, args=(inner, *made))


def _generator(each: Expr, code: Code) -> Expr:
    domain, *tests = each.args
    code.world.still |= set(variables(each.data))
    paired, pattern, _ = beside(domain, each.data, code, True)
    return replace(each, args=(paired, *map(code.value, tests)), data=pattern)


def dotted(pattern: Pattern, code: Code, binds: bool) -> Pattern:
    """Return the pattern of the tangents of what a pattern binds; None for those without."""
    match pattern:
        case Variable():
            if binds:
                code.world.local.add(pattern)
                code.world.still.discard(pattern)
            if not code.world.has_tangent(pattern):
                return None
            code.world.zero.discard(pattern)
            return code.world.dot(pattern)
        case tuple():
            parts = tuple(dotted(part, code, binds) for part in pattern)
            return None if all(part is None for part in parts) else parts
        case None:
            return None
    inner = dotted(pattern.variable, code, binds)
    return None if inner is None else replace(pattern, variable=inner)  # type: ignore[arg-type]


def beside(
    domain: Expr, pattern: Pattern, code: Code, binds: bool = False
) -> tuple[Expr, Pattern, bool]:
    """Return a domain that gives tangents beside the items, and the pattern that takes both.

    The last tells whether it gives any; `binds` that the variables are a comprehension's own.
    """
    if not code.world.is_moving(domain):
        return code.value(domain), pattern, False
    word = called(domain) if domain.op == "call" and domain.args[0].op == "global" else ""
    if word == "enumerate" and isinstance(pattern, tuple) and len(pattern) == 2:
        inner, target, gives = beside(domain.args[1], pattern[1], code, binds)
        made = domain.with_args((domain.args[0], inner, *map(code.value, domain.args[2:])))
        return made, (pattern[0], target), gives
    if word == "zip" and isinstance(pattern, tuple) and len(pattern) == len(positional(domain)):
        return _zipped(domain, pattern, code, binds)
    if domain.op == "call" and domain.args[0].op == "attribute":
        keyed = _of_items(domain, pattern, code, binds)
        if keyed is not None:
            return keyed
    dot = whole(domain, code)
    target = dotted(pattern, code, binds)
    if target is None:
        return code.value(domain), pattern, False
    return _pair(domain, (code.value(domain), dot)), (pattern, target), True


def _pair(domain: Expr, parts: tuple[Expr, ...]) -> Expr:
    return Expr("call", (ZIP, *parts), (), Sequence(Unknown(), zip), None, domain.span)


def _zipped(
    domain: Expr, pattern: tuple[Pattern, ...], code: Code, binds: bool
) -> tuple[Expr, Pattern, bool]:
    parts: list[Expr] = []
    targets: list[Pattern] = []
    for arg, target in zip(positional(domain), pattern, strict=True):
        parts.append(code.value(arg))
        targets.append(target)
        if code.world.is_moving(arg):
            dot = whole(arg, code)
            found = dotted(target, code, binds)
            if found is not None:
                parts.append(dot)
                targets.append(found)
    named = keywords(domain)
    made = replace(domain, args=(domain.args[0], *parts, *named.values()))
    return made, tuple(targets), len(targets) > len(pattern)


def _of_items(
    domain: Expr, pattern: Pattern, code: Code, binds: bool
) -> tuple[Expr, Pattern, bool] | None:
    """Return d.items() with the tangents by their keys."""
    owner, word = domain.args[0].args[0], domain.args[0].data
    if word not in ("items", "values") or not isinstance(owner.type, Reference):
        return None
    target = pattern[1] if word == "items" and isinstance(pattern, tuple) else pattern
    if word == "items" and (not isinstance(pattern, tuple) or len(pattern) != 2):
        return None
    dot = whole(owner, code)
    found = dotted(target, code, binds)
    if found is None:
        return code.value(domain), pattern, False
    key = name(code.world.fresh.variable("key"))
    part = Expr("subscript", (dot, key))
    generator = Expr("generator", (code.value(owner),), key.data)
    dots = Expr("comprehension", (part, generator), "list", Unknown())
    return _pair(domain, (code.value(domain), dots)), (pattern, found), True


# ---------------------------------------------------------------------------- rules


def _by_rule(expr: Expr, code: Code) -> Dot | None:
    expr = _as_list(_without_options(expr))
    match = find(expr, code.world.tools.known) or _of_unknown(expr, code)
    if match is None or match.rule.family == TWIN:
        raise code.refuse(f"no rule for {_word(expr)}", expr)
    missing = match.uncovered(code.world.is_moving)
    if missing:
        raise code.refuse(f"no rule of {match.operator} for {missing[0]}", expr)
    if match.is_constant:
        return None
    found = _filled(match, expr, code)
    if found is None or not code.world.in_try or not may_raise(match):
        return found
    return replace(found, expr=_without_raising(found.expr, expr, code))


DIVIDES = {"/": "divide", "**": "power"}


def _without_raising(dot: Expr, expr: Expr, code: Code) -> Expr:
    """Return a tangent within a try: where it is infinite, it does not raise as numbers do."""

    def change(node: Expr) -> Expr | None:
        if node.op == "call" and node.args[0].op == "global":
            if node.args[0].data.text.startswith("math.log"):
                raise code.refuse("a slope that may raise within a try", expr)
        if node.op != "binary" or node.data not in DIVIDES or not isinstance(node.type, Number):
            return None
        if node.type.dtype[0] not in "fc":
            return None
        return code.world.algebra.numpy(DIVIDES[node.data], *node.args)

    return rebuilt(dot, change)


def _without_options(expr: Expr) -> Expr:
    """Return an operation on values that are not None: on None it would raise."""
    if not any(isinstance(arg.type, Optional) for arg in expr.args):
        return expr
    args = [a.typed(a.type.type) if isinstance(a.type, Optional) else a for a in expr.args]
    return replace(expr, args=tuple(args))


def _as_list(expr: Expr) -> Expr:
    """Return max(xs) of a generator or of a dict's values as that of a list."""
    function = expr.args[0]
    if expr.op != "call" or function.op != "global" or len(expr.args) != 2:
        return expr
    arg = expr.args[1]
    if arg.op == "comprehension" and arg.data == "generator":
        return expr.with_args((function, replace(arg, data="list")))
    if arg.op == "call" and arg.args[0].op == "attribute" and arg.args[0].data == "values":
        made = Expr("call", (global_("list", list), arg), (), arg.type, None, arg.span)
        return expr.with_args((function, made))
    return expr


def _of_unknown(expr: Expr, code: Code) -> Match | None:
    """Return the rule of arithmetic on what is not known, or of a function of a list of arrays."""
    if any(isinstance(arg.type, Unknown) for arg in expr.args):
        numeric = Numeric("float64")
        args = [a.typed(numeric) if isinstance(a.type, Unknown) else a for a in expr.args]
        found = find(replace(expr, args=tuple(args)), code.world.tools.known)
        if found is not None and (expr.op in ("binary", "unary") or found.rule.holomorphic):
            return found
    if expr.op == "call" and len(expr.args) > 1 and isinstance(expr.args[1].type, Reference):
        return _of_list(expr, code)
    return None


def _of_list(expr: Expr, code: Code) -> Match | None:
    """Return the rule of np.mean(np.array(xs)) for np.mean(xs)."""
    function, first, *rest = expr.args
    if function.op != "global" or not function.data.text.startswith("np."):
        return None
    array = code.world.tools.infer(Expr("call", (numpy_function("array"), first), ()))
    if not isinstance(array.type, Array):
        return None
    return find(replace(expr, args=(function, array, *rest)), code.world.tools.known)


def _filled(match: Match, expr: Expr, code: Code) -> Dot | None:
    holes = Holes(match, code)
    given = [p for p in match.rule.params if holes.moves(p)]
    given += [p for p in match.bound if p not in given and holes.moves(p)]
    lines = match.tangents(given)
    if not lines:
        return None
    parts = {line.part for line in lines}
    if parts - {None}:
        return Dot(_several(lines, expr, holes, code))
    total: Expr | None = None
    for line in lines:
        term = fill(line, holes, code.world.tools.infer)
        total = term if total is None else code.world.algebra.add(total, term)
    assert total is not None
    _every_tangent_is_read(given, holes, code, expr)
    if match.rule.family == ELEMENTWISE:
        return Dot(total, is_full(total, expr) or holes.covers_all)
    if isinstance(total.type, Unknown):
        total = total.typed(expr.type)
    return Dot(total, True)


def _several(lines: tuple[object, ...], expr: Expr, holes: Holes, code: Code) -> Expr:
    """Return the tangents of several results as a tuple."""
    items = expr.type.items if isinstance(expr.type, Tuple) else ()
    if not items:
        raise code.refuse("several results whose number is not known", expr)
    sums: dict[int, Expr] = {}
    for line in lines:
        term = fill(line, holes, code.world.tools.infer)  # type: ignore[arg-type]
        part = line.part  # type: ignore[attr-defined]
        if part is None:
            raise code.refuse("a rule of several results in one line", expr)
        sums[part] = code.world.algebra.add(sums[part], term) if part in sums else term
    value = code.value(expr)
    parts = []
    for place, item in enumerate(items):
        one = Expr("subscript", (value, Expr("constant", (), place)), None, item)
        parts.append(sums[place] if place in sums else zero(one, code))
    return Expr("tuple", tuple(parts), None, Tuple(tuple(part.type for part in parts)))


def _every_tangent_is_read(given: list[str], holes: Holes, code: Code, expr: Expr) -> None:
    """Refuse a rule that forgets an argument: it would be silently wrong."""
    forgotten = [p for p in given if p not in holes.read]
    if forgotten:
        raise code.refuse(f"the rule of {holes.match.operator} forgets {forgotten[0]}", expr)


class Holes(Mapping[str, Expr]):
    """What the names of a rule stand for; tangents are made as they are asked for."""

    def __init__(self, match: Match, code: Code):
        self.match, self.code = match, code
        self.dots: dict[str, Dot | None] = {}
        self.read: set[str] = set()
        self.values: set[str] = set()

    def moves(self, param: str) -> bool:
        """Tell whether a parameter has a tangent other than zero."""
        if param not in self.match.bound or param not in self.match.differentiable:
            return False
        if param not in self.dots:
            self.dots[param] = push(self.match.bound[param], self.code)
        return self.dots[param] is not None

    def __getitem__(self, named: str) -> Expr:
        self.values.add(named)
        if named in self.match.bound:
            return self.code.value(self.match.bound[named])
        if named == "y":
            return self.code.value(self.match.expr)
        param = named.removesuffix("_dot")
        return self._dot(param)

    def _dot(self, param: str) -> Expr:
        self.read.add(param)
        expr = self.match.bound[param]
        if not self.moves(param):
            return ZERO if isinstance(expr.type, Number) else zero(expr, self.code)
        dot = self.dots[param]
        assert dot is not None
        if dot.full or self.match.rule.family == ELEMENTWISE:
            return dot.expr
        return full(dot.expr, expr, self.code)

    @property
    def covers_all(self) -> bool:
        """Tell whether the lines read all that the result has its shape from."""
        if "y" in self.values:
            return True
        for param, expr in self.match.bound.items():
            if isinstance(expr.type, Number) or param in self.values:
                continue
            dot = self.dots.get(param)
            if dot is None or not dot.full or param not in self.read:
                return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(("y", *self.match.bound, *(f"{p}_dot" for p in self.match.bound)))

    def __len__(self) -> int:
        return 1 + 2 * len(self.match.bound)


def _word(expr: Expr) -> str:
    return called(expr) if expr.op == "call" else str(expr.data or expr.op)


__all__ = ["Dot", "beside", "own", "push", "separated", "whole"]
