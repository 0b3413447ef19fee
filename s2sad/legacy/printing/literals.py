"""Turns a Python value into the text of a literal.

1.5    -2    "text"    1j    np.inf    (1, 2)
"""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np

from s2sad.ir.errors import InternalError
from s2sad.legacy.printing.precedence import ARITH, FACTOR, PRIMARY


def literal(value: Any, numpy: str) -> tuple[str, int]:
    """Return the text of a literal and how tightly it binds."""
    if isinstance(value, np.generic):
        value = value.item()
    match value:
        case None | bool():
            return repr(value), PRIMARY
        case int() | float():
            return _real(value, numpy)
        case str() | bytes():
            return quoted(value), PRIMARY
        case complex():
            return _complex(value, numpy)
        case tuple():
            items = ", ".join(literal(each, numpy)[0] for each in value)
            return f"({items},)" if len(value) == 1 else f"({items})", PRIMARY
        case list():
            return "[" + ", ".join(literal(each, numpy)[0] for each in value) + "]", PRIMARY
        case _ if value is Ellipsis:
            return "...", PRIMARY
    raise InternalError(f"no literal for a {type(value).__name__}: {value!r}")


def _real(value: float, numpy: str) -> tuple[str, int]:
    negative = math.copysign(1.0, value) < 0 if isinstance(value, float) else value < 0
    if isinstance(value, float) and not math.isfinite(value):
        kind = "nan" if math.isnan(value) else "inf"
        plain = f"{numpy}.{kind}" if numpy else f'float("{kind}")'
        negative = negative and kind == "inf"
    else:
        plain = repr(abs(value)).replace("e+", "e")
    return (f"-{plain}", FACTOR) if negative else (plain, PRIMARY)


def _complex(value: complex, numpy: str) -> tuple[str, int]:
    real, imag = _real(value.real, numpy)[0], _real(value.imag, numpy)[0]
    if math.isfinite(value.real) and math.isfinite(value.imag):
        digits, sign = imag.lstrip("-").removesuffix(".0"), "-" if imag[0] == "-" else "+"
        alone = (f"{sign}{digits}j".lstrip("+"), FACTOR if sign == "-" else PRIMARY)
        for written, binds in (alone, (f"{real} {sign} {digits}j", ARITH)):
            if repr(ast.literal_eval(written)) == repr(value):
                return written, binds
    # a sum may lose the sign of a zero, or turn an infinity into nan
    return f"complex({real}, {imag})", PRIMARY


def quoted(value: str | bytes) -> str:
    """Return a string in double quotes where that needs no more escapes."""
    mark, _, rest = repr(value).partition("'")
    return f'{mark}"{rest[:-1]}"' if rest and '"' not in mark + rest else repr(value)
