"""Records are what `dataclasses` makes of the same classes."""

import copy
import dataclasses
import pickle

import pytest

from s2sad.ir import records
from s2sad.ir.records import dataclass, field, replace


def classes(dataclass, field):
    """Return the classes of a small library of records, made by one decorator or the other."""

    @dataclass(frozen=True, slots=True)
    class Point:
        x: float
        y: float = 2.0
        tags: list = field(default_factory=list, compare=False)
        seen: int = field(default=0, init=False, repr=False)

        def __post_init__(self):
            object.__setattr__(self, "seen", 7)

    @dataclass(frozen=True, slots=True)
    class Named(Point):
        name: str = "p"

    @dataclass
    class Open:
        held: dict = field(default_factory=dict)
        count: int = 1

    @dataclass(frozen=True, eq=False)
    class Alone:
        value: object = None

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @dataclass(frozen=True, slots=True)
    class Hashed:
        root: str

        def __hash__(self):
            return 5

    return Point, Named, Open, Alone, Empty, Hashed


OURS = classes(dataclass, field)
THEIRS = classes(dataclasses.dataclass, dataclasses.field)


def told(kinds):
    """Return what records are made of, printed, compared and hashed as."""
    point, named, open_, alone, empty, hashed = kinds
    p, q = point(1.0), point(1.0, tags=[3])
    yield repr(p), repr(named(1.0, 2.0, [], "q")), repr(open_()), repr(alone(3)), repr(empty())
    yield p == q, p != point(2.0), p == named(1.0), named(1.0) == named(1.0), p.seen, q.tags
    yield hash(p) == hash(q), hash(hashed("a")), empty() == empty(), hash(empty()) == hash(empty())
    yield open_() == open_({}), open_.__hash__, alone(1) == alone(1), p == 1.0
    yield point.__match_args__, named.__match_args__, open_.count, alone().value
    yield hasattr(p, "__dict__"), hasattr(open_(), "__dict__"), copy.deepcopy(q) == q
    nan = float("nan")
    yield hashed(nan) == hashed(nan), point.__qualname__.rpartition(".")[2]


def test_records_are_what_dataclasses_are():
    assert list(told(OURS)) == list(told(THEIRS))


@pytest.mark.parametrize("kinds", [OURS, THEIRS], ids=["ours", "theirs"])
def test_frozen_records_are_not_changed(kinds):
    for each in (kinds[0](1.0), kinds[3](1.0)):
        with pytest.raises(AttributeError):
            each.x = 2.0
        with pytest.raises(AttributeError):
            del each.x


def test_a_record_is_replaced_in_part():
    point = OURS[0](1.0, tags=[1])
    assert replace(point, y=3.0) == OURS[0](1.0, 3.0)
    assert replace(point, y=3.0).tags is point.tags
    with pytest.raises(TypeError):
        replace(point, z=1.0)


def test_factories_are_called_for_each_record():
    one, other = OURS[2](), OURS[2]()
    one.held["a"] = 1
    assert other.held == {}


@dataclass(frozen=True, slots=True)
class Kept:
    """A record that is pickled."""

    a: int
    b: tuple = ()


def test_records_are_pickled():
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))
    assert records.dataclass is dataclass
