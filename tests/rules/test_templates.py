"""Every template, as its annotations say: matched, right in both modes, and harmless."""

from __future__ import annotations

import pytest

from s2sad.operators.rule import Rule
from s2sad.testing.rows import check_template
from tests.rules.spelled import COMPLEX_OF_REAL, plain_rules

# those of SciPy's functions: test_scipy_templates.py; of complex values: test_complex.py
RULES = [rule for rule in plain_rules() if not rule.file.startswith("scipy")]
RULES = [rule for rule in RULES if not any("complex" in words for words in rule.marks.values())]
RULES = [rule for rule in RULES if rule.file not in ("complex.py", "again_fft.py")]
RULES = [rule for rule in RULES if rule.name not in COMPLEX_OF_REAL]


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_template(rule: Rule) -> None:
    check_template(rule)
