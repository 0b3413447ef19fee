"""What the rooms answer does without the first core: it is imported when it is asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MODEL = """
import sys

import numpy as np

import s2sad


def energy(x, k):
    for _ in range(3):
        x = x + 0.1 * np.sin(k * x)
    return 0.5 * k * np.sum(x * x)


like = (np.ones(3), 2.0)
"""
ASKED = (
    "s2sad.grad(energy, like=like)(*like)",
    "s2sad.value_and_grad(energy, ('x', 'k'), like=like).source",
    "s2sad.jvp(energy, like=like)(*like, np.ones(3))",
    "s2sad.explain(energy, like=like)",
    "s2sad.show(energy, 'optimize', like=like)",
    "s2sad.grad(energy, like=like).graph.dot()",
)


def test_the_first_core_is_not_imported(tmp_path: Path) -> None:
    lines = [MODEL, *ASKED, "print([name for name in sys.modules if 's2sad.legacy' in name])"]
    (tmp_path / "model.py").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "model.py")], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
