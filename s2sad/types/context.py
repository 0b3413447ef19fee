"""What inference needs beside an expression: the assumptions made so far, and the memory."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from s2sad.ir.records import dataclass, field
from s2sad.ir.types import Region, Site
from s2sad.types.assumptions import Assumptions


@dataclass(slots=True)
class Context:
    """The assumptions about the arguments, and the lists, dicts and objects by their sites.

    `options` are the flags, texts and Nones of the examples, by their paths: where one decides a
    way, the text is made for it. Without examples, arguments that are taken for arrays may be
    numbers, too: that they have a rank at all is not known where it is asked. `followed` are the
    functions of libraries whose own lines are lowered, and calls whose twins are, each with what
    asked for it. `by_place` are the lists of the examples with a slot for each item. `in_place`
    are the functions that call themselves, and are run where they are called until a call with
    known arguments ends it, each with why it is none of the program.
    """

    assumptions: Assumptions = field(default_factory=Assumptions)
    regions: dict[Site, Region] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    has_examples: bool = True
    solved: set[Any] = field(default_factory=set)
    followed: dict[Hashable, Exception] = field(default_factory=dict)
    by_place: dict[Site, Region] = field(default_factory=dict)
    opened: set[Site] = field(default_factory=set)
    in_place: dict[Hashable, Exception] = field(default_factory=dict)
