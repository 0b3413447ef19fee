"""Turns expressions of a Program into one line of Python, with the least parentheses.

Op("*", (Const(0.5), Var("x~bar", 0)))                           0.5 * x_bar
Op("**", (Var("x", 0), Const(-1)))                               x**-1
Op("index", (u, Op("slice", (Op("+", (i, one)), NONE, NONE))))   u[i + 1 :]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite

from s2sad.ir.errors import InternalError
from s2sad.legacy.printing.copied import copied_expression, copied_statement, is_generator
from s2sad.legacy.printing.literals import literal
from s2sad.legacy.printing.precedence import (
    BINARY,
    BITOR,
    COMPARE,
    COMPARISONS,
    FACTOR,
    LOGIC,
    NOT,
    OR,
    POWER,
    PRIMARY,
    TEST,
    UNARY,
)
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Opaque, Ref, Var
from s2sad.legacy.traverse import is_path


@dataclass(frozen=True, slots=True)
class _Style:
    """What names print as, and what infinities are taken from ("" for `float("inf")`)."""

    name: Callable[[str], str]
    numpy: str = "np"


def text(expr: Expr, name: Callable[[str], str], *, numpy: str = "np") -> str:
    """Return `expr` as one line of Python; `name` maps a slot to its identifier.

    Infinities are printed as attributes of `numpy`, or as `float("inf")` where that is "".
    """
    return _render(expr, _Style(name, numpy))[0]


def _render(expr: Expr, style: _Style) -> tuple[str, int]:
    """Return the text of an expression and how tightly it binds."""
    match expr:
        case Var(slot):
            return style.name(slot), PRIMARY
        case Ref(written):
            return written, PRIMARY
        case Const(value):
            return literal(value, style.numpy)
        case Op(op, args):
            return _operation(op, args, style)
        case Attr(value, attribute):
            return f"{_attribute_base(value, style)}.{attribute}", PRIMARY
        case Call():
            return _call(expr, style), PRIMARY
        case Opaque():
            return copied_expression(expr.node, *_reads_writes(expr, style))
    raise InternalError(f"cannot print {expr!r}")


def _at(expr: Expr, level: int, style: _Style) -> str:
    """Return the text of an expression, in parentheses where it binds less tightly."""
    written, binds = _render(expr, style)
    return written if binds >= level else f"({written})"


def _listed(exprs: Iterable[Expr], style: _Style) -> str:
    return ", ".join(_at(each, TEST, style) for each in exprs)


# ---------------------------------------------------------------------------- operations


def _operation(op: str, args: tuple[Expr, ...], style: _Style) -> tuple[str, int]:
    if op in BINARY:
        return _binary(op, args, style), BINARY[op]
    if op in UNARY:
        return UNARY[op] + _at(args[0], FACTOR, style), FACTOR
    if op in LOGIC:
        level = LOGIC[op]
        return f" {op} ".join(_at(each, level + 1, style) for each in args), level
    match op:
        case "**":
            return _power(args[0], args[1], style), POWER
        case "not":
            return "not " + _at(args[0], NOT, style), NOT
        case "if":
            test, then, orelse = args
            parts = _at(then, OR, style), _at(test, OR, style), _at(orelse, TEST, style)
            return "{} if {} else {}".format(*parts), TEST
        case "index" if is_path(args[1]):
            keys = "".join(f"[{_at(part, TEST, style)}]" for part in args[1].args)
            return f"{_at(args[0], PRIMARY, style)}{keys}", PRIMARY
        case "index":
            return f"{_at(args[0], PRIMARY, style)}[{_key(args[1], style)}]", PRIMARY
        case "slice":
            return _call(Call(Ref("slice", slice), args), style), PRIMARY
        case "tuple":
            return f"({_items(args, style)})", PRIMARY
        case "list":
            return f"[{_listed(args, style)}]", PRIMARY
        case "dict":
            pairs = zip(args[::2], args[1::2], strict=True)
            shown = (f"{_at(key, TEST, style)}: {_at(e, TEST, style)}" for key, e in pairs)
            return f"{{{', '.join(shown)}}}", PRIMARY
        case "star":
            return "*" + _at(args[0], BITOR, style), TEST
    return _comparison(op, args, style), COMPARE


def _binary(op: str, args: tuple[Expr, ...], style: _Style) -> str:
    # a chain of a thousand terms is a thousand deep on the left: walk it, don't recurse
    level = BINARY[op]
    tail = [f"{op} {_at(args[1], level + 1, style)}"]
    left = args[0]
    while isinstance(left, Op) and BINARY.get(left.op) == level:
        tail.append(f"{left.op} {_at(left.args[1], level + 1, style)}")
        left = left.args[0]
    return " ".join([_at(left, level, style), *reversed(tail)])


def _power(base: Expr, exponent: Expr, style: _Style) -> str:
    left, right = _at(base, PRIMARY, style), _at(exponent, FACTOR, style)
    signed = isinstance(exponent, Op) and exponent.op in UNARY
    plain = exponent.args[0] if isinstance(exponent, Op) and signed else exponent
    hugs = not left.startswith("(") and _is_simple(base) and _is_simple(plain)
    return f"{left}**{right}" if hugs else f"{left} ** {right}"


def _is_simple(operand: Expr) -> bool:
    """Tell whether black leaves no space around `**` beside this operand."""
    while isinstance(operand, Attr):
        operand = operand.value
        if isinstance(operand, Const):
            return False
    if isinstance(operand, Const):
        return isinstance(operand.value, (int, float, complex))
    return isinstance(operand, (Var, Ref))


def comparison_operators(op: str, count: int) -> tuple[str, ...]:
    """Split the `op` of a comparison chain, as "< <=" or "is_not", into `count` operators.

    Those of two words may be joined by `_` or stand as they are, as long as that is clear.
    """
    words = op.split()
    found: list[str] = []
    while words:
        size = 2 if " ".join(words[:2]) in COMPARISONS else 1
        found.append(" ".join(words[:size]).replace("_", " "))
        words = words[size:]
    if len(found) != count or not COMPARISONS.issuperset(found) or "is not in" in op:
        raise InternalError(f"no operator {op!r} for {count + 1} operands")
    return tuple(found)


def _comparison(op: str, args: tuple[Expr, ...], style: _Style) -> str:
    operators = comparison_operators(op, len(args) - 1)
    operands = [_at(each, BITOR, style) for each in args]
    rest = (f" {sign} {operand}" for sign, operand in zip(operators, operands[1:], strict=True))
    return operands[0] + "".join(rest)


def _items(args: tuple[Expr, ...], style: _Style) -> str:
    return _listed(args, style) + ("," if len(args) == 1 else "")


# ---------------------------------------------------------------------------- trailers


def _key(key: Expr, style: _Style) -> str:
    if isinstance(key, Const) and isinstance(key.value, tuple):
        key = Op("tuple", tuple(map(Const, key.value)))
    if isinstance(key, Op) and key.op == "tuple" and key.args:
        parts = ", ".join(_key_part(part, style) for part in key.args)
        return parts + ("," if len(key.args) == 1 and not _is_star(key.args[0]) else "")
    return _key_part(key, style)


def _is_star(expr: Expr) -> bool:
    # A[*i] is a tuple without a comma
    return isinstance(expr, Op) and expr.op == "star"


def _key_part(part: Expr, style: _Style) -> str:
    if not (isinstance(part, Op) and part.op == "slice"):
        return _at(part, TEST, style)
    lower, upper, step = ("" if each == NONE else _at(each, TEST, style) for each in part.args)
    if all(_is_plain_bound(each, style) for each in part.args):
        return f"{lower}:{upper}" + (f":{step}" if step else "")
    written = f"{lower} :" if lower else ":"
    written += f" {upper}" if upper else ""
    if step:
        written += (" : " if upper else ": ") + step
    return written


def _is_plain_bound(bound: Expr, style: _Style) -> bool:
    """Tell whether black leaves no space around a colon beside this bound."""
    while isinstance(bound, Op) and bound.op in UNARY:
        bound = bound.args[0]
    if isinstance(bound, Const):
        infinite = isinstance(bound.value, float) and not isfinite(bound.value)
        return not infinite and not isinstance(bound.value, (tuple, list))
    return isinstance(bound, (Var, Ref)) and _render(bound, style)[0].isidentifier()


def _attribute_base(value: Expr, style: _Style) -> str:
    written = _at(value, PRIMARY, style)
    return f"({written})" if written[:1].isdigit() else written


def _call(call: Call, style: _Style) -> str:
    parts = [_at(arg, TEST, style) for arg in call.args]
    for key, value in call.keywords:
        written = _at(value, TEST, style)
        parts.append(f"**{_at(value, BITOR, style)}" if key in ("", "**") else f"{key}={written}")
    arguments = ", ".join(parts)
    if len(parts) == 1 and _is_generator(call.args):
        return _at(call.func, PRIMARY, style) + arguments
    return f"{_at(call.func, PRIMARY, style)}({arguments})"


def _is_generator(args: tuple[Expr, ...]) -> bool:
    return any(isinstance(arg, Opaque) and is_generator(arg.node) for arg in args)


# ---------------------------------------------------------------------------- copied syntax


def statement_text(copied: Opaque, name: Callable[[str], str]) -> list[str]:
    """Return the lines of a copied statement, its names replaced by what `name` says."""
    return copied_statement(copied.node, *_reads_writes(copied, _Style(name)))


def _reads_writes(copied: Opaque, style: _Style) -> tuple[dict[str, str], dict[str, str]]:
    reads = {name: _render(value, style)[0] for name, value in copied.reads}
    return reads, {name: _render(var, style)[0] for name, var in copied.writes}
