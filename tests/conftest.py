"""Puts the project's root on the path, so that `tests.oracles` is importable from everywhere."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
