"""What is computed of memory, then the memory changes by some name, then both are read.

C = A * B                    the adjoint of C is A as it was, and has to be
np.transpose(A)[1] *= v[:3]      saved, or A put back before it is read
return np.sum(A * C)
"""

from __future__ import annotations

import random

from tests.fuzz.families.passes import forms

# A and B are matrices of three rows and four columns, v is a vector of four, c is a number
USES = (
    *("C = A * B", "C = A / (B ** 2 + 1.0)", "C = np.where(A > 0.4, A, B)", "C = A", "C = A[::-1]"),
    *("C = A ** 2", "C = np.sin(A) * B", "C = A + B", "C = (A @ B.T) @ B", "C = A * A.sum(axis=0)"),
    *("C = A / (1.0 + np.linalg.norm(A))", "C = np.cumsum(A, axis=0) * A", "C = A.reshape(3, 4)"),
    *(
        "L = [A, B]\nC = L[0] * L[1]",
        "L = (A * v, A)\nC = L[1] * B",
        'd = {"a": A}\nC = d["a"] * B',
    ),
    "o = SimpleNamespace(a=A, b=B)\nC = o.a * o.b",
)
VIEWS = forms("""
A.ravel()  A.reshape(-1)  np.ravel(A)  A.reshape(4, 3)  A.T  np.transpose(A)  A.swapaxes(0, 1)
A[:, None].squeeze()  np.squeeze(A[None])  A.view()  np.flip(A)  np.rot90(A)  np.moveaxis(A, 0, 1)
np.expand_dims(A, 0)  np.split(A, 3)[0]  A[1:].ravel()  A.real  np.atleast_2d(A)  np.asarray(A)
""")
STORES = ("[..., 1] = c", "[..., 1] *= c", "[..., :2] += v[0]", "[...] *= c", "[..., -1] -= c * c")
CHANGES = (
    *("row = A[0]\nrow *= v", "for row in A:\n    row *= v", "for row in A.T:\n    row += v[1]"),
    *("for k, row in enumerate(A):\n    row[k] = v[k]", "for row, x in zip(A, v):\n    row -= x"),
    *("np.multiply(A, 2.0 * c, out=A)", "np.add(A[0], v, out=A[1])", "np.copyto(A[0], v)"),
    *("np.add.at(A, ([0, 0], [1, 1]), v[:2])", "np.put(A, [1, 3], v[:2])", "A.flat[[1, 2]] *= c"),
    *(
        "np.fill_diagonal(A, v[0])",
        "A.sort(axis=0)",
        "np.putmask(A, A > 0.5, v[0])",
        "A[0].fill(c)",
    ),
    *("A[0], A[1] = A[1].copy(), A[0] * c", "A[[0, 1], [0, 1]] *= v[:2]", "A[A > 0.5] *= c"),
    *(
        "p, q = np.hsplit(A, 2)\np *= c\nq += p",
        "T = A.T\nT[1] *= v[:3]",
        "w = A.ravel()\nw[2:5] = c",
    ),
    *("def g(X):\n    X[0] *= v\ng(A)", "def g(X, y):\n    X += y\n    return X\nB = B * g(A, v)"),
    *(
        "L = [A, B]\nL[0][1] += v\nL.reverse()\nL[0] *= c",
        "L = [B]\nL.append(A)\nL.pop()\nB = L[0]",
    ),
    *(
        "L = [A, B]\nX = L.pop(0)\nB = L[0] * c",
        "L = [A]\nL.append(L[0])\nL[1] *= c",
        "A = A.copy()",
    ),
    *('d = {"a": A}\nd["a"][1] *= v', 'd = {"a": A, "b": B}\nB = d.pop("b") * d["a"]\nd["a"] *= v'),
    *("o = SimpleNamespace(a=A)\no.a[0] *= v", "o = SimpleNamespace(a=A)\no.a *= v\nB = o.a + B"),
    *("P, Q = A, B\nP[:, 1] *= Q[:, 0]", "A = np.broadcast_to(v, (3, 4)).copy()\nA.ravel()[3] = c"),
    *("A[::-1][0] = v", "np.cumsum(A, axis=0, out=A)", "A += B * c", "A = A * B", "A, B = B, A"),
    *(
        "if v[0] < 0.5:\n    A[0] = v",
        "k = 0\nwhile k < 2:\n    A[k] += v\n    k += 1",
        "B[1] = A[1]",
    ),
)
RESULTS = (
    *(
        "np.sum(A * C)",
        "np.sum(A * B * C)",
        "np.sum(A * C) + np.sum(C * C)",
        "np.sum(C) * np.sum(A)",
    ),
    *("np.linalg.norm(C) + np.sum(A * B)", "np.sum(np.cos(C) * A) + c", "np.sum((A - C) ** 2 * B)"),
)


def program(rng: random.Random) -> str:
    """Return a function of a matrix, a vector and a number."""

    def change() -> str:
        if rng.random() < 0.4:
            return rng.choice(VIEWS) + rng.choice(STORES)
        return rng.choice(CHANGES)

    steps = [rng.choice(USES), *(change() for _ in range(rng.randint(1, 2)))]
    start = [
        "B = M * c",
        rng.choice(("A = B + 0.1", "A = np.sin(M)", "A = B.copy()", "A = 2.0 * B")),
    ]
    end = rng.choice(RESULTS)
    if rng.random() < 0.3:
        inner = "\n".join((*steps, f"s = s + {end}", "v = v * 0.9"))
        steps = ["s = 0.0", "for i in range(3):", *(f"    {line}" for line in inner.splitlines())]
        end = "s * np.sum(A)"
    body = "".join(f"    {line}\n" for step in (*start, *steps) for line in step.splitlines())
    return (
        "from types import SimpleNamespace\n\nimport numpy as np\n\n\n"
        f"def f(M, v, c):\n{body}    return {end}\n"
    )
