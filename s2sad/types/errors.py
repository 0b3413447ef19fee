"""What inference cannot decide alone: lengths that must be equal, operations that fail."""

from __future__ import annotations

from s2sad.ir.types import Length


class Mismatch(Exception):
    """Lengths that have to be equal, and are in the examples; `pairs` are all of them.

    `a` and `b` are the first pair. The driver hands this to Assumptions.learn and starts again.
    """

    def __init__(self, a: Length, b: Length, *more: tuple[Length, Length]):
        self.a = a
        self.b = b
        self.pairs = ((a, b), *more)
        super().__init__(" and ".join(f"{x} = {y}" for x, y in self.pairs))


class Fails(Exception):
    """An operation that Python itself would refuse; `exception` is what it would raise."""

    def __init__(self, exception: BaseException):
        self.exception = exception
        super().__init__(f"{type(exception).__name__}: {exception}")
