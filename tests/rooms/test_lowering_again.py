"""Memory of a lowering that begins again: what was found stays, and functions are those made anew."""

import gast

from s2sad.ir.types import UNKNOWN, Code, Type
from s2sad.lowering.memory import Memory
from s2sad.lowering.values import Closure

SPRING, DAMPER = (gast.parse(f"def {name}(x):\n    return x").body[0] for name in ("k", "c"))


def stored(*lowerings: tuple[object, ...]) -> Type:
    """Return the type of a field in which each lowering stores functions."""
    memory = Memory(lambda a, b: None)
    for lowering in lowerings:
        memory.begin()
        made = memory.make("body", "fields", object)
        for node in lowering:
            memory.store(made, "law", Code(Closure(node, None, {}, "law", "model.py")), None)
    held = memory.read(made, "law")
    assert held is not None
    return held.type


def test_a_function_in_a_field_is_known_in_a_lowering_that_begins_again() -> None:
    found = stored((SPRING,), (SPRING,), (SPRING,))
    assert isinstance(found, Code) and found.value.node is SPRING


def test_one_of_two_functions_is_not_known() -> None:
    assert stored((SPRING, DAMPER)) == stored((SPRING,), (DAMPER,)) == UNKNOWN
