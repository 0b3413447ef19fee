"""Zero derivative: these templates have no right-hand sides, and any operand may vary.

Several `y =` lines stand here for several functions: their derivatives are one, zero.
"""

FAMILY = "constant"


def rounding(x):
    y = np.floor(x)
    y = np.ceil(x)
    y = np.rint(x)
    y = np.trunc(x)
    y = np.fix(x)
    y = np.signbit(x)
    y = np.spacing(x)
    y = math.floor(x)
    y = math.ceil(x)
    y = math.trunc(x)
    y = round(x)
    y = int(x)
    y = bool(x)
    y = np.int64(x)


def sign(x: real):
    y = np.sign(x)


def parts_of_real(x: surely_real):
    y = np.imag(x)
    y = np.angle(x)
    y = np.angle(x, True)
    y = x.imag


def rounding_to(a, decimals=0):
    y = np.round(a, decimals)
    y = np.around(a, decimals)
    y = a.round(decimals)


def builtin_round(number, ndigits: sample(1) = None):
    y = round(number, ndigits)


def floor_divide(x, z: nonzero):
    y = x // z
    y = np.floor_divide(x, z)


def tests(x):
    y = np.isnan(x)
    y = np.isfinite(x)
    y = np.isinf(x)
    y = math.isnan(x)
    y = cmath.isnan(x)
    y = cmath.isinf(x)
    y = cmath.isfinite(x)
    y = math.isfinite(x)
    y = math.isinf(x)
    y = np.isscalar(x)
    y = np.iscomplexobj(x)
    y = np.isrealobj(x)
    y = np.logical_not(x)
    y = callable(x)
    y = type(x)
    y = str(x)
    y = repr(x)


def negation(x):
    y = not x


def comparisons(x, z):
    y = x < z
    y = x <= z
    y = x > z
    y = x >= z
    y = x == z
    y = x != z
    y = x is z
    y = x is not z
    y = x in z
    y = x not in z
    y = np.less(x, z)
    y = np.less_equal(x, z)
    y = np.greater(x, z)
    y = np.greater_equal(x, z)
    y = np.equal(x, z)
    y = np.not_equal(x, z)
    y = np.logical_and(x, z)
    y = np.logical_or(x, z)
    y = np.logical_xor(x, z)
    y = np.array_equal(x, z)


def count_up(x: (scalar, positive)):
    y = np.arange(x)


def kinds(x, kind: sample(float, (float, int))):
    y = isinstance(x, kind)


def attributes(x, name: sample("shape")):
    y = hasattr(x, name)


def closeness(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    y = np.isclose(a, b, rtol, atol, equal_nan)
    y = np.allclose(a, b, rtol, atol, equal_nan)


def math_isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    y = math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    y = cmath.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)


def shapes(a):
    y = np.shape(a)
    y = np.size(a)
    y = np.ndim(a)
    y = len(a)
    y = a.shape
    y = a.size
    y = a.ndim
    y = a.dtype
    y = a.itemsize
    y = a.nbytes
    y = np.flatnonzero(a)
    y = np.nonzero(a)
    y = np.argwhere(a)
    y = np.iscomplex(a)


def size_along(a, axis):
    y = np.size(a, axis)


def place(a: several, x: sample(float(a[0]))):
    y = a.index(x)


def where_true(condition):
    y = np.where(condition)


def any_and_all(a, axis=None, keepdims=False):
    y = np.any(a, axis, keepdims=keepdims)
    y = np.all(a, axis, keepdims=keepdims)
    y = np.count_nonzero(a, axis, keepdims=keepdims)
    y = a.any(axis, keepdims=keepdims)
    y = a.all(axis, keepdims=keepdims)


def positions(a, axis=None, keepdims=False):
    y = np.argmax(a, axis, keepdims=keepdims)
    y = np.argmin(a, axis, keepdims=keepdims)
    y = a.argmax(axis, keepdims=keepdims)
    y = a.argmin(axis, keepdims=keepdims)


def order(a, axis=-1, kind=None):
    y = np.argsort(a, axis, kind)
    y = a.argsort(axis, kind)


def search(a, v, side="left"):
    y = np.searchsorted(a, v, side)


def like(a, dtype=None, shape=None):
    y = np.zeros_like(a, dtype, shape=shape)
    y = np.ones_like(a, dtype, shape=shape)


def zeros_of(x):
    y = _zeros_of(x)


def count(a, axis: sample(None, 0)):
    y = _count(a, axis)


def length_along(part, axis: sample(0)):
    y = _length_along(part, axis)


def identity_matrix(N: sample(3), M=None, k=0, dtype=float):
    y = np.eye(N, M, k, dtype)


def diagonal_places(arr: shapes((3, 3))):
    y = np.diag_indices_from(arr)


def rank(x: shapes((3, 2))):
    y = np.linalg.matrix_rank(x)


def dtypes(*x: sample([np.ones(2)], (np.ones(2), np.ones(3)))):
    y = np.result_type(*x)
    y = np.common_type(*x)


def uninitialised(a, dtype=None, shape=None):
    y = np.empty_like(a, dtype, shape=shape)


def shared_memory(x, z):
    y = np.shares_memory(x, z)
    y = np.may_share_memory(x, z)


def whole(a):
    y = a.astype(int)
    y = a.astype(bool)
    y = a.astype(np.int32)
    y = a.astype(np.int64)
    y = a.astype("int")
    y = a.astype("int32")
    y = a.astype("int64")
    y = a.astype("bool")


def bins(x, bins: (constant, sample([0.0, 0.5, 1.0])), right=False):
    y = np.digitize(x, bins, right)


def order_by_keys(keys: (constant, several)):
    y = np.lexsort(keys)


def order_of_part(a: shapes((4,)), kth: sample(1, 2), axis=-1):
    y = np.argpartition(a, kth, axis)
    y = a.argpartition(kth, axis)


def places_in(
    moved: (distinct, shapes((4,), (3, 2))),
    a: (distinct, shapes((4,), (3, 2))),
    axis: sample(-1, 0),
):
    """The printed function, for a derivative that is differentiated again."""
    y = _places_in(moved, a, axis)
