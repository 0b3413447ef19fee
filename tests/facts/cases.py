"""Expressions over the values below, each of which facts have to get right."""

from __future__ import annotations

from typing import Any

import numpy as np

rng = np.random.default_rng(3)

VALUES: dict[str, Any] = {
    "W": rng.random((3, 4)),
    "V": rng.random((3, 4)),
    "A": rng.random((4, 4)) + 4 * np.eye(4),
    "S": np.eye(4) * 2.0,
    "T": rng.random((2, 3, 4)),
    "u": rng.random(4),
    "v": rng.random(4),
    "c": rng.random(3),
    "col": rng.random((3, 1)),
    "row": rng.random((1, 4)),
    "zero": np.array(0.5),
    "empty": np.zeros(0),
    "two": np.zeros(2),
    "x3": rng.random(3),
    "h": rng.random(4).astype("float32"),
    "z": rng.random(4) + 1j,
    "i4": np.array([2, 0, 1, 3]),
    "i2": np.array([1, 0]),
    "m4": np.array([True, False, True, True]),
    "mW": rng.random((3, 4)) > 0.5,
    "s": 0.7,
    "t": np.float64(0.3),
    "s32": np.float32(0.3),
    "zc": 0.5 + 0.1j,
    "n": 4,
    "k": np.int64(2),
    "flag": True,
    "items": [1.0, 2.0, 3.0],
    "rows": [rng.random(4), rng.random(4)],
    "pair": (rng.random(4), rng.random(4)),
    "layers": [(rng.random((3, 4)), rng.random(4)), (rng.random((4, 2)), rng.random(2))],
    "text": "abc",
    "nothing": None,
}
ELEMENTWISE = """
np.negative absolute sign exp expm1 log log2 log10 log1p sqrt square reciprocal sin cos tan arcsin
arccos arctan sinh cosh tanh floor ceil round around conj real imag angle nan_to_num isnan isfinite
isinf positive fabs exp2 cbrt arcsinh degrees radians deg2rad rad2deg trunc rint fix sinc i0 signbit
logical_not isreal iscomplex spacing
"""
BINARY = """
add subtract multiply divide true_divide power maximum minimum fmax fmin logaddexp arctan2 hypot mod
remainder floor_divide heaviside copysign nextafter greater less equal not_equal logical_and
logical_or isclose float_power fmod
"""
REDUCTIONS = """
sum prod mean std var max min amax amin median nansum nanmean nanmax nanmin nanstd nanvar nanprod
nanmedian all any argmax argmin ptp count_nonzero average
"""

CASES: list[str] = []
for name in ELEMENTWISE.replace("np.", "").split():
    CASES += [f"np.{name}({x})" for x in ("W", "u", "s", "t", "h", "zero", "empty", "n", "i4")]
for name in BINARY.split():
    pairs = ["W, V", "u, s", "s, u", "W, u", "col, row", "s, t", "h, s", "h, t", "zero, s",
             "h, u", "s, n", "u, n", "i4, k", "i4, s", "i4, n", "T, W", "zero, zero"]  # fmt: skip
    CASES += [f"np.{name}({pair})" for pair in pairs]
for name in REDUCTIONS.split():
    CASES += [f"np.{name}({x})" for x in ("W", "u", "h", "i4", "T", "row")]
    CASES += [f"np.{name}({x}, axis={a})" for x, a in
              (("W", 0), ("W", 1), ("W", -1), ("u", 0), ("T", 1), ("i4", 0))]  # fmt: skip
    if name not in ("argmax", "argmin", "median", "nanmedian", "average", "count_nonzero"):
        CASES += [f"np.{name}(T, axis=(0, 2))", f"np.{name}(T, axis=None)"]
    CASES += [f"np.{name}(W, axis=1, keepdims=True)", f"np.{name}(T, axis=0, keepdims=False)"]
