"""The example of a long loop: its emitted gradient is the one that s2sad writes, and right."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from s2sad.api.saved import saved_text

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, ModuleType]:
    """Return the example and the gradient that lies beside it, as they are imported there."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    for name in ("heat_field", "heat_field_grad"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("heat_field"), importlib.import_module("heat_field_grad")


def test_the_text_beside_the_example_is_the_one_that_is_written(beside: tuple) -> None:
    example, _ = beside
    written = (EXAMPLES / "heat_field_grad.py").read_text()
    made = example.derivative(example.misfit_example())
    again = saved_text(made, EXAMPLES / "heat_field_grad.py")
    assert again == written, "run python examples/heat_field.py"
    assert "Predicted peak of memory: 1.98 MB" in written


def test_its_gradient_agrees_with_differences(beside: tuple) -> None:
    example, made = beside
    m, *rest = example.misfit_example(steps=300)
    m = 0.1 * example.plate(example.SIZE)
    value, gradient = made.misfit_value_and_grad(m, *rest)
    assert value == example.misfit(m, *rest)
    along = np.random.default_rng(0).normal(size=m.shape)
    step = 1e-5
    up, down = (example.misfit(m + s * along, *rest) for s in (step, -step))
    assert np.sum(gradient * along) == pytest.approx((up - down) / (2.0 * step), rel=1e-6)
