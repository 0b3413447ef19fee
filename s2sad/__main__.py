# PYTHON_ARGCOMPLETE_OK: the shell may ask this file what completes a line
"""`python -m s2sad` as the command line.

python -m s2sad grad model.py:misfit --wrt W,m
"""

import gc
import sys

from s2sad.api.commands.main import main


def run() -> int:
    """Run the command line as a process: almost all that it makes lives until its end."""
    gc.set_threshold(200_000)
    try:
        return main()
    finally:
        gc.freeze()


if __name__ == "__main__":
    sys.exit(run())
