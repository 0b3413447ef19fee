"""A function of SciPy's that has no short rule is differentiated as a twin in Python, printed.

    integrate.simpson(u, x)    ->    _simpson(u, x, 1.0, -1)

A twin gives the same numbers up to rounding, and is read as a function of the user's is; the
call itself stays SciPy's.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.legacy.filling import Match
from s2sad.legacy.program import Call, Expr, Ref
from s2sad.legacy.rules import Candidate, Rules, fitting, grouped_rules, matched, rules_of
from s2sad.legacy.spelt import as_rules_spell
from s2sad.legacy.templating import printed_source, printed_uses, template_texts
from s2sad.source.files import run_text
from s2sad.source.optional import loaded

FILES = "twins"  # what the names of the files of these templates start with
Ask = Callable[[Expr], Any]


def twin_of(call: Call, fact: Ask) -> Call:
    """Return the call of a function's twin; the call itself if it has none."""
    for spelt in (call, as_rules_spell(call, fact)):
        for candidate in _candidates(call, loaded()):
            found = matched(candidate, spelt, fact)
            if found is not None:
                return _filled(found)
    return call


def has_twin(value: Expr, fact: Ask) -> bool:
    """Tell whether an operation is one of a function with a twin, given what that takes."""
    return isinstance(value, Call) and twin_of(value, fact) is not value


def may_have_twin(value: Expr) -> bool:
    """Tell whether a function has a twin, though perhaps not for these operands."""
    return isinstance(value, Call) and bool(_candidates(value, loaded()))


def _candidates(call: Call, modules: tuple[str, ...]) -> tuple[Candidate, ...]:
    return fitting(_twins(modules).by_head, call)


@cache
def _twins(modules: tuple[str, ...]) -> Rules:
    files = [file for file in template_texts() if file.startswith(FILES)]
    return grouped_rules(tuple(rule for file in files for rule in rules_of(file, modules)))


def _filled(found: Match) -> Call:
    made = found.line("twin")
    assert isinstance(made, Call) and isinstance(made.func, Ref)
    return Call(Ref(made.func.text, printed_function(made.func.text)), made.args)


@cache
def printed_function(name: str) -> FunctionType:
    """Return a printed function as one that runs, and whose source can be read."""
    source = printed_source(name)
    filename = f"<s2sad {name}>"
    space: dict[str, Any] = {"np": np, "math": math, "scipy": sys.modules.get("scipy")}
    space |= {used: printed_function(used) for used in printed_uses(name) if used != name}
    run_text(source, filename, space)
    made: FunctionType = space[name]
    return made
