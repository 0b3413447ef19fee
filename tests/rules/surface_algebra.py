"""The NumPy surface, part three: products, linear algebra, random numbers."""

from __future__ import annotations

from surface_entry import Family

PRODUCTS: Family = {
    1: {
        "np.matmul": ("np.matmul(A, B)", "np.matmul(M, u)"),
        "@ operator": ("A @ B", "u @ A @ u", "M @ A"),
        "np.dot": ("np.dot(x, z)", "np.dot(A, u)", "np.dot(A, B)"),
        "np.vdot": "np.vdot(x, z)",
        "np.inner": ("np.inner(x, z)", "np.inner(A, u)"),
        "np.outer": "np.outer(x, u)",
        "np.tensordot": ("np.tensordot(A, B, axes=1)", "np.tensordot(A, B, axes=([0], [0]))"),
        "np.einsum": (
            "np.einsum('ij,jk->ik', A, B)",
            "np.einsum('ij,j', A, u)",
            "np.einsum('ii', A)",
            "np.einsum('ii->i', A)",
            "np.einsum('i,i->', x, z)",
            "np.einsum('i,j->ij', x, u)",
            "np.einsum('ij->j', A)",
            "np.einsum('ij,jk,k->i', A, A, u)",
            "np.einsum('...ij,...j->...i', M, u)",
            "np.einsum('nij,njk->nik', M, M, optimize=True)",
            "np.einsum('ij->ji', B)",
        ),
        "np.kron": ("np.kron(x, z)", "np.kron(A, B)"),
        "np.cross": ("np.cross(u, A[0])", "np.cross(A, u)", "np.cross(A, C, axis=0)"),
        "np.convolve": "np.convolve(x, u)",
        "np.trace": ("np.trace(A)", "np.trace(A, 1)", "np.trace(M, axis1=1, axis2=2)"),
        "x.dot()": "A.dot(u)",
    },
    2: {
        "np.convolve(same)": ("np.convolve(v, u, mode='same')", "np.convolve(v, u, 'valid')"),
        "np.correlate": (
            "np.correlate(v, u)",
            "np.correlate(v, u, mode='full')",
            "np.correlate(v, u, 'same')",
        ),
    },
    3: {
        "np.vecdot": ("np.vecdot(x, z)", "np.vecdot(A, u)"),
        "np.matvec": "np.matvec(M, u)",
        "np.vecmat": "np.vecmat(u, M)",
        "np.einsum_path": "s * len(np.einsum_path('ij,jk->ik', A, B)[0])",
        "np.linalg.cross": "np.linalg.cross(u, A[0])",
        "np.linalg.outer": "np.linalg.outer(x, u)",
        "np.linalg.matmul": "np.linalg.matmul(A, B)",
        "np.linalg.trace": "np.linalg.trace(A)",
        "np.linalg.diagonal": "np.linalg.diagonal(A)",
        "np.linalg.matrix_transpose": "np.linalg.matrix_transpose(M)",
        "np.linalg.tensordot": "np.linalg.tensordot(A, B, axes=1)",
        "np.linalg.vecdot": "np.linalg.vecdot(x, z)",
    },
}

