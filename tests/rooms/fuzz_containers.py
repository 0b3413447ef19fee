"""Random programs with lists, dicts, tuples and objects that are made, changed and handed round.

    python -m tests.rooms.fuzz_containers 0 1000 numbers|arrays|dicts|records|mixed

Every container is made at the start, so that any statement may use it.
"""

import sys

from tests.rooms import fuzz


class Body:
    """An object with a number and an array."""

    def __init__(self, x, v):
        self.x = x
        self.v = v

    def kicked(self, c):
        self.x = self.x + c
        self.v[0] += c * self.x
        return self

    def energy(self):
        return self.x * self.x + spread(self.v)


def spread(v):
    return v[0] + v[1] * v[2]


STARTS = {
    "numbers": [
        "xs = [{n}, {n}, {n}]",
        "ys = [0.5] * 3",
        "rows = [[{n}, {n}], [{n}, 0.3, {n}]]",
    ],
    "arrays": ["L = [{v}, {v}, {v}]", "K = [{r}, u]", "T = [({n}, {v}), (0.4, {r})]"],
    "dicts": ["D = {{0: {n}, 2: {n}}}", 'E = {{"a": {v}, "b": {r}}}', "N = {{1: {n}}}"],
    "records": [
        "p = Body({n}, {w} * 1.0)",
        "q = Body(0.7, {w} * 1.0)",
        "ps = [p, q, Body({n}, {w} * 1.0)]",
    ],
}
ENDS = {
    "numbers": " + sum(xs) * ys[0] + sum(ys) * rows[-1][0] + rows[0][1]",
    "arrays": " + np.sum(L[0] * L[-1]) + np.sum(K[-1]) + T[0][0] * np.sum(T[-1][1])",
    "dicts": ' + sum(D.values()) * c + np.sum(E["a"] * E["b"]) + sum(N.values())',
    "records": " + p.x * q.x + np.sum(p.v * ps[-1].v) + sum(b.x for b in ps)",
}