for op in ["+", "-", "*", "/", "//", "%", "**"]:
    pairs = ["W V", "u s", "s u", "s s", "s n", "n n", "n s", "W u", "col row", "h s", "h t", "t s",
             "zero s", "i4 n", "i4 i4", "i4 s", "k n", "k k", "n u", "s32 s", "s32 h", "s32 n",
             "flag n", "flag flag", "h k", "2 n", "2.0 h"]  # fmt: skip
    for pair in pairs:
        left, right = pair.split()
        if op in ("//", "%") or "flag" not in pair or op == "+":
            CASES.append(f"{left} {op} {right}")
for op in ("<", "<=", "==", "!=", ">"):
    CASES += [
        f"{a} {op} {b}" for a, b in (("u", "s"), ("s", "s"), ("t", "s"), ("W", "V"), ("n", 3))
    ]

TABLE = """
-u ; -s ; -n ; +u ; ~m4 ; not flag ; m4 & m4 ; m4 | m4 ; -t ; -zero ; abs(s) ; abs(u) ; abs(n)
zc * s ; zc * u ; abs(zc) ; abs(z) ; z.real ; z.imag ; np.abs(z) ; z.conj() ; z * u ; z + 1.0
2 ** n ; 2 ** 3 ; 2 ** -1 ; n ** -1 ; n ** 2 ; u ** 2 ; i4 ** 2 ; u ** n ; t ** 2 ; s ** 2
2.0 ** n ; 0 < n < 5 ; s < t <= 2.0 ; nothing is None ; u is None ; s is not None ; 'b' in text
flag and s ; s or t ; nothing or s ; u if flag else v ; s if n > 2 else t ; s if n > 2 else 1
W @ u ; u @ W.T ; u @ v ; A @ A ; A @ u ; T @ u ; T @ A ; u @ A ; c @ W ; W.T @ c ; W.T @ W
np.dot(W, u) ; np.dot(u, v) ; np.dot(A, A) ; np.dot(s, u) ; np.dot(u, s) ; np.dot(s, t)
np.dot(T, u) ; np.dot(T, A) ; np.dot(zero, u) ; np.dot(h, h) ; np.dot(h, u) ; u.dot(v)
W.dot(u) ; A.dot(A) ; np.matmul(W, u) ; np.matmul(u, v) ; np.matmul(T, A) ; np.inner(u, v)
np.inner(W, V) ; np.inner(T, u) ; np.inner(W, u) ; np.inner(s, u) ; np.vdot(u, v)
np.vdot(W, V) ; np.outer(u, v) ; np.outer(c, u) ; np.outer(W, u) ; np.kron(u, v) ; np.kron(A, W)
np.tensordot(T, W, axes=2) ; np.tensordot(T, A, axes=1) ; np.tensordot(T, u, axes=([2], [0]))
np.tensordot(T, W, axes=((1,), (0,))) ; np.einsum('ij,j->i', W, u) ; np.einsum('ij,ij->', W, V)
np.einsum('ij->ji', W) ; np.einsum('ii', A) ; np.einsum('kij,j->ki', T, u)
np.einsum('i,j', c, u) ; np.einsum('ij,ij->ij', W, row) ; np.cross(np.ones(3), np.ones(3))
np.trace(A) ; A.trace() ; np.convolve(u, c) ; np.correlate(u, c) ; np.linalg.inv(A)
np.linalg.det(A) ; np.linalg.solve(A, u) ; np.linalg.solve(A, A) ; np.linalg.norm(u)
np.linalg.norm(W) ; np.linalg.norm(W, axis=1) ; np.linalg.norm(u, 1)
np.linalg.norm(W, axis=0, keepdims=True) ; np.linalg.norm(h) ; np.linalg.norm(z)
np.linalg.norm(u, ord=np.inf) ; np.linalg.cholesky(S) ; np.linalg.slogdet(A)
np.linalg.eigvalsh(S) ; np.linalg.eigh(S) ; np.linalg.pinv(W) ; np.linalg.matrix_power(A, 2)
np.linalg.cond(A) ; np.linalg.matrix_rank(A) ; np.fft.fft(u) ; np.fft.ifft(z) ; np.fft.rfft(u)
np.fft.irfft(z) ; np.fft.fft(h) ; np.fft.fft(W, axis=0) ; np.fft.fft2(W) ; np.fft.ifft2(W)
np.fft.fftn(T) ; np.fft.ifftn(T) ; np.fft.fftshift(u) ; np.fft.ifftshift(W) ; np.fft.fftfreq(4)
np.fft.fftfreq(n) ; np.fft.rfftfreq(n) ; np.fft.rfft(h) ; np.zeros(3) ; np.zeros((3, 4))
np.zeros(n) ; np.zeros((n, 2)) ; np.zeros(len(u)) ; np.ones(W.shape) ; np.zeros(W.shape[0])
np.zeros(u.size) ; np.empty(u.shape, dtype=np.float32) ; np.zeros(3, int)
np.zeros((n, n), dtype=u.dtype) ; np.zeros(np.shape(W)) ; np.zeros(n - 2) ; np.zeros(n + 1)
np.zeros(2 * n) ; np.full(3, 1.0) ; np.full((n, 2), s) ; np.full(n, 2) ; np.full(u.shape, u[0])
np.full(3, s, dtype='float32') ; np.zeros_like(u) ; np.zeros_like(s) ; np.ones_like(W)
np.empty_like(h) ; np.full_like(u, 2.0) ; np.zeros_like(i4) ; np.zeros_like(u, dtype=int)
np.full_like(i4, 2.5) ; np.zeros_like(n) ; np.zeros_like(items) ; np.array(u) ; np.array(s)
np.array([s, s]) ; np.array([1, 2]) ; np.array([u, v]) ; np.array(items) ; np.array([1, 2.5])
np.array([[1.0, s], [s, 2.0]]) ; np.array((s, t)) ; np.array([]) ; np.array(rows)
np.array([[1.0, s, 2.0]]) ; np.array([[s], [1.0], [2.0]]) ; np.array(([1.0, s, 2.0], [3.0, s, s]))
np.array([(1.0, s, 2.0)]) ; np.array([[[s], [1.0]]]) ; np.array([items, items]) ; np.array([items, [s, 1.0, 2.0]])
np.array([[u, v, u], [v, v, v]]) ; np.array([[]]) ; np.array([[], []]) ; np.array([[row], [row]])
np.array([s, s32]) ; np.array(u, ndmin=2) ; np.array(s, ndmin=1) ; np.array(u, dtype=np.float32)
np.asarray(s) ; np.asarray(items) ; np.asarray(u, dtype=float) ; np.asanyarray(u) ; np.copy(u)
np.copy(s) ; np.ascontiguousarray(u) ; np.ascontiguousarray(s) ; np.ascontiguousarray(W.T)
np.arange(n) ; np.arange(5) ; np.arange(1, n) ; np.arange(0.0, 1.0, 0.1) ; np.arange(4.0)
np.arange(1, 7, 2) ; np.linspace(0.0, 1.0, 5) ; np.linspace(s, t, n) ; np.linspace(0, 1)
np.linspace(0, 1, num=n) ; np.logspace(0, 1, 5) ; np.geomspace(1, 2, 5)
np.linspace(0, 1, 5, endpoint=False) ; np.eye(3) ; np.eye(n) ; np.eye(2, 3) ; np.identity(n)
np.tri(3) ; np.tril_indices(3) ; np.triu_indices(n, 1) ; np.tril_indices_from(A) ; np.triu_indices_from(A)
np.diag(u) ; np.diag(A) ; np.diag(W) ; np.diag(u, 1) ; np.diagflat(u)
np.diagflat(W) ; np.vander(u) ; np.vander(u, 3) ; np.vander(i4, 3) ; np.meshgrid(u, c)
np.meshgrid(u, c, indexing='ij') ; np.nonzero(m4) ; np.nonzero(W) ; np.flatnonzero(m4)
np.argwhere(m4) ; np.argwhere(W)
np.reshape(W, (4, 3)) ; np.reshape(W, -1) ; np.reshape(u, (2, -1)) ; W.reshape(-1)
W.reshape(12) ; W.reshape(2, 6) ; W.reshape((2, 6)) ; W.reshape(W.shape) ; u.reshape(-1, 1)
u.reshape(1, -1) ; T.reshape(2, -1) ; u.reshape(n) ; u.reshape(u.shape) ; W.reshape(-1, n)
np.reshape(W, W.size) ; T.reshape(-1, 4) ; T.reshape(2, 3, -1) ; np.ravel(W) ; np.ravel(u)
np.ravel(s) ; W.ravel() ; W.flatten() ; u.flatten() ; np.ravel(T) ; zero.ravel()
np.transpose(W) ; W.T ; u.T ; T.T ; W.transpose() ; T.transpose(0, 2, 1)
np.transpose(T, (1, 0, 2)) ; T.transpose((2, 0, 1)) ; np.swapaxes(T, 0, 2) ; T.swapaxes(1, -1)
np.moveaxis(T, 0, -1) ; np.moveaxis(T, [0, 1], [1, 2]) ; np.expand_dims(u, 0)
np.expand_dims(u, -1) ; np.expand_dims(W, 1) ; np.expand_dims(u, (0, 2)) ; np.squeeze(row)
np.squeeze(row, 0) ; np.squeeze(col, axis=1) ; row.squeeze() ; np.broadcast_to(u, (3, 4))
np.broadcast_to(s, u.shape) ; np.broadcast_to(u, W.shape) ; np.broadcast_arrays(col, row)
np.broadcast_arrays(u, s) ; np.atleast_1d(s) ; np.atleast_1d(u) ; np.atleast_2d(u)
np.atleast_2d(W) ; np.atleast_2d(s) ; np.concatenate((u, v)) ; np.concatenate([u, np.zeros(2)])
np.concatenate((W, V), axis=1) ; np.concatenate(pair) ; np.concatenate((W, V))
np.concatenate(rows) ; np.concatenate((u[1:-1], np.zeros(2))) ; np.concatenate((W, V), axis=-1)
np.concatenate((u, i4)) ; np.concatenate((T, T), axis=2) ; np.stack((u, v))
np.stack([u, v], axis=1) ; np.stack(rows) ; np.stack((W, V), axis=-1) ; np.stack((s, t))
np.vstack((u, v)) ; np.vstack((W, V)) ; np.hstack((u, v)) ; np.hstack((W, V))
np.hstack((s, t)) ; np.column_stack((u, v)) ; np.column_stack((W, c)) ; np.vstack((W, u))
np.hstack((u, 1.0)) ; np.vstack(rows) ; np.append(u, 1.0) ; np.append(u, v)
np.append(W, V, axis=0) ; np.split(u, 2) ; np.array_split(u, 3) ; np.split(W, 2, axis=1)
np.tile(u, 2) ; np.tile(u, (2, 1)) ; np.tile(W, (1, 2)) ; np.tile(u, n) ; np.repeat(u, 2)
np.repeat(W, 2, axis=0) ; np.repeat(W, 2) ; np.repeat(u, n) ; u.repeat(3) ; np.pad(u, 1)
np.pad(u, (1, 2)) ; np.pad(W, ((1, 1), (0, 2))) ; np.pad(u, n) ; np.pad(W, 1) ; np.roll(u, 1)
np.roll(W, 1, axis=0) ; np.roll(s, 1) ; np.flip(u) ; np.flip(W, 0) ; np.fliplr(W) ; np.flipud(W)
np.rot90(W) ; np.rot90(W, 2) ; np.tril(A) ; np.triu(W) ; np.diagonal(A) ; np.diagonal(W)
A.diagonal() ; np.take(u, i2) ; np.take(W, i2, axis=0) ; np.take(u, 1) ; u.take(i2)
np.take(W, 1, axis=1) ; np.take(W, i2) ; np.take_along_axis(u, i4, 0) ; np.gradient(u)
np.gradient(W) ; np.gradient(u, 0.1) ; np.gradient(W, axis=0) ; np.unique(i4) ; np.diff(u)
np.diff(W) ; np.diff(W, axis=0) ; np.diff(u, 2) ; np.diff(u, n=2) ; np.diff(i4) ; np.cumsum(u)
np.cumsum(W) ; np.cumsum(W, axis=0) ; np.cumprod(u) ; u.cumsum() ; W.cumsum(axis=1)
np.cumsum(i4) ; np.cumsum(m4) ; np.nancumsum(u) ; np.nancumprod(u) ; np.sort(u) ; np.sort(W)
np.sort(W, axis=0) ; np.argsort(u) ; np.sort(W, axis=None) ; u.argsort()
np.searchsorted(u, 0.5) ; np.searchsorted(u, v) ; np.trapezoid(u) ; np.trapezoid(u, v)
np.trapezoid(W, dx=0.1) ; np.trapezoid(W, axis=0) ; np.percentile(u, 50) ; np.quantile(u, 0.5)
np.quantile(W, 0.5, axis=0) ; np.quantile(u, np.array([0.1, 0.9]))
np.percentile(W, np.array([10.0, 90.0]), axis=1) ; np.quantile(h, 0.5)
np.average(u, weights=v) ; np.average(W, axis=0, weights=c) ; np.where(m4, u, v)
np.where(u > 0.5, u, 0.0) ; np.where(m4, h, 0.0) ; np.where(flag, s, t) ; np.where(mW, W, u)
np.where(u > v, 1, 0) ; np.where(m4, s, 1) ; np.clip(u, 0.0, 1.0) ; np.clip(s, 0.0, 1.0)
np.clip(u, v, None) ; u.clip(0.0, 1.0) ; np.clip(W, u, 1.0) ; np.clip(h, 0.0, s)
np.select([u > 0.5, u > 0.2], [u, v]) ; np.select([u > 0.5], [u], 0.0) ; np.interp(u, v, v)
np.interp(s, u, v) ; np.polyval(u, s) ; np.polyval(u, v) ; np.polyval(u, W) ; np.polyval(u, t)
np.sum(W, 0) ; u.sum() ; W.sum(axis=0) ; W.sum(0) ; W.mean(axis=1) ; u.mean() ; u.std()
u.var() ; u.max() ; u.min() ; u.prod() ; i4.sum() ; m4.sum() ; m4.any() ; m4.all() ; np.sum(m4)
np.mean(i4) ; np.mean(h) ; np.sum(h) ; u.argmax() ; W.sum(axis=1, keepdims=True)
np.sum(W, axis=n - 4) ; np.sum(items) ; np.mean(rows) ; np.sum(s) ; np.max(s) ; np.mean(zero)
np.std(z) ; np.var(z) ; np.mean(z) ; np.sum(z) ; np.max(W, axis=k - 1)
np.sum(u, dtype=np.float32) ; np.prod(i4) ; u.copy() ; W.copy() ; zero.copy() ; t.copy()
u.astype(np.float32) ; u.astype(int) ; u.astype('float64') ; t.astype(int) ; u.conj()
u.round() ; u.round(2) ; u.item(0) ; zero.item() ; t.item() ; u.tolist() ; W.tolist()
u.fill(0.0) ; u.nonzero() ; u.shape ; W.shape ; u.ndim ; W.ndim ; u.size ; W.size ; u.dtype.char
u.dtype.kind ; s32.dtype.name ; W.shape[0] ; W.shape[-1] ; W.shape[1:] ; len(u) ; len(W)
len(items) ; len(pair) ; np.shape(W) ; np.ndim(W) ; np.size(u) ; np.ndim(s) ; np.shape(s)
len(u[1:-1]) ; len(u) - 2 ; len(u[2:]) + 2 ; n - 1 ; n + 1 - 1 ; np.isscalar(s) ; np.isscalar(u)
np.isscalar(zero) ; np.iscomplexobj(z) ; np.iscomplexobj(u) ; np.isrealobj(u)
np.allclose(u, v) ; np.array_equal(u, v) ; isinstance(u, np.ndarray) ; isinstance(s, float)
isinstance(t, float) ; isinstance(n, int) ; isinstance(pair, (tuple, list))
isinstance(items, list) ; isinstance(u, (float, int)) ; isinstance(s32, float)
isinstance(k, int) ; isinstance(flag, int) ; isinstance(t, float | int) ; isinstance(n, str | None)
u.ndim == 1 ; np.ndim(u) > 0
u.dtype.char in '?bBhHiIlLqQpP' ; i4.dtype.char in '?bBhHiIlLqQpP' ; W.ndim == 2 and flag
nothing is None or u.ndim == 3 ; not (W.ndim == 2) ; len(W.shape) == 2 ; text == 'abc'
u.dtype == float ; callable(u) ; u[0] ; u[-1] ; u[n - 1] ; u[k] ; u[1:] ; u[:-1] ; u[1:-1]
u[2:] ; u[:-2] ; u[:] ; u[::-1] ; u[::2] ; u[1::2] ; u[:2] ; u[-2:] ; u[:n] ; u[n - 3:]
u[1:n - 1] ; u[:len(u) - 1] ; u[:len(u)] ; u[0:-1] ; u[None] ; u[:, None] ; u[None, :] ; u[...]
u[..., None] ; u[-3:-1] ; u[1:3] ; u[len(u) - 1] ; u[:3 - 1] ; u[10:] ; u[:len(u) - 3]
empty[1:-1] ; empty[:-2] ; u[-1:] ; u[2:][:-1] ; W[0] ; W[0, 1] ; W[0, :] ; W[:, 0] ; W[1:, :-1]
W[-1] ; W[..., 0] ; W[0, ...] ; W[:, None, :] ; W[None] ; W[:, ::-1] ; W[n - 2] ; W[1, 1:]
T[0] ; T[0, 1] ; T[0, 1, 2] ; T[:, 0] ; T[..., 0] ; T[0, ..., 0] ; T[:, :, 1:] ; W[0][1]
W.T[0] ; u[i4] ; u[i2] ; u[m4] ; W[i2] ; W[:, i4] ; W[i2, i2] ; W[mW] ; W[i2, 0] ; W[0, i2]
T[i2, :, i2] ; T[:, i2, i2] ; T[0, :, i2] ; u[[0, 1]] ; W[[0, 1], [1, 2]] ; u[u > 0.5]
W[W > 0.5] ; W[i2, 1:] ; T[i2, i2] ; T[..., i2] ; W[(0, 1)] ; T[i2, None, 0] ; T[:, m4[:3]]
u[i2[:, None]] ; W[i2[:, None], i4] ; u[[True, False, True, True]] ; zero[()] ; u[m4] + 1.0
W[m4[1:]] ; pair[0] ; pair[1] + u ; rows[0] ; rows[0] + rows[0] ; items[1] ; items[1:]
layers[0] ; layers[0][0] ; pair[n - 4] ; text[0] ; (s, u) ; [u, v] ; (u, v)[0]
[s, 1.0] + items ; items * 2 ; (s,) + (t,) ; text + 'd' ; '%d' % n ; u + items[0] ; c + items
np.float64(s) ; np.float32(s) ; np.float64(u) ; np.int64(n) ; float(t) ; float(zero) ; int(s)
float(n) ; bool(n) ; complex(s) ; min(s, 1.0) ; max(s, t) ; min(n, 3) ; max(items) ; min(u)
max(0.0, s) ; max(0, s) ; sum(items) ; sum(u) ; sum([1, 2]) ; round(s) ; round(s, 2)
math.sin(s) ; math.sqrt(t) ; math.atan2(s, t) ; math.pow(s, 2) ; math.floor(s) ; math.isnan(s)
math.log(s) ; math.log(s, 2) ; math.hypot(s, t) ; math.exp(zero) ; math.pi * s ; math.pi * u
np.pi * h ; np.inf ; np.exp(-u ** 2 / 2.0) ; np.sum((u - v) ** 2) ; 0.5 * np.sum(W * W)
list(items) ; list(range(n)) ; tuple(pair) ; divmod(n, 2) ; divmod(s, 2) ; np.divmod(u, 2.0)
np.modf(u) ; np.frexp(u) ; np.add(u, v, out=u) ; np.sum(u, keepdims=True) ; np.sum(zero)
np.sqrt(zero) ; zero + 1.0 ; zero * zero ; np.exp(zero) * u ; np.maximum(u, 0.0)
np.maximum(s, 0.0) ; np.minimum(W, u) ; np.sum(np.where(u > 0.5, u, 0.0)) ; np.dot(u, W.T)
np.dot(W.T, c) ; math.asin(s) ; math.acos(s) ; math.acosh(2.0) ; math.atanh(s) ; math.asinh(s)
math.gamma(s) ; math.lgamma(s) ; math.erf(s) ; math.erfc(s) ; math.ldexp(s, 2)
math.isqrt(n) ; math.factorial(n) ; two[:len(two) - 3] ; two[1:-1] ; len(two[2:][1:]) + 3
np.concatenate((two[2:][1:], np.zeros(3))) ; two[:len(two) - 2] ; two[2:][:-1]
math.fsum(u) ; statistics.fmean(u) ; statistics.stdev(u) ; statistics.pstdev(u)
math.dist(u, v) ; math.comb(n, 2) ; math.gcd(n, 2) ; repr(s) ; np.isposinf(u)
np.random.normal(u, s) ; np.random.normal(s, t, 4) ; np.random.uniform(s, t, (2, n))
np.random.normal(W, u) ; np.random.normal(s) ; np.random.randn(4) ; np.random.randn(2, n)
np.random.rand(3) ; np.random.gamma(2.0, u) ; np.random.exponential(s, 3) ; np.random.laplace(u)
np.random.logistic(s, t) ; np.random.gumbel(u, s) ; np.random.rayleigh(u) ; np.random.weibull(u, 4)
np.random.lognormal(s, t, size=4) ; np.random.power(u) ; np.random.pareto(t, 3) ; np.random.beta(s, t)
np.random.multivariate_normal(u, S) ; np.random.multivariate_normal(u, S, 3)
np.random.multivariate_normal(u, S, (2, 3)) ; np.random.permutation(n) ; np.random.permutation(u)
np.random.standard_normal(4) ; np.random.standard_normal() ; np.random.random(3)
np.random.standard_t(s, 3) ; np.random.chisquare(s) ; np.random.standard_exponential(3)
np.random.random_sample(4) ; np.random.standard_cauchy(2) ; np.random.default_rng(0) ; np.random.RandomState(3) ; np.diag_indices_from(A) ; np.linalg.svd(A) ; np.linalg.svd(W) ; np.linalg.svd(W, full_matrices=False)
np.linalg.svd(W, False, False) ; np.linalg.svd(T, compute_uv=False) ; np.linalg.svdvals(W)
np.linalg.qr(W) ; np.linalg.qr(A) ; np.linalg.qr(A, mode='r') ; np.linalg.qr(W, 'complete')
np.linalg.qr(T) ; np.linalg.lstsq(W, c, rcond=None) ; np.linalg.lstsq(A, A, rcond=None)
np.linalg.eig(S) ; np.linalg.eigvals(S) ; np.linalg.matrix_norm(W) ; np.linalg.matrix_norm(T)
np.linalg.matrix_norm(T, keepdims=True) ; np.linalg.vector_norm(u) ; np.linalg.vector_norm(W)
np.linalg.vector_norm(W, axis=0) ; np.linalg.norm(W, 2) ; np.linalg.norm(W, 'nuc')
np.linalg.norm(W, ord=1, axis=0) ; np.linalg.tensorsolve(A, u) ; np.linalg.tensorinv(A, ind=1)
np.linalg.vector_norm(h) ; np.matrix_transpose(T) ; T.mT ; np.linalg.matrix_transpose(W) ; np.linalg.matmul(A, u)
np.linalg.outer(u, c) ; np.linalg.tensordot(T, A, axes=1) ; np.linalg.trace(A) ; np.linalg.trace(T)
np.linalg.diagonal(A) ; np.linalg.diagonal(T) ; np.linalg.vecdot(W, u) ; np.vecdot(u, v)
np.vecdot(T, u) ; np.matvec(W, u) ; np.matvec(T, u) ; np.vecmat(c, W) ; np.vecmat(W, A)
np.linalg.multi_dot([W, A, u]) ; np.linalg.multi_dot([c, W, A]) ; np.linalg.multi_dot((c, W, u))
np.linalg.multi_dot([W, A]) ; np.astype(u, np.float32) ; np.rollaxis(T, 2) ; np.rollaxis(T, 0, 2)
np.rollaxis(T, -1, 1) ; np.atleast_3d(u) ; np.atleast_3d(W) ; np.atleast_3d(s) ; np.atleast_3d(T)
np.rot90(T, 1, (1, 2)) ; np.rot90(T, -1, axes=(0, 2)) ; np.unwrap(u) ; np.unwrap(W, axis=0)
np.delete(u, 1) ; np.delete(W, 1, axis=0) ; np.delete(W, [0, 1], 1) ; np.delete(W, 0)
np.insert(u, 1, s) ; np.insert(u, [1, 2], s) ; np.insert(W, 1, c, axis=1) ; np.insert(W, 1, s)
np.compress(m4, u) ; np.compress(m4, W, axis=1) ; u.compress(m4) ; np.extract(m4, u)
np.trim_zeros(u) ; np.resize(u, 7) ; np.resize(u, (2, n)) ; np.dstack((u, v)) ; np.dstack((W, V))
np.dstack((T, T)) ; np.dstack((s, s)) ; np.block([[W, V], [V, W]]) ; np.block([W, V])
np.block([[W], [V]]) ; np.choose(i2, [two, two]) ; np.choose(i2, (two, 1.0)) ; np.choose(i2, [s, t])
np.real_if_close(u) ; np.lib.stride_tricks.sliding_window_view(u, 2) ; np.r_[u, s, v] ; np.r_[s, t]
np.lib.stride_tricks.sliding_window_view(W, (2, 2)) ; np.c_[u, v] ; np.c_[W, c] ; np.r_[h, s]
np.lib.array_utils.normalize_axis_index(n - 5, 4)
np.linalg.cross(x3, c) ; u.view() ; np.partition(u, 2) ; np.partition(W, 1, axis=0) ; np.argpartition(u, 2) ; np.ptp(W, axis=0)
np.hsplit(u, 2) ; np.hsplit(W, 2) ; np.vsplit(W, 3) ; np.dsplit(T, 2) ; np.roots(u)
np.polyder(u) ; np.polyder(u, 2) ; np.polyint(u) ; np.polyadd(u, c) ; np.polysub(u, c)
np.polymul(u, c) ; np.poly(u) ; np.polyfit(u, v, 2) ; np.polyfit(u, v, n - 2) ; np.polyfit(u, A, 1)
np.polynomial.polynomial.polyval(u, c) ; np.polynomial.polynomial.polyval(s, c)
np.polynomial.polynomial.polyval(h, c) ; np.cov(W) ; np.cov(u, v) ; np.cov(W, rowvar=False)
np.cov(h, h) ; np.corrcoef(W) ; np.corrcoef(u, v) ; np.bincount(i4) ; np.bincount(i4, weights=u)
np.histogram(u, 3, weights=v) ; np.histogram(u) ; np.histogram(u, bins=c, weights=h)
np.digitize(u, c) ; np.digitize(s, c) ; np.lexsort((u, v)) ; np.nanpercentile(u, 30)
np.nanquantile(W, 0.3, axis=0) ; np.ediff1d(u) ; np.ediff1d(W) ; np.add.reduce(u)
np.add.reduce(W) ; np.add.reduce(W, axis=1, keepdims=True) ; np.add.reduce(W, axis=None)
np.logaddexp.reduce(u) ; np.logaddexp.reduce(W, axis=1)
np.multiply.reduce(W) ; np.maximum.reduce(u) ; np.minimum.reduce(W, 1) ; np.add.accumulate(u)
np.add.reduce(h) ; np.multiply.accumulate(W, 1) ; np.maximum.accumulate(h) ; np.minimum.accumulate(W)
np.add.reduceat(u, [0, 2]) ; np.add.reduceat(u, i2) ; np.multiply.outer(u, W) ; np.add.outer(s, u)
np.subtract.outer(h, u) ; np.cumulative_sum(u) ; np.cumulative_prod(W, axis=0)
np.isneginf(u) ; (1,) * u.ndim ; W.shape + (1,) * u.ndim ; 2 * (s, u) ; (s,) * n
W.reshape(W.shape + (1,) * u.ndim) ; str(s) ; text.upper() ; text.startswith('a')
"""
CASES += [case.strip() for line in TABLE.strip().splitlines() for case in line.split(" ; ")]
