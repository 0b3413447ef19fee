"""What the prelude says of the values that it goes on with; it does nothing where it is run."""

from __future__ import annotations

from typing import Any


def of_one_kind(value: Any) -> Any:
    """Return a value that is a float in every run, or in none: NumPy takes the first for all."""
    return value
