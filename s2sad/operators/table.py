"""One row a function: what it does beside giving a value, and what it costs.

    np.put             writes 0          it writes to the memory of its first argument
    np.reshape         free              a view, or a shape
    np.exp             lengthy           one pass, at ten times the price of a product
    np.linalg.inv      costly            more than one pass over its operands

A function that a template spells is pure, and cheap unless a row says otherwise: it has no row
for that. What has neither a template nor a row does anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from s2sad.ir.program import PURE, Effect
from s2sad.ir.records import dataclass
from s2sad.operators.modules import MISSING, identity, loaded, resolved


@dataclass(frozen=True, slots=True)
class Row:
    """The effect and the cost of a function. `writes_owner`: a method that writes to its array."""

    effect: Effect = PURE
    cost: str = "cheap"
    writes_owner: bool = False


DRAWS = Effect(draws=True)
PRINTS = Effect(prints=True)
RAISES = Effect(raises=True)
FIRST = Effect(writes=frozenset({0}))

# ---------------------------------------------------------------------------- functions

PURE_AND_FREE = """
    len callable isinstance issubclass hasattr type id range slice iter enumerate zip reversed
    np.shape np.size np.ndim np.reshape np.transpose np.ravel np.swapaxes np.moveaxis np.rollaxis
    np.expand_dims np.squeeze np.broadcast_to np.broadcast_arrays np.broadcast_shapes np.flip
    np.flipud np.fliplr np.rot90 np.diagonal np.real np.matrix_transpose np.permute_dims
    np.atleast_1d np.atleast_2d np.atleast_3d np.split np.array_split np.hsplit np.vsplit np.dsplit
    np.asarray np.asanyarray np.ascontiguousarray np.asfortranarray np.iterable np.isscalar
    np.iscomplexobj np.isrealobj np.isfortran np.result_type np.promote_types np.can_cast
    np.min_scalar_type np.common_type np.issubdtype np.isdtype np.finfo np.iinfo np.dtype np.ndindex
    np.may_share_memory np.shares_memory np.typename np.mintypecode np.ndenumerate np.ix_
    np.lib.stride_tricks.as_strided np.lib.stride_tricks.sliding_window_view
    np.lib.stride_tricks.broadcast_to np.broadcast np.unstack np.errstate np.geterr
    np.linalg.matrix_transpose np.linalg.diagonal np.base_repr np.binary_repr np.printoptions
    np.lib.array_utils.normalize_axis_index np.lib.array_utils.normalize_axis_tuple
    math.isnan math.isfinite math.isinf
"""
PURE_AND_CHEAP = """
    abs all any bin bool bytes chr complex dict divmod filter float format frozenset hash hex int
    list map max min oct ord pow repr round set str sum tuple bytearray memoryview object ascii
    sorted
    math.comb math.factorial math.frexp math.gcd math.isqrt math.lcm math.ldexp math.nextafter
    math.perm math.remainder math.ulp math.prod math.dist math.sumprod math.cbrt
    np.array_equiv np.array2string np.array_repr np.array_str np.asmatrix np.bartlett np.blackman
    np.hamming np.hanning np.block np.bmat np.choose np.select np.diag_indices np.empty np.zeros
    np.ones np.identity np.tri np.tril_indices np.tril_indices_from np.triu_indices
    np.triu_indices_from np.mask_indices np.indices np.isin np.isneginf np.isposinf np.isreal
    np.nanargmax np.nanargmin np.ravel_multi_index np.unravel_index np.packbits
    np.unpackbits np.frombuffer np.fromstring np.format_float_positional np.datetime_as_string
    np.datetime_data np.busday_count np.busday_offset np.is_busday np.busdaycalendar
    np.format_float_scientific np.row_stack np.linalg.multi_dot np.fft.fftfreq np.fft.rfftfreq
    np.isnat np.from_dlpack np.require np.poly1d np.fromiter
    np.polynomial.polynomial.polyadd np.polynomial.polynomial.polysub
    np.polynomial.polynomial.polymul np.polynomial.polynomial.polymulx
    np.polynomial.polynomial.polydiv np.polynomial.polynomial.polyder
    np.polynomial.polynomial.polyint np.polynomial.polynomial.polyline
    np.polynomial.polynomial.polypow np.polynomial.polynomial.polytrim
    np.polynomial.polynomial.polyval2d np.polynomial.polynomial.polyval3d
    np.polynomial.polynomial.polygrid2d np.polynomial.polynomial.polygrid3d
    np.polynomial.polynomial.polyvander np.polynomial.polynomial.polyvander2d
    np.polynomial.polynomial.polyvander3d np.polynomial.polynomial.polyfromroots
    np.polynomial.polynomial.polyvalfromroots np.polynomial.polynomial.polycompanion
    copy.copy copy.deepcopy
"""
PURE_AND_LENGTHY = """
    np.exp np.exp2 np.expm1 np.log np.log2 np.log10 np.log1p np.logaddexp np.logaddexp2 np.power
    np.float_power np.cbrt np.sin np.cos np.tan np.arcsin np.arccos np.arctan np.arctan2 np.sinh
    np.cosh np.tanh np.arcsinh np.arccosh np.arctanh np.sinc scipy.special.erf scipy.special.erfc
    scipy.special.gammaln scipy.special.expit scipy.special.ndtr
