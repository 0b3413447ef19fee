"""What a text relies on, it asks: one test at its entry, with one message.

if type(u) is not np.ndarray or (u.ndim, u.dtype.kind) != (1, "f") or u.shape[0] < 2:
    raise ValueError("made for float array u (n,), n >= 2")
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import Parameter, Signature
from types import BuiltinFunctionType, FunctionType, ModuleType

import numpy as np

from s2sad.emit.constants import constant_text, named_tuple_text
from s2sad.emit.header import Header
from s2sad.emit.kinds import index_checks, list_checks, number_checks, plain_checks, position_checks
from s2sad.emit.request import Request
from s2sad.emit.seeds import seed_checks
from s2sad.ir.expression import Expr, Global, Role, Variable, negated
from s2sad.ir.program import Check, Function, Program
from s2sad.ir.spelling import expression
from s2sad.ir.types import Reference, Tuple
from s2sad.source import Source
from s2sad.source.read import signature_of
from s2sad.types.plain import BOOL, NDARRAY, any_of, are_plain, tuple_of
from s2sad.types.structure import is_public, name_of_code, written_member

WIDTH = 80  # what `if` and `:` leave of a line
CODE = (FunctionType, BuiltinFunctionType, ModuleType, np.ufunc, type(np.linalg.norm))


def entry_test(program: Program, request: Request) -> tuple[Expr, str] | None:
    """Return what is not assumed of the arguments, as one test, and the message that says so."""
    checks = [*asked_of_values(program, request), *seed_checks(program, request)]
    if not checks:
        return None
    tests = [each for check in checks for each in _parts(check.test)]
    wrong = [negated(each) for each in _with_classes_first(list(dict.fromkeys(tests)))]
    wrong = [part for each in wrong for part in _fitting(each)]
    if len(wrong) == 2 and len(expression(any_of(wrong))) > WIDTH:
        # two tests on several lines are hard to read: black breaks them within one
        many = [each for each in wrong if len(list(_one_by_one(each))) > 1][-1:]
        wrong = [part for e in wrong for part in (_one_by_one(e) if e in many else [e])]
    test = any_of(wrong)
    told = dict.fromkeys(check.message.removeprefix("made for ") for check in checks)
    return test, f"made for {', '.join(told)}"


def asked_of_values(program: Program, request: Request) -> Iterator[Check]:
    """Yield what a text asks of the function's own arguments; of the function itself what it checks."""
    if request.mode == "primal":
        yield from program.checks
        return
    plain = [*plain_checks(program, request), *index_checks(program)]
    holds = any(isinstance(p.type, Reference | Tuple) for p in program.function.parameters)
    # what is asked of parts is asked of what has them
    yield from (*program.checks, *plain) if holds else (*plain, *program.checks)
    yield from number_checks(program, request)
    yield from list_checks(program, request)
    yield from position_checks(program, request)


def message_of(program: Program, request: Request) -> str:
    """Return the message of the text's one check, by which its ValueError is known; "" without."""
    asked = entry_test(program, request)
    return "" if asked is None else asked[1]


def _parts(test: Expr) -> Sequence[Expr]:
    return [part for arg in test.args for part in _parts(arg)] if test.op == "and" else [test]


def _with_classes_first(tests: list[Expr]) -> list[Expr]:
    """Return tests with those of the classes of arguments as one: type(u) is type(v) is np.ndarray."""
    of_names = [each for each in tests if _asks_for_classes(each)]
    if len(of_names) < 2:
        return tests
    together: list[Expr] = []
    group: list[Expr] = []
    for array in (kind.args[1] for each in of_names for kind in each.args[:-1]):
        (test,) = are_plain([*group, array])
        if group and len(expression(test)) > WIDTH - len("not "):
            together += are_plain(group)
            group = []
        group.append(array)
    together += are_plain(group)
    return [*together, *(each for each in tests if each not in of_names)]


