"""The documentation site: python -m sphinx -W -b html docs build/site

Each page is filled as it is read (docs/fill.py), so that the site shows what s2sad prints at its build. A
page that has changed by that is a warning, and the build fails: run python docs/fill.py.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import fill
from sphinx.util import logging

import s2sad

project = "s2sad"
author = "The s2sad authors"
copyright = "The s2sad authors"
release = version = s2sad.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["refusals/_*"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
html_theme = "furo"
html_title = f"s2sad {version}"
html_static_path = []
default_role = "code"
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
# docstrings are plain text: what a function does, shapes, errors, an example
autodoc_typehints = "none"
autodoc_member_order = "bysource"
pygments_style = "default"


def fill_page(app, docname, source):
    """Put what s2sad prints today into a page; warn where that is not what the page shows."""
    made = fill.filled(source[0])
    # what a page that runs prints may differ by the machine: it is made here, and has to run
    if made != source[0] and fill.running.RUNS not in made:
        logging.getLogger("s2sad").warning("has changed: run python docs/fill.py", location=docname)
    source[0] = made + (LISTED if docname == "refusals/README" else "")


# below the index of refusals stand their pages
LISTED = """
```{toctree}
:hidden:
:glob:

*
```
"""


def setup(app):
    app.connect("source-read", fill_page)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
