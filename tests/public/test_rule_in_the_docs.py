"""The rule that docs/rules.md shows is run as it stands there."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sad

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
MYLAB = "import numpy as np\n\n\ndef softplus(x):\n    return np.logaddexp(0.0, x)\n"


def test_the_rule_that_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mylab.py").write_text(MYLAB)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        _run()
    finally:
        sys.modules.pop("mylab", None)


def _run() -> None:
    import mylab  # type: ignore[import-not-found]

    def f(x: Any) -> Any:
        return np.sum(mylab.softplus(x))

    found = re.search(r"<!-- tested: .*? -->\n```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    space: dict[str, Any] = {"s2sad": s2sad, "f": f}
    try:
        exec(found[1], space)
        x = np.array([-1.0, 0.0, 2.0])
        made = s2sad.grad(f)
        assert "np.exp(-x)" in made.source, "the rule is in force for the process"
        assert np.allclose(made(x), 1.0 / (1.0 + np.exp(-x)))
    finally:
        registered = [
            each for each in s2sad.operators.in_force.added() if each.rules[0].name == "softplus"
        ]
        for each in registered:
            s2sad.unregister_rules(each.rules)
    assert registered
