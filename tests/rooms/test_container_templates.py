"""The templates of containers do what lists and dicts of Python do."""

from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parent.parent.parent / "templates" / "containers.py"
TEMPLATES = {}
exec(FILE.read_text(encoding="utf-8"), TEMPLATES)
ITEMS = [1.0, 2.0, 3.0, 4.0, 5.0]
BOUNDS = (0, 2, 4, 9, -1, -3, -9)


def changed(template, *args):
    xs = list(ITEMS)
    TEMPLATES[template](xs, *args)
    return xs


@pytest.mark.parametrize("low", BOUNDS)
@pytest.mark.parametrize("high", BOUNDS)
def test_a_slice_is_replaced_as_by_a_list(low, high):
    wanted = list(ITEMS)
    wanted[low:high] = [8.0, 9.0]
    assert changed("cut_in_order", low, high, [8.0, 9.0]) == wanted


@pytest.mark.parametrize("steps", [slice(None, None, 2), slice(4, 0, -2), slice(-1, None, -3)])
def test_a_slice_with_a_step_is_replaced_as_by_a_list(steps):
    wanted = list(ITEMS)
    items = [10.0 + k for k in range(len(wanted[steps]))]
    wanted[steps] = items
    assert changed("put_in_steps", steps, items) == wanted


@pytest.mark.parametrize("place", [0, 2, 4, -1, -5])
def test_items_are_taken_out_and_put_in_as_by_a_list(place):
    wanted = list(ITEMS)
    wanted.pop(place)
    assert changed("pop", place) == wanted
    for beyond in (place, place + 9, place - 9):
        wanted = list(ITEMS)
        wanted.insert(beyond, 7.0)
        assert changed("insert", beyond, 7.0) == wanted


def test_lists_grow_and_shrink_as_lists_do():
    assert changed("extend", [6.0]) == [*ITEMS, 6.0]
    assert changed("repeat", 3) == ITEMS * 3
    assert changed("repeat", 0) == changed("repeat", -1) == []
    assert changed("remove", 3.0) == [1.0, 2.0, 4.0, 5.0]


def test_dicts_change_as_dicts_do():
    d = {"a": 1.0, "b": 2.0}
    TEMPLATES["update"](d, {"b": 3.0, "c": 4.0})
    assert d == {"a": 1.0, "b": 3.0, "c": 4.0}
    TEMPLATES["setdefault"](d, "a", 9.0)
    TEMPLATES["setdefault"](d, "z", 9.0)
    TEMPLATES["pop_key_or"](d, "no", 0.0)
    TEMPLATES["pop_key"](d, "b")
    assert d == {"a": 1.0, "c": 4.0, "z": 9.0}
    TEMPLATES["popitem"](d)
    assert d == {"a": 1.0, "c": 4.0}
