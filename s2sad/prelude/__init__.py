"""Rare functions of the standard library in plain Python, lowered like the user's own.

They are written from what the documentation of Python promises, ties included.
"""

from s2sad.prelude.arrays import Vectorized, apply_along_axis, for_each, piecewise
from s2sad.prelude.heaps import (
    heapify,
    heappop,
    heappush,
    heappushpop,
    heapreplace,
    nlargest,
    nsmallest,
)
from s2sad.prelude.integrals import as_integrals
from s2sad.prelude.iterators import (
    accumulate,
    chain,
    combinations,
    combinations_with_replacement,
    compress,
    count,
    cycle,
    dropwhile,
    filtered,
    filterfalse,
    from_iterable,
    islice,
    pairwise,
    permutations,
    product,
    repeat,
    starmap,
    takewhile,
    zip_longest,
)
from s2sad.prelude.mappings import (
    Counter,
    DefaultDict,
    Namespace,
    OrderedDict,
    fromkeys,
    paired,
    united,
)
from s2sad.prelude.namespaces import as_numpy, suppress
from s2sad.prelude.operators import OPERATORS
from s2sad.prelude.ordering import (
    all_of,
    any_of,
    max_by,
    min_by,
    next_of,
    next_or,
    reduce,
    sorted_by,
)
from s2sad.prelude.polynomials import SERIES, Poly1d, as_series
from s2sad.prelude.queues import Deque
from s2sad.prelude.samples import linear_regression

__all__ = [
    "OPERATORS",
    "SERIES",
    "Counter",
    "DefaultDict",
    "Deque",
    "Namespace",
    "OrderedDict",
    "Poly1d",
    "Vectorized",
    "accumulate",
    "all_of",
    "any_of",
    "apply_along_axis",
    "as_integrals",
    "as_numpy",
    "as_series",
    "chain",
    "combinations",
    "combinations_with_replacement",
    "compress",
    "count",
    "cycle",
    "dropwhile",
    "filtered",
    "filterfalse",
    "for_each",
    "from_iterable",
    "fromkeys",
    "heapify",
    "heappop",
    "heappush",
    "heappushpop",
    "heapreplace",
    "islice",
    "linear_regression",
    "max_by",
    "min_by",
    "next_of",
    "next_or",
    "nlargest",
    "nsmallest",
    "paired",
    "pairwise",
    "permutations",
    "piecewise",
    "product",
    "reduce",
    "repeat",
    "sorted_by",
    "starmap",
    "suppress",
    "takewhile",
    "united",
    "zip_longest",
]
