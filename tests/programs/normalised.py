"""The programs that the first core reads without examples, for tests of what it does inside."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from s2sad.ir.errors import S2sadError
from s2sad.legacy.normalise import normalise
from tests.programs.entry import Entry
from tests.programs.table import ALL


def once() -> Iterator[Entry]:
    """Yield one row for each function of the tables."""
    seen = set()
    for entry in ALL:
        if entry.function not in seen:
            seen.add(entry.function)
            yield entry


def has_stages(entry: Entry) -> bool:
    """Tell whether a program that may be refused is not refused as it is read."""
    try:
        normalise(entry.function)
    except S2sadError:
        return not entry.may_refuse
    return True


def read_by(function: Any) -> Iterator[Any]:
    """Yield what a function, and the functions that it reads, read of their module."""
    space, codes, seen = function.__globals__, [function.__code__], {function.__code__}
    while codes:
        code = codes.pop()
        values = [space[name] for name in code.co_names if name in space]
        yield from values
        inner = [each for each in code.co_consts if isinstance(each, CodeType)]
        called = [value.__code__ for value in values if of_the_module(value, space)]
        codes += [each for each in (*inner, *called) if each not in seen]
        seen.update(codes)


def of_the_module(value: Any, space: dict[str, Any]) -> bool:
    return isinstance(value, FunctionType) and value.__globals__ is space


def holds_no_text(entry: Entry) -> bool:
    """Tell whether a function reads a class of its module, or a wrapped function."""
    return any(
        isinstance(value, type) or hasattr(value, "__wrapped__")
        for value in read_by(entry.function)
    )


# a table of functions, a class or a wrapper with a memory is in no text; what has these is
# refused later, and what is raveled or added to itself is taken to be a number without examples
NO_TEXT = frozenset(
    "from_a_table calls_counted looked_up looked_up_later looked_up_by_texts looked_up_among_lambdas "
    "same_array_again asked_twice of_a_while_left_early without_end "
    "deviation_of_two raveled_in_a_while written_in_a_tuple added_to_itself_twice "
    "cached_reads_through_another written_through_a_second_dict between best_of_a_table "
    "by_choice an_argument settings_by_default other_made_later".split()
)
EVERY = tuple(
    entry
    for entry in once()
    if entry.function.__name__ not in NO_TEXT and has_stages(entry) and not holds_no_text(entry)
)
LABELS = [entry.label for entry in EVERY]
