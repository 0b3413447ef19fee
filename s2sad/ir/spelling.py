"""An expression as one line of Python, spaced as black spaces it, with the least parentheses.

binary "*" (constant 0.5, name x_bar)                              0.5 * x_bar
binary "**" (subscript (name r, name i), constant 2)               r[i] ** 2
subscript (name u, slice (binary "+" (i, 1), None, None))          u[i + 1 :]
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from s2sad.ir.expression import Expr, Pattern, Variable

Names = Mapping[Variable, str]
# the text of an operand, in parentheses where it binds less tightly than asked
Inside = Callable[[Expr, int], str]

# how tightly an operator binds, as in Python's reference
LAMBDA, CONDITIONAL, OR, AND, NOT, COMPARE = range(6)
BITOR, BITXOR, BITAND, SHIFT, SUM, PRODUCT, SIGN, POWER, ATOM = range(6, 15)
BINARY = {
    "|": BITOR,
    "^": BITXOR,
    "&": BITAND,
    "<<": SHIFT,
    ">>": SHIFT,
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "/": PRODUCT,
    "//": PRODUCT,
    "%": PRODUCT,
    "@": PRODUCT,
    "**": POWER,
}


def expression(expr: Expr, names: Names | None = None) -> str:
    """Return an expression as Python; `names` says what variables are called."""
    return printed(expr, names or {})[0]


def pattern_text(pattern: Pattern, names: Names | None = None) -> str:
    """Return a target as Python."""
    names = names or {}
    match pattern:
        case Variable():
            return names.get(pattern, str(pattern))
        case tuple():
            parts = [pattern_text(p, names) for p in pattern]
            inner = ", ".join(
                f"({t})" if isinstance(p, tuple) and len(p) > 1 else t
                for p, t in zip(pattern, parts, strict=True)
            )
            return f"({inner},)" if len(parts) == 1 else inner or "()"
    return "_"


def printed(expr: Expr, names: Names) -> tuple[str, int]:
    """Return the text of an expression and how tightly it binds."""

    def inside(arg: Expr, least: int) -> str:
        found, binds = printed(arg, names)
        return found if binds >= least else f"({found})"

    args = expr.args
    match expr.op:
        case "constant":
            return literal(expr.data)
        case "name":
            return names.get(expr.data, str(expr.data)), ATOM
        case "global":
            return expr.data.text, ATOM
        case "function":
            return expr.data, ATOM
        case "subscript":
            return f"{inside(args[0], ATOM)}[{_index(args[1], inside)}]", ATOM
        case "attribute":
            base = inside(args[0], ATOM)
            return f"({base}).{expr.data}" if base.isdigit() else f"{base}.{expr.data}", ATOM
        case "slice":
            parts = expr.args[:2] if is_none(expr.args[2]) else expr.args
            return f"slice({', '.join(inside(arg, LAMBDA) for arg in parts)})", ATOM
        case "call":
            return f"{inside(args[0], ATOM)}({', '.join(_arguments(expr, inside))})", ATOM
        case "comprehension":
            return _comprehension(expr, inside, names), ATOM
        case "unary" | "binary" | "compare" | "and" | "or" | "conditional":
            return _operation(expr, inside)
    return _display(expr, inside)


# ---------------------------------------------------------------------------- operators


def _operation(expr: Expr, inside: Inside) -> tuple[str, int]:
    args = expr.args
    match expr.op:
        case "unary":
            return _unary(expr, inside)
        case "binary":
            return _binary(expr, inside)
        case "compare":
            parts = [inside(args[0], BITOR)]
            for symbol, arg in zip(expr.data, args[1:], strict=True):
                parts += [symbol, inside(arg, BITOR)]
            return " ".join(parts), COMPARE
        case "conditional":
            test, value = inside(args[0], OR), inside(args[1], OR)
            return f"{value} if {test} else {inside(args[2], CONDITIONAL)}", CONDITIONAL
    binds = AND if expr.op == "and" else OR
    return f" {expr.op} ".join(inside(arg, binds + 1) for arg in args), binds


def _unary(expr: Expr, inside: Inside) -> tuple[str, int]:
    operand = expr.args[0]
    if expr.data == "not":
        return "not " + inside(operand, NOT), NOT
    # black writes -(x**2)
    is_power = operand.op == "binary" and operand.data == "**"
    return expr.data + inside(operand, ATOM if is_power else SIGN), SIGN


def _binary(expr: Expr, inside: Inside) -> tuple[str, int]:
    binds = BINARY[expr.data]
    if binds == POWER:
        return _power(expr, inside), POWER
    # a sum of a thousand terms is a thousand deep on the left: walk it
    tail: list[str] = []
    left = expr
    while left.op == "binary" and BINARY[left.data] == binds:
        tail.append(f"{left.data} {inside(left.args[1], binds + 1)}")
        left = left.args[0]
    return " ".join([inside(left, binds), *reversed(tail)]), binds


def _power(expr: Expr, inside: Inside) -> str:
    base, exponent = expr.args
    left, right = inside(base, ATOM), inside(exponent, SIGN)
    plain = exponent.args[0] if exponent.op == "unary" else exponent
    hugs = not left.startswith("(") and _is_simple(base) and _is_simple(plain)
    return f"{left}**{right}" if hugs else f"{left} ** {right}"


def _is_simple(operand: Expr) -> bool:
    """Tell whether black leaves no space around `**` beside this operand."""
    if operand.op == "constant":
        return isinstance(operand.data, int | float | complex)
    while operand.op == "attribute":
        operand = operand.args[0]
    return operand.op in ("name", "global", "function")


# ---------------------------------------------------------------------------- subscripts, calls


def _index(index: Expr, inside: Inside) -> str:
    if index.op != "tuple" or not index.args:
        return _part(index, inside)
    inner = ", ".join(_part(arg, inside) for arg in index.args)
    # A[*i] is a tuple without a comma
    alone = len(index.args) == 1 and index.args[0].op != "starred"
    return inner + ("," if alone else "")


def _part(part: Expr, inside: Inside) -> str:
    return _slice(part, inside) if part.op == "slice" else inside(part, LAMBDA)


def _slice(expr: Expr, inside: Inside) -> str:
    """Return a slice as it stands in a subscript."""
    lower, upper, step = ["" if is_none(arg) else inside(arg, LAMBDA + 1) for arg in expr.args]
    if all(_is_plain_bound(arg) for arg in expr.args):
        return f"{lower}:{upper}" + (f":{step}" if step else "")
    written = f"{lower} :" if lower else ":"
    written += f" {upper}" if upper else ""
    if step:
        written += (" : " if upper else ": ") + step
    return written


def is_none(expr: Expr) -> bool:
    """Tell whether an expression is None as it is written."""
    return expr.op == "constant" and expr.data is None


def _is_plain_bound(bound: Expr) -> bool:
    """Tell whether black leaves no space around a colon beside this bound."""
    while bound.op == "unary" and bound.data != "not":
        bound = bound.args[0]
    if bound.op == "constant":
        return not (isinstance(bound.data, float) and not math.isfinite(bound.data))
    return bound.op == "name" or (bound.op == "global" and bound.data.text.isidentifier())


def _arguments(expr: Expr, inside: Inside) -> Iterator[str]:
    first = len(expr.args) - len(expr.data)
    plain = expr.args[1:first]
    for arg in plain:
        bare = arg.op == "comprehension" and arg.data == "generator" and len(expr.args) == 2
        text = inside(arg, LAMBDA)
        yield text[1:-1] if bare else text
    for key, arg in zip(expr.data, expr.args[first:], strict=True):
        yield f"{key}={inside(arg, LAMBDA)}"


# ---------------------------------------------------------------------------- displays


def _display(expr: Expr, inside: Inside) -> tuple[str, int]:
    args = expr.args
    match expr.op:
        case "tuple" | "list" | "set" | "dict":
            return _brackets(expr, ", ".join(inside(arg, LAMBDA) for arg in args)), ATOM
        case "item":
            return f"{inside(args[0], LAMBDA)}: {inside(args[1], LAMBDA)}", LAMBDA
        case "starred":
            return expr.data + inside(args[0], BITOR), LAMBDA
        case "record":
            fields = ", ".join(
                f"{n}={inside(a, LAMBDA)}" for n, a in zip(expr.data.names, args, strict=True)
            )
            return f"SimpleNamespace({fields})", ATOM
        case "formatted":
            return _formatted(expr, inside), ATOM
        case "field":  # which is told alone
            return _formatted(Expr("formatted", (expr,)), inside), ATOM
        case "copied":
            return expr.data.format(*(inside(arg, ATOM) for arg in args)), LAMBDA
    raise ValueError(f"no expression: {expr.op}")


def _brackets(expr: Expr, inner: str) -> str:
    match expr.op:
        case "tuple":
            return f"({inner}{',' if len(expr.args) == 1 else ''})"
        case "list":
            return f"[{inner}]"
        case "set" if not expr.args:
            return "set()"
    return f"{{{inner}}}"


def _comprehension(expr: Expr, inside: Inside, names: Names) -> str:
    parts = [inside(expr.args[0], LAMBDA)]
    for generator in expr.args[1:]:
        target = pattern_text(generator.data, names)
        parts.append(f"for {target} in {inside(generator.args[0], OR)}")
        parts += [f"if {inside(test, OR)}" for test in generator.args[1:]]
    start, end = tuple({"list": "[]", "set": "{}", "dict": "{}", "generator": "()"}[expr.data])
    return start + " ".join(parts) + end


def _formatted(expr: Expr, inside: Inside) -> str:
    mark, body = _formatted_body(expr, inside)
    return f"f{mark}{body}{mark}"


def _formatted_body(expr: Expr, inside: Inside) -> tuple[str, str]:
    """Return the quotes of an f-string and what stands between them."""
    made = [(_formatted_part(part, inside), part.op == "constant") for part in expr.args]
    plain = "".join(text for text, is_text in made if is_text)
    values = "".join(text for text, is_text in made if not is_text)
    marks = [mark for mark in ('"', "'") if mark not in values] or ['"""']
    mark = min(marks, key=plain.count)  # what needs the fewest escapes
    parts = (text.replace(mark, f"\\{mark}") if is_text else text for text, is_text in made)
    return mark, "".join(parts)


