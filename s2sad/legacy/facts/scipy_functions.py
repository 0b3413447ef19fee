"""What functions of SciPy's make, by their names; its ufuncs are looked at as NumPy's are.

special.logsumexp(W, axis=0)     (m, n)            ->  (n,)
stats.norm.logpdf(x, mu, 2.0)    (n,), number      ->  (n,)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from s2sad.legacy.facts import scipy_linalg, scipy_solvers, scipy_sparse
from s2sad.legacy.facts.binding import Bound
from s2sad.legacy.facts.context import fresh_shape
from s2sad.legacy.facts.dtypes import floating, promoted
from s2sad.legacy.facts.elementwise import Rule, may_have_shape, result
from s2sad.legacy.facts.fact import UNKNOWN, Fact, array, scalar, tuple_of
from s2sad.legacy.facts.reductions import reduced
from s2sad.legacy.facts.scipy_shapes import exact, kept, spread
from s2sad.legacy.program import Attr, Call, Ref
from s2sad.source.optional import PREFIX


def _factorial(b: Bound) -> Fact:
    """scipy.special.factorial(x): an array of an array, be it without axes."""
    made: Fact = spread("n")(b)
    return array(made.dtype, ()) if b.fact("n").is_array and made.is_scalar else made


def entry_of(call: Call) -> tuple[str, Rule] | None:
    """Return the names of the parameters of one of SciPy's functions, and what it makes."""
    match call.func:
        case Ref(text):
            name = text
        case Attr(Ref(text), method):
            name = f"{text}.{method}"
        case Call(Ref(text)):
            name = f"{text}()"
        case _:
            return None
    return TABLE.get(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else None


# ---------------------------------------------------------------------------- scipy.special


def logsumexp(b: Bound) -> Fact:
    """special.logsumexp."""
    a = b.array("a")
    if b.has("return_sign") or (b.has("b") and b.array("b").shape != a.shape):
        return UNKNOWN
    if not a.is_array and b.has("keepdims"):
        return UNKNOWN
    facts = (a, b.array("b")) if b.has("b") else (a,)
    return reduced(b, floating(promoted(facts)))


def softmax(b: Bound) -> Fact:
    """special.softmax, special.log_softmax: the shape stays."""
    x = b.array("x")
    return array(floating(x.dtype), x.shape) if x.is_array and x.rank else UNKNOWN


def multigammaln(b: Bound) -> Fact:
    """special.multigammaln: the shape stays."""
    a = b.array("a")
    return result((a,), "float64", a.shape) if may_have_shape(a) else UNKNOWN


# ---------------------------------------------------------------------------- scipy.fft, scipy.signal


def convolved(b: Bound) -> Fact:
    """signal.convolve and its kin: the rank stays, with mode "same" the shape."""
    first, second = b.array("in1"), b.array("in2")
    dtype = exact((first, second))
    if not first.rank or first.rank != second.rank:
        return UNKNOWN
    if b.constant("mode", "full") == "same":
        return array(dtype, first.shape)
    return array(dtype, fresh_shape(b.ctx, b.name, first.rank, b.call.args))


def filtered_from(b: Bound) -> Fact:
    """signal.lfilter: a signal of the same shape; with zi= also what the filter remembers."""
    made: Fact = kept("b a x", "x")(b)
    if not b.has("zi"):
        return made
    zi = b.array("zi")
    known = made.is_array and zi.is_array and made.dtype == zi.dtype == "float64"
    return tuple_of((made, array(zi.dtype, zi.shape))) if known else UNKNOWN


def analytic(b: Bound) -> Fact:
    """signal.hilbert: a complex signal of the same shape."""
    x = b.array("x")
    known = x.is_array and bool(x.rank) and x.dtype == "float64" and not b.has("N")
    return array("complex128", x.shape) if known else UNKNOWN


def filtered(b: Bound) -> Fact:
    """ndimage.gaussian_filter and its kin: shape and dtype of the image."""
    image = b.array("input")
    known = image.is_array and bool(image.rank) and not b.has("output")
    return array(image.dtype, image.shape) if known else UNKNOWN


def magnified(b: Bound) -> Fact:
    """ndimage.zoom: the rank stays."""
    image = b.array("input")
    if not image.rank:
        return UNKNOWN
    return array(image.dtype, fresh_shape(b.ctx, b.name, image.rank, b.call.args))


def mapped(b: Bound) -> Fact:
    """ndimage.map_coordinates: a value for each place."""
    places = b.array("coordinates")
    if not places.rank or places.rank < 2 or not isinstance(places.shape, tuple):
        return UNKNOWN
    return array(b.array("input").dtype, places.shape[1:])


# of the filters of images the parameters in order
IMAGES: Final[dict[str, str]] = {
    "gaussian_filter": "input sigma order output mode cval truncate radius axes",
    "gaussian_filter1d": "input sigma axis order output mode cval truncate radius",
    "laplace": "input output mode cval axes",
    "correlate": "input weights output mode cval origin axes",
    "convolve": "input weights output mode cval origin axes",
    "correlate1d": "input weights axis output mode cval origin",
    "convolve1d": "input weights axis output mode cval origin",
    "uniform_filter": "input size output mode cval origin axes",
    "uniform_filter1d": "input size axis output mode cval origin",
}

TRANSFORM: Final = ("x type n axis norm overwrite_x workers orthogonalize", kept("x", "x"))
TRANSFORM_N: Final = ("x type s axes norm overwrite_x workers orthogonalize", kept("x", "x"))
CONVOLUTION: Final = ("in1 in2 mode method", convolved)
CONVOLUTION_2D: Final = ("in1 in2 mode boundary fillvalue", convolved)

# ---------------------------------------------------------------------------- scipy.interpolate


def interpolated(b: Bound) -> Fact:
    """interpolate.CubicSpline(x, z)(xnew) and its like: of one row of values a value a point."""
    making = b.call.func
    assert isinstance(making, Call)
    values = b.fact_of(making.args[1], b.ctx) if len(making.args) > 1 else UNKNOWN
    xnew = b.array("xnew")
    if values.rank != 1 or not xnew.rank:
        return UNKNOWN
    return array(exact((values, xnew)), xnew.shape)


INTERPOLATORS: Final = (
    "interp1d CubicSpline CubicHermiteSpline PchipInterpolator Akima1DInterpolator "
    "make_interp_spline BSpline InterpolatedUnivariateSpline UnivariateSpline"
).split()

# ---------------------------------------------------------------------------- scipy.stats

CONTINUOUS: Final = "logpdf pdf cdf logcdf sf logsf ppf isf".split()
DISCRETE: Final = "logpmf pmf cdf logcdf sf logsf".split()
# the parameters of distributions beside the variable, loc and scale
DENSITIES: Final[dict[str, str]] = {
    "norm": "", "truncnorm": "a b", "t": "df", "cauchy": "", "logistic": "", "laplace": "",
    "vonmises": "kappa", "expon": "", "gamma": "a", "chi2": "df", "lognorm": "s",
    "weibull_min": "c", "uniform": "", "beta": "a b",
    "gumbel_r": "", "halfnorm": "", "halfcauchy": "", "rayleigh": "", "pareto": "b", "invgamma": "a",
}  # fmt: skip
PROBABILITIES: Final[dict[str, str]] = {
    "poisson": "mu", "binom": "n p", "bernoulli": "p", "geom": "p", "nbinom": "n p",
}  # fmt: skip


def _distributions() -> Iterator[tuple[str, tuple[str, Rule]]]:
    for name, params in DENSITIES.items():
        for method in CONTINUOUS:
            names = f"{'q' if method in ('ppf', 'isf') else 'x'} {params} loc scale"
            yield f"stats.{name}.{method}", (names, spread(names))
    for name, params in PROBABILITIES.items():
        for method in DISCRETE:
            yield f"stats.{name}.{method}", (f"k {params} loc", spread(f"k {params} loc"))


def part_of(call: Call, attribute: str) -> tuple[str, Rule] | None:
    """Return what is known of an attribute of what one of SciPy's functions gives."""
    text = call.func.text if isinstance(call.func, Ref) else ""
    return scipy_solvers.PARTS.get(f"{text.removeprefix(PREFIX)}.{attribute}")


def of_vectors(b: Bound) -> Fact:
    """stats.multivariate_normal.logpdf: a number of one point."""
    x, mean = b.array("x"), b.array("mean")
    # a row of points, a single one or points on a line make other shapes
    same = x.rank == 1 and x.shape == mean.shape
    return scalar(exact((x, mean, b.array("cov")))) if same else UNKNOWN


BESSEL: Final = ("n z derivative", spread("n z"))

TABLE: Final[dict[str, tuple[str, Rule]]] = {
    "special.logsumexp": ("a axis b keepdims return_sign", logsumexp),
    "special.softmax": ("x axis", softmax),
    "special.log_softmax": ("x axis", softmax),
    "special.polygamma": ("n x", spread("n x", always=True)),
    "special.zeta": ("x q", spread("x q")),
    "special.factorial": ("n exact extend", _factorial),
    "special.comb": ("N k exact repetition", spread("N k")),
    "special.multigammaln": ("a d", multigammaln),
    "special.spherical_jn": BESSEL,
    "special.spherical_yn": BESSEL,
    "special.spherical_in": BESSEL,
    "special.spherical_kn": BESSEL,
    **{f"fft.{name}": TRANSFORM for name in ("dct", "idct", "dst", "idst")},
    **{f"fft.{name}": TRANSFORM_N for name in ("dctn", "idctn", "dstn", "idstn")},
    "signal.convolve": CONVOLUTION,
    "signal.correlate": CONVOLUTION,
    "signal.fftconvolve": ("in1 in2 mode axes", convolved),
    "signal.oaconvolve": ("in1 in2 mode axes", convolved),
    "signal.convolve2d": CONVOLUTION_2D,
    "signal.correlate2d": CONVOLUTION_2D,
    "signal.lfilter": ("b a x axis zi", filtered_from),
    "signal.filtfilt": ("b a x axis padtype padlen method irlen", kept("b a x", "x")),
    "signal.sosfilt": ("sos x axis", kept("sos x", "x")),
    "signal.hilbert": ("x N axis", analytic),
    "signal.detrend": ("data axis type bp overwrite_data", kept("data", "data")),
    **{f"ndimage.{name}": (names, filtered) for name, names in IMAGES.items()},
    "ndimage.zoom": ("input zoom output order mode cval prefilter grid_mode", magnified),
    "ndimage.map_coordinates": (
        "input coordinates output order mode cval prefilter",
        mapped,
    ),
    **dict(_distributions()),
    **{f"interpolate.{name}()": ("xnew nu extrapolate", interpolated) for name in INTERPOLATORS},
    "stats.multivariate_normal.logpdf": ("x mean cov allow_singular", of_vectors),
    **scipy_linalg.TABLE,
    **scipy_sparse.TABLE,
    **scipy_solvers.TABLE,
}
