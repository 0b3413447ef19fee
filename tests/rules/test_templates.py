"""Every template, as its annotations say: matched, right in both modes, and harmless.

A contributor writes no test: the samples come from the annotations of the parameters.
"""

from __future__ import annotations

import pytest
from rule_checks import check, primal
from rule_evaluate import known_in
from rule_samples import COMPLEX_OF_REAL, Case, cases, check_words

from s2sad.program import Expr, Ref, walk
from s2sad.rules import Match, find, load
from s2sad.templating import Rule

# those of SciPy's functions: test_scipy_templates.py; of complex values: test_complex.py
RULES = [rule for rule in load().every if not rule.file.startswith("scipy")]
RULES = [rule for rule in RULES if not any("complex" in words for words in rule.marks.values())]
RULES = [rule for rule in RULES if rule.file not in ("complex.py", "again_fft.py")]
RULES = [rule for rule in RULES if rule.name not in COMPLEX_OF_REAL]
ENOUGH = 3  # calls that are tried of a second spelling


def name_of(rule: Rule) -> str:
    return f"{rule.file.removesuffix('.py')}:{rule.name}"


def exists(pattern: Expr) -> bool:
    """Tell whether this NumPy has the function (`np.trapz` went, `np.trapezoid` came)."""
    return not any(isinstance(p, Ref) and type(p.value) is object for p in walk(pattern))


def is_list(case: Case) -> bool:
    """Tell whether an operand is a list: of those, rules have to know."""
    return any(isinstance(value, list | tuple) for value in case.env.values())


def blindly(case: Case) -> list[Match | None]:
    """Return what is found where nothing is known of the operands, nor perhaps of the options."""
    hidden = None if None in case.options.values() else find(case.hidden)
    return [find(case.expr), hidden]


@pytest.mark.parametrize("rule", RULES, ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_template(rule: Rule) -> None:
    check_words(rule)
    spellings = [pattern for pattern in rule.patterns if exists(pattern)]
    for i, pattern in enumerate(spellings):
        own = 0
        for case in cases(rule, pattern, thorough=i == 0):
            value = primal(case, case.values)
            if value is None:
                continue
            facts = known_in(case.values)
            matched = find(case.expr, facts)
            assert matched is not None, f"no match: {case.expr} {case.label}"
            check(matched, case, value)
            # the same with less known: of the options, of the operands, of both
            blind = [] if is_list(case) or i else blindly(case)
            for match in (*([] if i else [find(case.hidden, facts)]), *blind):
                if match is not None:
                    check(match, case, value, blind=match in blind)
            own += any(m is not None and m.rule is rule for m in (matched, *blind))
            if i and own == ENOUGH:
                break
        assert own, f"spelling {i + 1} never matched its own rule: {pattern}"
