"""What the slots of a function hold at one place of its text, while it is lowered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from s2sad.legacy.links import Answers, Asked, Link, Links, Question
from s2sad.legacy.program import Const, Expr, Var
from s2sad.legacy.statics.kinds import Record, Statics


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a dict or the places of a tuple that is an argument, and those of its parts."""

    items: tuple[tuple[Any, Keys | None], ...]
    of_dict: bool = False


@dataclass
class Held:
    """What every slot holds at one place of the text, and which of them are one object.

    A function and those that are lowered into it share it.
    """

    values: dict[str, Var] = field(default_factory=dict)
    links: Links = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)
    asked: dict[Question, Asked] = field(default_factory=dict)
    # of one question all that are asked: they stand at different places of the text
    asked_of_ways: list[Asked] = field(default_factory=list)
    # tests of branches that were lowered, both sides of them
    tests: list[Asked] = field(default_factory=list)
    # links that a branch makes or not, depending on what held when the pass began
    wished: dict[str, Link] = field(default_factory=dict)
    # names of the flags that say whether links hold
    flags: dict[tuple[str, str, Expr | None], str] = field(default_factory=dict)
    statics: Statics = field(default_factory=dict)
    # the records that names hold at the start of the passes of the loops around
    joints: dict[str, Record] = field(default_factory=dict)
    # values that are functions, or partials of them, whoever names them
    functions: dict[Var, Expr] = field(default_factory=dict)
    constants: dict[Var, Const] = field(default_factory=dict)
    # values that are objects outside of the function, such as MODEL.layers[0]
    objects: dict[Var, Any] = field(default_factory=dict)
    # what displays hold
    displays: dict[Var, tuple[Expr, ...]] = field(default_factory=dict)
    # records that are arguments, or parts of these, by number
    entered: set[int] = field(default_factory=set)
    # dicts and tuples that are arguments
    keyed: dict[Var, Keys] = field(default_factory=dict)
    # temporaries that are parts of arrays, or all of one turned
    parts: dict[Var, Expr] = field(default_factory=dict)
    # what passes of loops begin with that nothing was given before: values, and records
    unbound: set[Var | Record] = field(default_factory=set)
    # those of them that each pass gives a value before anything reads them
    given_first: set[Var] = field(default_factory=set)