ALGEBRA: Family = {
    1: {
        "np.linalg.inv": "np.linalg.inv(A)",
        "np.linalg.det": "np.linalg.det(A)",
        "np.linalg.pinv": ("np.linalg.pinv(B)", "np.linalg.pinv(B.T)", "np.linalg.pinv(A)"),
        "np.linalg.solve": ("np.linalg.solve(A, u)", "np.linalg.solve(A, B)"),
        "np.linalg.solve(batched)": "np.linalg.solve(M, np.stack([B, B]))",
        "np.linalg.inv(batched)": "np.linalg.inv(M)",
        "np.linalg.cholesky": (
            "np.linalg.cholesky(A @ A.T)",
            "L = np.linalg.cholesky(A @ A.T)\ny = np.log(np.diag(L))",
        ),
        "np.linalg.slogdet": (
            "sign, d = np.linalg.slogdet(A)\ny = d",
            "np.linalg.slogdet(A)[1]",
            "np.linalg.slogdet(A).logabsdet",
        ),
        "np.linalg.qr": (
            "q, r = np.linalg.qr(A)\ny = q * r",
            "q, r = np.linalg.qr(B)\ny = q @ r * B + q",
            "np.linalg.qr(A)[1]",
        ),
        "np.linalg.svd": (
            "np.linalg.svd(A, compute_uv=False)",
            "np.linalg.svd(B, full_matrices=False)[1]",
        ),
        "np.linalg.svd(U,V)": (
            "p, q, r = np.linalg.svd(A)\ny = p[:, 0] * p[1, 0] + q * r[0] * r[0, 1]",
            "p, q, r = np.linalg.svd(B, full_matrices=False)\ny = (p * q) @ r * B",
        ),
        "np.linalg.eigh": ("q, r = np.linalg.eigh(A + A.T)\ny = q", "np.linalg.eigh(A + A.T)[0]"),
        "np.linalg.eigh(vectors)": "q, r = np.linalg.eigh(A + A.T)\ny = q * r[0] * r[2]",
        "np.linalg.eigvalsh": "np.linalg.eigvalsh(A + A.T)",
        "np.linalg.eig": (
            "q, r = np.linalg.eig(A @ A.T)\ny = q.real",
            "q, r = np.linalg.eig(A)\ny = (q * q).real",
            "q, r = np.linalg.eig(A)\ny = r[0].real * r[1].imag",
            "q, r = np.linalg.eig(C)\ny = np.abs(q) + r[0].real * r[1].imag + r[1].real",
        ),
        "np.linalg.norm": ("np.linalg.norm(x)", "np.linalg.norm(A)"),
        "np.linalg.norm(axis)": (
            "np.linalg.norm(A, axis=1)",
            "np.linalg.norm(A, axis=0, keepdims=True)",
        ),
        "np.linalg.matrix_power": (
            "np.linalg.matrix_power(A, 3)",
            "np.linalg.matrix_power(A, -2)",
            "np.linalg.matrix_power(A, n)",
        ),
        "np.linalg.lstsq": (
            "np.linalg.lstsq(B, u, rcond=None)[0]",
            "q, res, rank, sv = np.linalg.lstsq(B, A, rcond=None)\ny = q",
        ),
    },
    2: {
        "np.linalg.det(batched)": "np.linalg.det(M)",
        "np.linalg.svdvals": "np.linalg.svdvals(A)",
        "np.linalg.eigvals": ("np.linalg.eigvals(A @ A.T).real", "np.linalg.eigvals(A).real ** 2"),
        "np.linalg.norm(ord=1)": (
            "np.linalg.norm(x, 1)",
            "np.linalg.norm(A, 1)",
            "np.linalg.norm(A, ord=1, axis=0)",
        ),
        "np.linalg.norm(ord=inf)": (
            "np.linalg.norm(x, np.inf)",
            "np.linalg.norm(x, ord=np.inf)",
            "np.linalg.norm(A, np.inf)",
        ),
        "np.linalg.norm(fro)": "np.linalg.norm(A, 'fro')",
        "np.linalg.norm(2,matrix)": "np.linalg.norm(A, 2)",
        "np.linalg.multi_dot": ("np.linalg.multi_dot([A, A, B])", "np.linalg.multi_dot((u, A, B))"),
        "np.linalg.matrix_norm": ("np.linalg.matrix_norm(A)", "np.linalg.matrix_norm(M)"),
        "np.linalg.vector_norm": ("np.linalg.vector_norm(x)", "np.linalg.vector_norm(A, axis=0)"),
    },
    3: {
        "np.linalg.svd(full)": "p, q, r = np.linalg.svd(B)\ny = q",
        "np.linalg.norm(nuc)": "np.linalg.norm(A, 'nuc')",
        "np.linalg.cond": ("np.linalg.cond(A)", "np.linalg.cond(A, 1)"),
        "np.linalg.tensorsolve": "np.linalg.tensorsolve(A, u)",
        "np.linalg.tensorinv": "np.linalg.tensorinv(A, ind=1)",
        "np.linalg.matrix_rank": "s * np.linalg.matrix_rank(A)",
    },
}

SEED = "np.random.seed(0)\n"
RNG = "rng = np.random.default_rng(0)\n"

RANDOM: Family = {
    1: {
        "np.random.normal(loc,scale) [reparam.]": (
            SEED + "y = np.random.normal(s, t, 4)",
            SEED + "y = np.random.normal(x, z)",
            SEED + "y = np.random.normal(loc=s, scale=t, size=(2, 2))",
        ),
        "np.random.uniform(lo,hi) [reparam.]": (
            SEED + "y = np.random.uniform(s, t, 4)",
            SEED + "y = np.random.uniform(x, z)",
        ),
        "np.random.multivariate_normal [reparam.]": (
            RNG + "y = rng.multivariate_normal(u, A @ A.T, method='cholesky')",
            RNG + "y = rng.multivariate_normal(u, A @ A.T, 5, method='cholesky')",
        ),
        "np.random.randn()*x": (
            SEED + "y = np.random.randn(4) * x",
            RNG + "y = rng.standard_normal(4) * x",
        ),
        "np.random.default_rng normal [reparam.]": (
            RNG + "y = rng.normal(s, t, 4)",
            RNG + "y = rng.normal(x, z)",
            RNG + "y = rng.uniform(s, t, size=4)",
        ),
    },
    2: {
        "np.random.exponential(scale) [reparam.]": (
            SEED + "y = np.random.exponential(s, 4)",
            RNG + "y = rng.exponential(x)",
        ),
        "np.random.gamma(shape) [implicit]": (
            SEED + "y = np.random.gamma(2.0, s, 4)",
            RNG + "y = rng.gamma(2.0, x)",
        ),
        "np.random.laplace [reparam.]": (
            SEED + "y = np.random.laplace(s, t, 4)",
            RNG + "y = rng.laplace(x, z)",
        ),
        "np.random.lognormal [reparam.]": (
            SEED + "y = np.random.lognormal(s, t, 4)",
            RNG + "y = rng.lognormal(x, z)",
        ),
    },
    3: {
        "np.random.beta [implicit]": RNG + "y = rng.beta(s, t, 4)",
        "np.random.standard_t": RNG + "y = rng.standard_t(3.0, 4) * x",
        "np.random.weibull [reparam.]": RNG + "y = rng.weibull(s, 4)",
    },
}
