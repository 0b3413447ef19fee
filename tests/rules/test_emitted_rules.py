"""Every template through the whole pipeline: gradients without and with example arguments,
their dtypes, and derivatives of the gradients in both modes."""

from __future__ import annotations

import zlib

import pytest

from s2sad.ir.errors import S2sadError
from s2sad.operators.rule import Rule
from s2sad.testing.gradients import check_gradient, check_second_order
from tests.rules.spelled import COMPLEX_OF_REAL, plain_rules

RULES = [
    rule for rule in plain_rules() if not rule.is_constant and not rule.file.startswith("again")
]
RULES = [rule for rule in RULES if rule.name not in COMPLEX_OF_REAL]
# what a generator draws is another number each time: surface.py seeds it in the program
RULES = [rule for rule in RULES if not rule.file.startswith(("scipy", "random", "complex"))]
RULES = [rule for rule in RULES if not any("complex" in words for words in rule.marks.values())]


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_gradient(rule: Rule) -> None:
    check_gradient(rule)


SECOND = [rule for rule in RULES if rule.file != "lists.py"]


# what the derivative of a gradient is refused of: shapes that the text computes
REFUSED = frozenset({"products:kron"})


def mode_of(rule: Rule) -> str:
    """Return in which mode the gradient of a rule is differentiated: half of them in each."""
    return "forward" if zlib.crc32(name_of(rule).encode()) % 2 else "reverse"


@pytest.mark.parametrize(
    ("rule", "mode"),
    [pytest.param(rule, mode_of(rule), id=f"{name_of(rule)}-{mode_of(rule)}") for rule in SECOND],
)
def test_second_order(rule: Rule, mode: str) -> None:
    if name_of(rule) not in REFUSED:
        check_second_order(rule, mode)
        return
    with pytest.raises(S2sadError):
        check_second_order(rule, mode)
