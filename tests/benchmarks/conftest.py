"""Benchmarks run only when asked for, and find the hand-written derivatives beside them.

pytest tests/benchmarks --benchmark-enable
python tests/benchmarks/ratios.py
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "handwritten")]


def pytest_ignore_collect(collection_path, config):
    """Leave the benchmarks out of an ordinary test run."""
    return None if config.getoption("benchmark_enable", False) else True