def _asks_for_classes(test: Expr) -> bool:
    """Tell whether a test asks whether arguments are plain arrays, and not what they hold."""
    if test.op != "compare" or test.args[-1] != NDARRAY:
        return False
    return all(kind.op == "call" and kind.args[1].op == "name" for kind in test.args[:-1])


def _fitting(test: Expr) -> Iterator[Expr]:
    """Yield a test of tuples as several that fit on a line, each of as many parts as do."""
    if len(expression(test)) <= WIDTH:
        yield test
        return
    group: list[Expr] = []
    for part in _one_by_one(test):
        if group and len(expression(_of_all([*group, part]))) > WIDTH:
            yield _of_all(group)
            group = []
        group.append(part)
    yield _of_all(group)


def _of_all(tests: list[Expr]) -> Expr:
    """Return tests of parts as one of tuples: (u.ndim, w.ndim) != (1, 2)."""
    if len(tests) == 1:
        return tests[0]
    sides = (tuple_of(side) for side in zip(*(test.args for test in tests), strict=True))
    return Expr("compare", tuple(sides), ("!=",), BOOL)


def _one_by_one(test: Expr) -> Iterator[Expr]:
    """Yield the tests of the parts of a tuple: u.ndim != 1, w.ndim != 2."""
    left, right = test.args if test.op == "compare" and test.data == ("!=",) else (test, test)
    if left.op != "tuple" or right.op != "tuple" or len(left.args) != len(right.args):
        yield test
        return
    for one, other in zip(left.args, right.args, strict=True):
        yield Expr("compare", (one, other), ("!=",), BOOL)


# ---------------------------------------------------------------------------- signature


def parameters(
    function: Function, source: Source, header: Header, names: Mapping[Variable, str]
) -> str:
    """Return the parameter list of a derivative.

    What is no parameter of the user's follows what is given by position, or comes last, by name,
    where that may be left out: a seed, tangents.
    """
    own = signature_of(source.function).parameters
    primal = [p.variable for p in function.parameters if p.variable.role is Role.PRIMAL]
    added = [names[p.variable] for p in function.parameters if p.variable not in primal]
    wanted = {v.name: names[v] for v in primal}
    shown = [_as_written(each, header) for name, each in own.items() if name in wanted]
    last = [called for name, called in wanted.items() if name not in own] + added
    return str(with_more(shown, last))[1:-1]


def with_more(own: Sequence[Parameter], names: Iterable[str]) -> Signature:
    """Return a signature with more parameters: by name alone where those before may be left out."""
    positional = [p for p in own if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = [p for p in own if p not in positional]
    last = [p for p in rest if p.kind is p.VAR_KEYWORD]
    by_name = any(p.default is not p.empty for p in positional)
    if not by_name and all(p.kind is not p.VAR_POSITIONAL for p in rest):
        more = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        return Signature([*positional, *more, *rest])
    more = [Parameter(name, Parameter.KEYWORD_ONLY) for name in names]
    return Signature([*positional, *(p for p in rest if p not in last), *more, *last])


class _Written(str):
    """The text of a default, which a signature shows as it stands."""

    __repr__ = str.__str__


def _as_written(parameter: Parameter, header: Header) -> Parameter:
    """Return a parameter with the text of its default, and without an annotation."""
    given = parameter.default is not parameter.empty
    default = _Written(_default(parameter, header)) if given else parameter.empty
    return Parameter(parameter.name, parameter.kind, default=default)


def _default(parameter: Parameter, header: Header) -> str:
    text = constant_text(parameter.default)
    if isinstance(parameter.default, CODE):
        if is_public(parameter.default):
            return header.text_of(Global(parameter.default.__name__, parameter.default))
        text = constant_text(name_of_code(parameter.default))  # which the entry takes for it
    if (member := written_member(parameter.default)) is not None:
        text = constant_text(member)  # likewise
    if text is None:
        text = named_tuple_text(parameter.default)
        return header.constant(f"{parameter.name}_default", parameter.default, text)
    header.use(text)
    return text
