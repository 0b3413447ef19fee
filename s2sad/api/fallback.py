"""The one door to the first core: what the rooms cannot do yet is asked here, and nowhere else.

derive(request)                         the text of a derivative
stage(request, "facts")                 the function after a stage, as Python that runs
explained(request, examples)            what a gradient keeps, and its peak of memory
within(request, examples, "2 GB")       the request with the schedule that keeps within
known_of({"m": m})                      what is known of arguments: what a text is made for
rules_of_text(text, file, names)        the rules of a text of templates
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2sad.api.derivative import Derivative
from s2sad.api.request import Given, Request
from s2sad.legacy import explain, pipeline
from s2sad.legacy.constants import constant_text
from s2sad.legacy.even_powers import mentions_kinks, smoothly
from s2sad.legacy.explain import Explanation, budget
from s2sad.legacy.facts import fact_of_value
from s2sad.legacy.facts.device import on_device
from s2sad.legacy.stated import rule_of_pair, rules_of_text
from s2sad.legacy.templating import Rule

__all__ = [
    "Explanation",
    "Rule",
    "derive",
    "explained",
    "is_outdated",
    "known_of",
    "mentions_kinks",
    "rule_of_pair",
    "rules_of_text",
    "smoothly",
    "stage",
    "within",
]


def derive(request: Request) -> Derivative:
    """Return the derivative that a request asks for; S2sadError where it is refused."""
    return pipeline.derive(request)


def stage(request: Request, after: str) -> str:
    """Return the function as it stands after a stage, as Python that runs."""
    return pipeline.stage(request, after)


def explained(request: Request, examples: Mapping[str, Any]) -> Explanation:
    """Return what the gradient keeps, saves and computes again for arguments."""
    with on_device(request.arrays != "numpy"):
        return explain.explained(*pipeline.derived_of(request), examples)


def within(request: Request, examples: Mapping[str, Any], memory: str | float) -> Request:
    """Return the request with the schedule that keeps within a budget; ArgumentError if none does."""
    return budget.within(request, examples, memory)


def known_of(bound: Mapping[str, Any]) -> Given:
    """Return what is known of arguments, by parameter name."""
    return tuple((name, fact_of_value(value, name)) for name, value in bound.items())


def is_outdated(made: Derivative) -> bool:
    """Tell whether a list, dict or array whose values a text holds has others by now."""
    return any(constant_text(value) != text for value, text in made.live.values())
