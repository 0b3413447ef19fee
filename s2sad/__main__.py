# PYTHON_ARGCOMPLETE_OK: the shell may ask this file what completes a line
"""`python -m s2sad` as the command line.

python -m s2sad grad model.py:misfit --wrt W,m
"""

import sys

from s2sad.api.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
