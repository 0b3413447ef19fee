"""Every template, as its annotations say: each case becomes a function that the whole pipeline differentiates.

tanh(x), x of shape (4,)     ->     def f(x, seed): ...; return np.sum(seed * y)

A contributor writes no test: the samples come from the annotations of the parameters.
"""

from __future__ import annotations

import linecache
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, global_
from s2sad.ir.records import dataclass
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Number, Numeric
from s2sad.ir.walk import nodes, rebuilt
from s2sad.operators import printed
from s2sad.operators.find import Known, find
from s2sad.operators.match import Match
from s2sad.operators.modules import MISSING, PLAIN
from s2sad.operators.rule import Rule
from s2sad.testing.checks import check, numbers_in, primal
from s2sad.testing.evaluate import Values
from s2sad.testing.samples import Case, cases, check_words, given_cases

TEXT = """def {name}({params}, seed):
    y = {value}
    return {result}
"""


@dataclass(frozen=True)
class Sample:
    """A function of the operands of a case, whose result is a number, and its arguments."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: tuple[str, ...]
    source: str

    @property
    def places(self) -> list[int]:
        """Return the positions of the operands that are differentiated."""
        code = self.function.__code__
        return [code.co_varnames.index(name) for name in self.wrt]

    @property
    def asked(self) -> Any:
        """Return what the derivatives are with respect to: one name, or several."""
        return self.wrt if len(self.wrt) > 1 else self.wrt[0]

    def each(self, gradient: Any) -> Any:
        """Return the gradients of the operands, of one as of several."""
        return gradient if len(self.wrt) > 1 else (gradient,)

    @property
    def is_single(self) -> bool:
        """Tell whether single precision is involved."""
        return any(np.result_type(v) == "float32" for v in numbers_in(list(self.args)))


def samples(
    rule: Rule, spellings: int, settings: int, examples: tuple[tuple[Any, ...], ...] = ()
) -> Iterator[Sample]:
    """Yield functions for a few spellings of a rule, each with a few kinds of arguments."""
    for number, pattern in enumerate([p for p in rule.patterns if exists(p)][:spellings]):
        seen: set[str] = set()
        drawn = given_cases(rule, pattern, examples) if examples else cases(rule, pattern, True)
        for case in drawn:
            kind = str([_kind(value) for value in case.env.values()])
            small = any(np.size(part) == 0 for part in numbers_in(list(case.env.values())))
            if kind in seen or len(seen) >= settings or small or not case.env:
                continue
            value = _value(case)
            if value is not None:
                seen.add(kind)
                yield _sample(rule, case, value, f"{rule.name}_{number}_{len(seen)}")


def _kind(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_kind(part) for part in value]
    return type(value).__name__, np.shape(value), str(np.result_type(value))


def _value(case: Case) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = primal(case, case.values)
    numbers = numbers_in(value)
    usable = all(np.size(n) and np.result_type(n).kind == "f" for n in numbers)
    return value if numbers and usable and not isinstance(value, list | tuple) else None


def _sample(rule: Rule, case: Case, value: Any, name: str) -> Sample:
    expr, space = with_plain_names(case.expr)
    spelled = expression(expr)
    result = "np.sum(seed * y)" if isinstance(value, np.ndarray) else "seed * y"
    source = TEXT.format(name=name, params=", ".join(case.env), value=spelled, result=result)
    filename = f"<rule {rule.file}:{name}>"
    linecache.cache[filename] = len(source), None, source.splitlines(True), filename
    exec(compile(source, filename, "exec"), space)
    wrt = tuple(name for name in case.env if name in case.varying)
    wrt = tuple(name for name in wrt if name in rule.differentiable)
    return Sample(space[name], (*case.env.values(), _weight(value)), wrt, source)


def _weight(value: Any) -> Any:
    """Return what the parts of a result are multiplied with, so that they count differently."""
    if not isinstance(value, np.ndarray):
        return 0.7
    drawn = np.cos(1.0 + np.arange(value.size, dtype=float)).reshape(value.shape)
    return drawn.astype(value.dtype)


KNOWN = (*PLAIN, "scipy")


def exists(pattern: Expr) -> bool:
    """Tell whether a user can write it: this NumPy has it, and it is not a printed function."""
    values = [node.data.value for node in nodes(pattern) if node.op == "global"]
    return not any(value is MISSING or printed.name_of(value) for value in values)


def with_plain_names(expr: Expr) -> tuple[Expr, dict[str, Any]]:
    """Return an expression that calls functions of users by one word, and what its names mean."""
    space: dict[str, Any] = {**PLAIN, "scipy": sys.modules.get("scipy")}

    def plain(node: Expr) -> Expr | None:
        if node.op != "global" or node.data.text.split(".")[0] in KNOWN:
            return None
        name = node.data.text.rpartition(".")[2]
        space[name] = node.data.value
        return global_(name, node.data.value)

    return rebuilt(expr, plain), space


ENOUGH = 3  # calls that are tried of a second spelling
Examples = tuple[tuple[Any, ...], ...]


def check_template(rule: Rule, examples: Examples = ()) -> None:
    """Hold each spelling of a rule against its primal; AssertionError where it is wrong."""
    check_words(rule)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, pattern in enumerate(p for p in rule.patterns if exists(p)):
            _check_spelling(rule, pattern, i, examples)


def _check_spelling(rule: Rule, pattern: Expr, i: int, examples: Examples) -> None:
    own = 0
    for case in cases_of(rule, pattern, examples, thorough=i == 0):
        value = primal(case, case.values)
        if value is None:
            continue
        own += _check_case(rule, case, value, first=i == 0)
        if i and own == ENOUGH:
            break
    assert own, f"spelling {i + 1} never matched its own rule: {pattern}"


def cases_of(rule: Rule, pattern: Expr, examples: Examples, thorough: bool) -> Iterator[Case]:
    """Yield the calls that a spelling is tried with: the examples, or what is drawn."""
    yield from given_cases(rule, pattern, examples) if examples else cases(rule, pattern, thorough)


def _check_case(rule: Rule, case: Case, value: Any, first: bool) -> bool:
    """Check a call, with all known of it and with less; tell whether it was the rule's own."""
    values = Values(case.values)
    expr = values.typed(case.expr)
    known = Known(values.regions)
    matched = find(expr, known)
    assert matched is not None, f"no match: {case.expr} {case.label}"
    check(matched, case, value)
    blind: list[Match | None] = []
    if not is_list(case):  # what is known of less is brought to the dtype of its argument later
        hidden = expr if case.hidden is None else values.typed(case.hidden)
        blind = [find(hidden, known), find(of_any_rank(expr), known)]
        for match in blind if first else ():
            if match is not None:
                check(match, case, value, blind=True)
    return any(m is not None and m.rule is rule for m in (matched, *blind))


def is_list(case: Case) -> bool:
    """Tell whether an operand is a list: of those, rules have to know."""
    return any(isinstance(value, list | tuple) for value in case.env.values())


def of_any_rank(expr: Expr) -> Expr:
    """Return an operation of which nothing is known but that its operands are numbers or arrays."""

    def change(node: Expr) -> Expr | None:
        if node.op == "name" and isinstance(node.type, Array | Number):
            return node.typed(Numeric(node.type.dtype))
        return None

    return rebuilt(expr, change)
