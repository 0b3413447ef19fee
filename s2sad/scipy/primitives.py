"""What the texts of derivatives are written with; lowering puts functions of the program in their place.

A function f(x, *args) is the one that a solver is given. What of `args` does not vary is
constant.
"""

from __future__ import annotations

from typing import Any


def by_unknown(f: Any) -> Any:
    """Return the gradient of f by what is solved for."""
    raise NotImplementedError


def by_rest(f: Any) -> Any:
    """Return the gradient of f by all arguments that vary but what is solved for, as a tuple."""
    raise NotImplementedError


def by_all(f: Any) -> Any:
    """Return the gradient of f by what is solved for and all arguments that vary, as a tuple."""
    raise NotImplementedError


def by_each(f: Any) -> Any:
    """Return the derivatives of f by each argument that varies but what is solved for."""
    raise NotImplementedError


def along(f: Any) -> Any:
    """Return the tangent of f along tangents of the arguments that vary, which it takes last."""
    raise NotImplementedError


def weighted(f: Any) -> Any:
    """Return the sum of what f gives times a weight, which it takes last."""
    raise NotImplementedError


def squares(f: Any) -> Any:
    """Return half the sum of the squares of what f gives."""
    raise NotImplementedError


def each(function: Any, *parts: Any) -> Any:
    """Return what a function gives for each part of tuples, as a tuple."""
    raise NotImplementedError


def total(slopes: Any, dots: Any) -> Any:
    """Return the sum of the products of derivatives and tangents."""
    raise NotImplementedError


def added(terms: Any) -> Any:
    """Return the sum of terms."""
    raise NotImplementedError


def results(parts: Any) -> Any:
    """Return adjoints as they are handed back: one by itself, several as a tuple."""
    raise NotImplementedError


def back(f: Any, y0: Any, times: Any, args: Any, y_bar: Any) -> Any:
    """Return the adjoints of the start of a flow, and of the arguments that vary."""
    raise NotImplementedError


def ahead(f: Any, y0: Any, times: Any, args: Any, dots: Any) -> Any:
    """Return the tangent of the states of a flow along those of its start and arguments."""
    raise NotImplementedError


def with_tangent(f: Any) -> Any:
    """Return the slopes of state and tangent as one function, which takes tangents last."""
    raise NotImplementedError


def paired(f: Any, states: Any, tangents: Any) -> Any:
    """Return what belongs to states and what belongs to tangents, as one array."""
    raise NotImplementedError


def tangent_half(f: Any, both: Any) -> Any:
    """Return the tangents in the states of state and tangent."""
    raise NotImplementedError


def numbers(p: Any) -> Any:
    """Return the numbers in a vector of known length, as a tuple."""
    raise NotImplementedError
