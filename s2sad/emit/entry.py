"""What a text relies on, it asks: one test at its entry, with one message.

if (type(u), u.ndim, u.dtype.kind) != (np.ndarray, 1, "f") or u.shape[0] < 2:
    raise ValueError("made for float array u (n,), n >= 2")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from s2sad.emit.kinds import kind_check, list_checks, number_checks, plain_checks, position_checks
from s2sad.emit.request import Request
from s2sad.emit.seeds import seed_checks
from s2sad.ir.expression import Expr, negated
from s2sad.ir.program import Check, Program
from s2sad.ir.spelling import expression
from s2sad.types.plain import BOOL, NDARRAY, together

WIDTH = 80  # what `if` and `:` leave of a line


def entry_test(program: Program, request: Request) -> tuple[Expr, str] | None:
    """Return what is not assumed of the arguments, as one test, and the message that says so."""
    checks = [*asked_of_values(program, request), *seed_checks(program, request)]
    if not checks:
        return None
    tests = [each for check in checks for each in _parts(check.test)]
    wrong = [negated(each) for each in dict.fromkeys(tests)]
    long = [each for each in wrong if len(expression(each)) > WIDTH]
    if not long and len(wrong) == 2 and len(expression(_any(wrong))) > WIDTH:
        # two tests on several lines are hard to read: black breaks them within one
        many = [each for each in wrong if len(list(_one_by_one(each))) > 1][-1:]
        wrong = [part for e in wrong for part in (_first_apart(e) if e in many else [e])]
    wrong = [part for e in wrong for part in (_one_by_one(e) if e in long else [e])]
    test = _any(wrong)
    told = dict.fromkeys(check.message.removeprefix("made for ") for check in checks)
    return test, f"made for {', '.join(told)}"


def asked_of_values(program: Program, request: Request) -> Iterator[Check]:
    """Yield what a text asks of the function's own arguments."""
    yield from plain_checks(program, request)
    yield from program.checks
    yield from number_checks(program, request)
    yield from list_checks(program, request)
    yield from kind_check(program, request)
    yield from position_checks(program, request)


def message_of(program: Program, request: Request) -> str:
    """Return the message of the text's one check, by which its ValueError is known; "" without."""
    asked = entry_test(program, request)
    return "" if asked is None else asked[1]


def _parts(test: Expr) -> Sequence[Expr]:
    return [part for arg in test.args for part in _parts(arg)] if test.op == "and" else [test]


def _any(tests: Sequence[Expr]) -> Expr:
    return tests[0] if len(tests) == 1 else Expr("or", tuple(tests), None, BOOL)


def _first_apart(test: Expr) -> Iterator[Expr]:
    """Yield the test of the first part of a tuple, and that of the others."""
    (first, *_), (left, right) = _one_by_one(test), test.args
    yield first
    yield negated(together(list(zip(left.args[1:], right.args[1:], strict=True))))


def _one_by_one(test: Expr) -> Iterator[Expr]:
    """Yield the tests of the parts of a tuple: u.ndim != 1, w.ndim != 2."""
    left, right = test.args if test.op == "compare" and test.data == ("!=",) else (test, test)
    if left.op != "tuple" or right.op != "tuple" or len(left.args) != len(right.args):
        yield test
        return
    for one, other in zip(left.args, right.args, strict=True):
        yield Expr("compare", (one, other), ("is not" if other == NDARRAY else "!=",), BOOL)