"""
PURE_AND_COSTLY = """
    np.dot np.matmul np.vdot np.inner np.outer np.tensordot np.kron np.einsum np.einsum_path
    np.convolve np.correlate np.cov np.corrcoef np.sort np.argsort np.partition np.argpartition
    np.lexsort np.sort_complex np.median np.nanmedian np.percentile np.nanpercentile np.quantile
    np.nanquantile np.unique np.unique_all np.unique_counts np.unique_inverse np.unique_values
    np.intersect1d np.setdiff1d np.setxor1d np.union1d np.histogram np.histogram2d
    np.histogramdd np.histogram_bin_edges np.searchsorted np.digitize np.interp np.polyfit
    np.polydiv np.roots np.poly np.vander np.trapezoid np.gradient np.vecdot np.matvec np.vecmat
    np.cross np.i0 np.polynomial.polynomial.polyfit np.polynomial.polynomial.polyroots
"""
WRITE_TO_THEIR_FIRST = """
    np.put np.place np.putmask np.put_along_axis np.copyto np.fill_diagonal setattr delattr
"""
CHANGE_A_STATE = """
    np.seterr np.seterrcall np.setbufsize np.set_printoptions np.random.seed np.random.set_state
    np.random.set_bit_generator
"""
PRINT_OR_READ = """
    print warnings.warn logging.debug logging.info logging.warning logging.error open input np.save np.savez np.savez_compressed np.savetxt np.load np.loadtxt
    np.genfromtxt np.fromfile np.fromregex np.memmap np.show_config np.show_runtime np.info
    np.get_printoptions np.geterrcall np.getbufsize np.get_include
    json.load json.loads logging.critical logging.log
"""
DRAW = """
    np.random.default_rng np.random.get_state np.random.bytes np.random.get_bit_generator
    np.random.ranf np.random.sample np.random.Generator np.random.RandomState np.random.PCG64
    np.random.PCG64DXSM np.random.MT19937 np.random.Philox np.random.SFC64 np.random.SeedSequence
"""
DRAW_AND_WRITE = "np.random.shuffle"
RAISE = "next exit quit"
# printed functions that set where draws go on from, and that keep states in files
PRINTED_THAT_DRAW = frozenset({"_random_state", "_set_random_state"})
PRINTED_THAT_KEEP = frozenset({"_scratch", "_to_disk", "_from_disk"})

# ---------------------------------------------------------------------------- methods

OF_ARRAYS = {
    "free": """
        reshape ravel transpose swapaxes squeeze view diagonal item real tolist
        T mT shape ndim size dtype flat itemsize nbytes strides flags base imag
    """,
    "costly": "dot argsort argpartition searchsorted choose",
    "writes": "sort fill partition put resize setfield setflags itemset byteswap",
    "prints": "tofile dump dumps",
}
OF_LISTS_THAT_WRITE = frozenset(
    """
    append extend insert remove pop clear sort reverse update setdefault popitem add discard
    difference_update intersection_update symmetric_difference_update appendleft popleft rotate
    extendleft move_to_end __setitem__ __delitem__ __iadd__
    """.split()
)
OF_SPARSE_THAT_WRITE = frozenset(
    "setdiag resize sort_indices sum_duplicates eliminate_zeros prune".split()
)
LOGGING = frozenset("debug info warning error critical exception log".split())
OF_SOURCES_THAT_WRITE = frozenset({"shuffle"})
GROUPS: tuple[tuple[str, Row], ...] = (
    (PURE_AND_FREE, Row(cost="free")),
    (PURE_AND_CHEAP, Row()),
    (PURE_AND_LENGTHY, Row(cost="lengthy")),
    (PURE_AND_COSTLY, Row(cost="costly")),
    (WRITE_TO_THEIR_FIRST, Row(FIRST)),
    (CHANGE_A_STATE, Row(Effect(draws=True, prints=True))),
    (PRINT_OR_READ, Row(PRINTS, "costly")),
    (DRAW, Row(DRAWS)),
    (DRAW_AND_WRITE, Row(Effect(frozenset({0}), draws=True))),
    (RAISE, Row(RAISES)),
)


@cache
def _rows(modules: tuple[str, ...]) -> Mapping[object, Row]:
    found: dict[object, Row] = {}
    for names, row in GROUPS:
        for dotted in names.split():
            function = resolved(dotted)
            if function is not MISSING:
                found[identity(function)] = row
    return found


def row_of(function: object) -> Row | None:
    """Return the row of a function, None where it has none."""
    return _rows(loaded()).get(identity(function))


def printed_row(name: str) -> Row:
    """Return the row of a printed function: all but a few compute and do nothing else."""
    if name in PRINTED_THAT_DRAW:
        return Row(DRAWS, "costly")
    return Row(PRINTS if name in PRINTED_THAT_KEEP else PURE, "costly")


@cache
def method_row(name: str) -> Row | None:
    """Return the row of a method or attribute of arrays, None where it has none."""
    kinds = [kind for kind, names in OF_ARRAYS.items() if name in names.split()]
    if not kinds:
        return None
    if kinds[0] == "prints":
        return Row(PRINTS, "costly")
    if kinds[0] == "writes":
        return Row(writes_owner=True)
    return Row(cost=kinds[0])