class Containers(fuzz.Gen):
    """Programs over containers of one kind, or of all."""

    def kinds(self):
        return list(STARTS) if self.kind == "mixed" else [self.kind]

    def filled(self, text):
        """Return a text with random numbers, vectors and references in it."""
        while "{" in text.replace("{{", "").replace("}}", ""):
            for hole, made in (("{n}", self.num), ("{v}", self.vec), ("{r}", self.vecref)):
                if hole in text:
                    text = text.replace(hole, made(), 1)
            if "{w}" in text:
                text = text.replace("{w}", self.pick(self.vecs), 1)
            if "{i}" in text:
                text = text.replace("{i}", self.slot(), 1)
            if "{j}" in text:
                text = text.replace("{j}", self.idx(), 1)
            if "{k}" in text:
                text = text.replace("{k}", self.key(), 1)
            if "{o}" in text:
                text = text.replace("{o}", self.pick(["", "+", "-", "*"]), 1)
            if "{t}" in text:
                text = text.replace("{t}", self.test(), 1)
            if "{s}" in text:
                text = text.replace("{s}", self.pick(["", "+", "*"]), 1)
        return text.replace("{{", "{").replace("}}", "}")

    def slot(self):
        return self.pick(["0", "1", "-1", *self.loop])

    def key(self):
        return self.pick(["0", "1", "2", *[f"{i} % 3" for i in self.loop]])

    def statement(self):
        if self.r.random() < 0.55:
            return super().statement()
        kind = self.pick(self.kinds())
        return getattr(self, kind)()

    def say(self, *choices):
        text = self.filled(self.pick(choices))
        for line in text.split("; "):
            self.put(line)
        for x in ("v", "w", "y"):
            if text.startswith(f"{x} = "):
                self.know(self.vecs, x)

    def numbers(self):
        self.say(
            "xs.append({n})",
            "xs.insert({i}, {n})",
            "xs[{i}] {o}= {n}",
            "ys[{i}] {o}= 0.5 * {n}",
            "if len(xs) > 3: c = c + 0.2 * xs.pop()",
            "if len(xs) > 3: c = c + 0.2 * xs.pop(0)",
            "if len(xs) > 3: del xs[1]",
            "xs = xs + [{n}]",
            "xs = xs[:2] + ys[1:]",
            "ys = list(xs)",
            "ys = xs[1:] + [{n}]",
            "ys = xs",
            "ys = xs if {t} else ys",
            "xs, ys = ys, xs",
            "xs.extend([{n}, 0.1])",
            "xs.reverse()",
            "xs.sort()",
            "ys = [0.3 * x for x in xs]",
            "ys = [0.5, {n}] * 2",
            "c = c + 0.1 * max(xs)",
            "c = c + 0.1 * np.sum(np.array(xs)**2)",
            "for x in xs: c = c + 0.1 * x * x",
            "rows[0][{i}] {o}= 0.5 * {n}",
            "rows.append([{n}, 0.2])",
            "rows[0] = rows[1]",
            "rows[-1] = list(xs)",
            "rows = [row[:] for row in rows]",
            "row = rows[{i}]; row[0] = {n}",
            "c = c + 0.1 * sum(sum(row) for row in rows)",
            "for row in rows: row[0] *= 0.9",
            "xs[:] = [{n}, {n}, 0.1]",
            "a, *ys = xs[:3]; ys.append(a)",
        )

    def arrays(self):
        self.say(
            "L.append({v})",
            "L.append({r})",
            "L[{i}][{j}] {s}= 0.5 * {n}",
            "L[{i}] = {r}",
            "L[{i}] = {v}",
            "L[{i}] *= 0.5",
            "w = L[{i}]",
            "y = L[{i}]",
            "L[0], L[1] = L[1], L[0]",
            "if len(L) > 3: c = c + np.sum(L.pop())",
            "if len(L) > 3: L.pop(0)[0] = {n}",
            "L.insert(0, {r})",
            "K = L[:2]",
            "K = list(L)",
            "K = K[:1] + L[1:]",
            "K = [row * 0.5 for row in L]",
            "K, L = L, K",
            "L.reverse()",
            "K[{i}][0] {s}= {n}",
            "c = c + 0.1 * np.sum(np.stack(L)**2)",
            "c = c + 0.1 * np.sum(np.concatenate(K))",
            "v = sum(L)",
            "for row in K: row[0] *= 0.5",
            "for row in L: c = c + 0.1 * row[1]",
            "T.append(({n}, {r}))",
            "a, w = T[{i}]; c = c + 0.1 * a * np.sum(w)",
            "T[{i}][1][0] {s}= 0.5 * {n}",
            "T[{i}] = ({n}, {v})",
            "for a, w in T: c = c + 0.1 * a * w[0]",
            "T = [(a * 0.5, w) for a, w in T]",
            "t = T[0] if {t} else T[-1]; c = c + 0.1 * t[0] * t[1][1]",
        )

    def dicts(self):
        self.say(
            "D[{k}] = {n}",
            "if {k} in D: D[{k}] = {n}",
            "D[2] {o}= 0.5 * {n}",
            "c = c + 0.1 * D.get({k}, {n})",
            "D.setdefault({k}, {n})",
            "D = dict(D)",
            "D = {{k: 0.5 * x for k, x in D.items()}}",
            "N = D",
            "N = D if {t} else N",
            "N[{k}] = {n}",
            "N.update(D)",
            "for k, x in D.items(): c = c + 0.1 * x * x",
            "for x in D.values(): c = c + 0.1 * x",
            "if len(N) > 1 and 1 in N: c = c + 0.1 * N.pop(1)",
            "if 0 in N: del N[0]",
            'E["a"] = {r}',
            'E["b"] = {v}',
            'E["a"][{j}] {s}= 0.5 * {n}',
            'E["b"] *= 0.5',
            'w = E["a"]',
            'y = E["b"]',
            'E["a"], E["b"] = E["b"], E["a"]',
            'E = {{"a": E["b"], "b": {r}}}',
            "for z in E.values(): c = c + 0.1 * np.sum(z**2)",
            "for z in E.values(): z[0] *= 0.5",
            "E = dict(E)",
        )

    def records(self):
        self.say(
            "p.x {o}= {n}",
            "q.x = p.x * {n}",
            "p.v[{j}] {s}= 0.5 * {n}",
            "q.v = {w} * 1.0",
            "p.v = q.v",
            "q.v *= 0.5",
            "p, q = q, p",
            "q = p",
            "q = p if {t} else q",
            "p = ps[{i}]",
            "q = Body({n}, {w} * 1.0)",
            "ps.append(Body({n}, {w} * 1.0))",
            "ps[{i}] = q",
            "ps[{i}].x {o}= {n}",
            "ps[{i}].v[0] {s}= 0.5 * {n}",
            "p.kicked(0.2 * {n})",
            "q = p.kicked(0.1)",
            "c = c + 0.1 * ps[{i}].energy()",
            "for b in ps: c = c + 0.1 * b.x * b.v[1]",
            "for b in ps: b.x *= 0.7",
            "for b in ps: b.v[0] += 0.1 * b.x",
            "w = p.v",
            "y = ps[{i}].v",
            "ps[0], ps[1] = ps[1], ps[0]",
            "if len(ps) > 2: p = ps.pop()",
            "ps = [Body(0.5 * b.x, b.v) for b in ps]",
        )

    def program(self):
        if self.r.random() < 0.5:
            self.put("u = u * 1.0")
        self.put("M = M.copy()")
        for kind in self.kinds():
            for start in STARTS[kind]:
                self.put(self.filled(start))
        self.block(self.r.randint(4, 9))
        end = "".join(ENDS[kind] for kind in self.kinds())
        self.put(f"return np.sum({self.pick(self.vecs)} * u) + np.sum(M) + c * {self.num()}{end}")
        return "def f(u, M, c):\n" + "\n".join(self.lines) + "\n"


KINDS = (*STARTS, "mixed")
fuzz.GENERATORS.update(dict.fromkeys(KINDS, Containers))
fuzz.HELPERS["Body"] = Body

if __name__ == "__main__":
    fuzz.main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