def _formatted_part(part: Expr, inside: Inside) -> str:
    if part.op == "constant":
        return escaped(part.data).replace("{", "{{").replace("}", "}}")
    conversion = f"!{part.data}" if part.data else ""
    format_ = ":" + _formatted_body(part.args[1], inside)[1] if len(part.args) > 1 else ""
    value = inside(part.args[0], OR)
    space = " " if value.startswith("{") else ""
    return f"{{{space}{value}{conversion}{format_}}}"


# ---------------------------------------------------------------------------- literals


def literal(value: Any) -> tuple[str, int]:
    """Return a literal and how tightly it binds; infinities and nan are NumPy's."""
    if value is Ellipsis:
        return "...", ATOM
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            return "np.nan", ATOM
        return ("np.inf", ATOM) if value > 0 else ("-np.inf", SIGN)
    if isinstance(value, complex):
        return _complex(value)
    if isinstance(value, str | bytes):
        return quoted(value), ATOM
    if isinstance(value, tuple | list):
        inner = ", ".join(literal(each)[0] for each in value)
        if isinstance(value, list):
            return f"[{inner}]", ATOM
        return f"({inner}{',' if len(value) == 1 else ''})", ATOM
    text = repr(value)
    return text, SIGN if text.startswith("-") else ATOM


