"""Texts are left alone by black, whatever stands around them."""

from pathlib import Path

import pytest

from s2sad.__main__ import main

black = pytest.importorskip("black")

EMITTED = Path(__file__).resolve().parents[1] / "emitted"
WIDTH = 88
MODEL = """\
import numpy as np


def march(u, nu, dt, nt, left):
    for t in range(nt):
        lap = np.roll(u, 1) - 2.0 * u + np.roll(u, -1)
        u = u + dt * (nu * lap + u - u**3) * np.exp(-0.5 * (u - left) ** 2) / (1.0 + left**2)
        u[0] = left
    return 0.5 * np.sum(u**2)


march_example = (np.ones(5), 0.1, 0.01, 3, 0.5)

# s2sad: grad march --wrt u,nu
# s2sad: end
"""


def laid_out(text):
    return black.format_str(text, mode=black.Mode(line_length=WIDTH))


@pytest.mark.parametrize(
    "path",
    [each for each in sorted(EMITTED.glob("*_*.py")) if not each.name.startswith(("test_", "__"))],
    ids=lambda path: path.name,
)
def test_black_changes_no_emitted_text(path):
    text = path.read_text()
    assert all(len(line) <= WIDTH for line in text.splitlines())
    assert laid_out(text) == text


def test_black_changes_no_saved_file_and_no_embedded_derivative(tmp_path, monkeypatch):
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    long = "(np.ones(5), 0.1, 0.01, 3, 0.5 + 0.0 * np.sum(np.ones(5)) + 0.0 * np.sum(np.ones(7)))"
    assert main(["grad", "model.py:march", "--like", long, "-o", "march_grad.py", "-q"]) == 0
    text = (tmp_path / "march_grad.py").read_text()
    assert laid_out(text) == text and all(len(line) <= WIDTH for line in text.splitlines())
    assert main(["embed", "model.py", "-q"]) == 0
    text = (tmp_path / "model.py").read_text()
    above, made = text.split("# s2sad: grad")
    assert laid_out(text).split("# s2sad: grad")[1] == made
