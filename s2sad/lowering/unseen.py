"""Builtins that read names which the text does not show: what they read would have no derivative.

y = eval("x * x")      refused, also where nothing of it varies: nobody can tell
"""

from __future__ import annotations

from typing import Any

from s2sad.ir.errors import Unsupported
from s2sad.lowering.machine import Machine

READ_NAMES = (eval, exec, locals, globals, vars)


def refuse_unseen_reads(m: Machine, obj: Any, is_given: bool = False) -> None:
    """Refuse a builtin that reads names by their texts; vars(obj) of what it `is_given` is none."""
    if any(obj is each for each in READ_NAMES) and not (obj is vars and is_given):
        raise Unsupported(
            f"{obj.__name__} reads names that the text does not show",
            m.span,
            "Write out what it computes.",
        )