def _complex(value: complex) -> tuple[str, int]:
    """Return a complex number: 2j, or 1.0 + 2j where that is exact."""
    real, imag = literal(value.real)[0], literal(value.imag)[0]
    if not cmath.isfinite(value):
        return f"complex({real}, {imag})", ATOM
    digits, sign = imag.lstrip("-").removesuffix(".0"), "-" if imag[0] == "-" else "+"
    if math.copysign(1.0, value.real) > 0 and value.real == 0.0 and sign == "+":
        return f"{digits}j", ATOM
    # a sum may lose the sign of a zero
    if value.real != 0.0 and value.imag != 0.0:
        return f"{real} {sign} {digits}j", SUM
    return f"complex({real}, {imag})", ATOM


def quoted(value: str | bytes) -> str:
    """Return a string in the quotes that need the fewest escapes: double ones, if both do."""
    if isinstance(value, bytes):
        body = escaped(value.decode("latin-1"), ascii_only=True)
    else:
        body = escaped(value)
    mark = min(('"', "'"), key=body.count)
    prefix = "b" if isinstance(value, bytes) else ""
    return f"{prefix}{mark}{body.replace(mark, chr(92) + mark)}{mark}"


def escaped(text: str, ascii_only: bool = False) -> str:
    """Return a text with escapes for all that cannot be printed, but for quotes."""
    return "".join(_escape(char, ascii_only) for char in text)


def _escape(char: str, ascii_only: bool) -> str:
    if char == "\\":
        return "\\\\"
    if char.isprintable() and (char.isascii() or not ascii_only):
        return char
    if ascii_only and ord(char) > 126:
        return f"\\x{ord(char):02x}"
    return repr(char)[1:-1]


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a sentence lists them: x, y and z."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
