"""Domains that give tangents beside their items, of loops and comprehensions.

for k, x in enumerate(xs)      for k, (x, x_dot) in enumerate(zip(xs, xs_dot))
"""

from __future__ import annotations

from s2sad.analysis.containers import gives_keys
from s2sad.forward.whole import own, whole
from s2sad.forward.world import Code
from s2sad.ir.expression import (
    Expr,
    Pattern,
    Role,
    Variable,
    called,
    global_,
    keywords,
    name,
    positional,
)
from s2sad.ir.program import For
from s2sad.ir.records import replace
from s2sad.ir.types import Reference, Sequence, Unknown
from s2sad.ir.walk import bound_in, nodes, read_variables, variables

ZIP = global_("zip", zip)


def comprehension(expr: Expr, code: Code) -> Expr:
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
    if any(_is_iterator(node, code) for node in nodes(domain)):
        raise code.refuse("an iterator that is gone through within an expression", domain)
    code.world.still |= set(variables(each.data))
    paired, pattern, _ = beside(domain, each.data, code, True)
    return replace(each, args=(paired, *map(code.value, tests)), data=pattern)


def _is_iterator(node: Expr, code: Code) -> bool:
    """Tell whether an expression is the name of an iterator, whose items come once."""
    if node.op != "name":
        return False
    is_typed = isinstance(node.type, Sequence) and hasattr(node.type.cls, "__next__")
    return is_typed or node.data in code.world.iterators


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
            if all(part is None for part in parts):
                return None
            return parts
    return None


def beside(
    domain: Expr, pattern: Pattern, code: Code, binds: bool = False
) -> tuple[Expr, Pattern, bool]:
    """Return a domain that gives tangents beside the items, and the pattern that takes both.

    The last tells whether it gives any; `binds` that the variables are a comprehension's own.
    """
    if not _gives_tangents(domain, code):
        return code.with_values(domain), pattern, False
    word = called(domain) if domain.op == "call" and domain.args[0].op == "global" else ""
    if word == "enumerate" and isinstance(pattern, tuple) and len(pattern) == 2:
        inner, target, gives = beside(domain.args[1], pattern[1], code, binds)
        made = domain.with_args((domain.args[0], inner, *map(code.with_values, domain.args[2:])))
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
        return code.with_values(domain), pattern, False
    return _pair(domain, (code.with_values(domain), dot)), (pattern, target), True


def _gives_tangents(domain: Expr, code: Code) -> bool:
    return code.world.is_moving(domain) and not gives_keys(domain, code.world.regions)


def _pair(domain: Expr, parts: tuple[Expr, ...]) -> Expr:
    return Expr("call", (ZIP, *parts), (), Sequence(Unknown(), zip), None, domain.span)


def _zipped(
    domain: Expr, pattern: tuple[Pattern, ...], code: Code, binds: bool
) -> tuple[Expr, Pattern, bool]:
    parts: list[Expr] = []
    targets: list[Pattern] = []
    for arg, target in zip(positional(domain), pattern, strict=True):
        parts.append(code.with_values(arg))
        targets.append(target)
        if _gives_tangents(arg, code):
            dot = whole(arg, code)
            found = dotted(target, code, binds)
            if found is not None:
                parts.append(dot)
                targets.append(found)
    named = keywords(domain)
    made = replace(domain, args=(domain.args[0], *parts, *named.values()))
    return made, tuple(targets), len(targets) > len(pattern)


def _steady(dot: Expr, code: Code) -> Expr:
    """Return the tangents of a dict as they are before a loop that gives its name another dict."""
    loop = code.statement
    if code.lazy or not isinstance(loop, For):
        return dot
    if {v.of or v for v in read_variables(dot)}.isdisjoint(bound_in(loop.body)):
        return dot
    return code.world.fresh.named(dot, "held_dot", code.before, loop.span, Role.TANGENT)


def _of_items(
    domain: Expr, pattern: Pattern, code: Code, binds: bool
) -> tuple[Expr, Pattern, bool] | None:
    """Return d.items() with the tangents by their keys."""
    owner, word = domain.args[0].args[0], domain.args[0].data
    if word not in ("items", "values") or not isinstance(owner.type, Reference | Unknown):
        return None
    target = pattern[1] if word == "items" and isinstance(pattern, tuple) else pattern
    if word == "items" and (not isinstance(pattern, tuple) or len(pattern) != 2):
        return None
    dot = _steady(whole(owner, code), code)
    found = dotted(target, code, binds)
    if found is None:
        return code.with_values(domain), pattern, False
    key = name(code.world.fresh.variable("key"))
    part = Expr("subscript", (dot, key))
    generator = Expr("generator", (code.value(owner),), key.data)
    dots = Expr("comprehension", (part, generator), "generator", Unknown())
    return _pair(domain, (code.with_values(domain), dots)), (pattern, found), True
