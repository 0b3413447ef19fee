"""More random programs: aliases of all kinds, calls that write, masks, positions, early exits.

python -m tests.rooms.wild 0 1000
"""

import sys

from tests.rooms import fuzz

VECTORS = ["v", "w", "y", "r", "s"]


class Wild(fuzz.Gen):
    """Statements beside those of the plain generator."""

    def statement(self):
        if self.r.random() < 0.5:
            return super().statement()
        self.pick(CHOICES)(self)

    def scoped(self, f):
        def with_something():
            before = len(self.lines)
            f()
            if len(self.lines) == before:
                self.put("pass")

        super().scoped(with_something)

    def new_vector(self):
        name = self.pick(VECTORS)
        self.know(self.vecs, name)
        return name

    def view(self):
        """Return a vector that is a view, of a view at times, of something that is there."""
        m, i = self.pick(self.mats), self.idx()
        return self.pick(
            [
                self.vecref(),
                f"{m}[::-1][{i}]",
                f"{m}.T[::-1][{i}]",
                f"{m}[:, ::-1][{i}]",
                f"{m}[::-1][:, {i}]",
                f"np.transpose({m})[{i}]",
                f"{m}.reshape(-1)[4:8]",
                f"np.swapaxes({m}, 0, 1)[{i}]",
                f"{self.pick(self.vecs)}[::-1][::-1]",
                f"{self.pick(self.vecs)}.reshape(2, 2).reshape(-1)",
                f"{self.pick(self.vecs)}[:]",
                f"np.asarray({self.pick(self.vecs)})",
            ]
        )

    def number(self):
        return f"0.5 * {self.num()}"

    def two_names_of_a_row(self):
        m, i = self.pick(self.mats), self.idx()
        self.put(f"r = {m}[{i}]")
        self.put(f"s = {m}[{self.pick([i, self.idx()])}]")
        self.know(self.vecs, "r")
        self.know(self.vecs, "s")
        self.put(f"{self.pick(['r', 's'])}[{self.idx()}] {self.operator()}= {self.number()}")

    def operator(self):
        return self.pick(["", "+", "-", "*"])

    def a_view(self):
        view = self.view()
        self.put(f"{self.new_vector()} = {view}")

    def kept_to_the_next_pass(self):
        if self.depth > 1 or len(self.loop) > 1:
            return
        i = "ij"[len(self.loop)]
        self.put(f"kept = {self.view()}")
        self.know(self.vecs, "kept")
        self.put(f"for {i} in range({self.pick(['2', '3'])}):")
        self.loop.append(i)

        def body():
            self.block(self.r.randint(1, 2))
            self.put(f"{self.pick(self.vecs)}[{self.idx()}] += 0.3 * kept[{self.idx()}]")
            self.put(f"kept = {self.pick([self.view(), self.vec(), self.pick(self.vecs)])}")
            self.block(self.r.randint(0, 1))

        self.scoped(body)
        self.loop.pop()

    def into_out(self):
        v, a, b = self.view(), self.pick(self.vecs), self.pick(self.vecs)
        out = self.pick([self.pick(self.vecs), v])
        self.put(
            self.pick(
                [
                    f"np.multiply({a}, {self.number()}, out={out})",
                    f"np.add({a}, {b}, {out})",
                    f"np.sin({a}, out={out})",
                    f"np.subtract({self.vec()}, {b}, out={out})",
                    f"np.maximum({a}, {self.num()}, out={out})",
                ]
            )
        )

    def writing_method(self):
        v = self.pick(self.vecs)
        self.put(
            self.pick(
                [
                    f"{v}.sort()",
                    f"{v}.fill({self.number()})",
                    f"{v}[...] = {self.vec()}",
                    f"{v}[:] = {self.number()}",
                    f"np.copyto({v}, {self.vec()})",
                    f"np.put({v}, [0, 2], {self.number()})",
                    f"{v}.put([1], {self.number()})",
                    f"{v}.partition(1)",
                    f"np.fill_diagonal({self.pick(self.mats)}, {self.num()})",
                    f"{self.pick(self.mats)}.sort(axis={self.pick('01')})",
                ]
            )
        )

    def masked(self):
        v, w, t = self.pick(self.vecs), self.pick(self.vecs), self.pick(["0.4", "0.55", "c"])
        self.put(
            self.pick(
                [
                    f"{v}[{w} > {t}] *= {self.num()}",
                    f"{v}[{w} > {t}] = {self.number()}",
                    f"{v}[{v} < {t}] += 0.3 * {w}[{v} < {t}]",
                    f"c += 0.1 * np.sum({v}[{w} > {t}])",
                    f"{self.new_vector()} = np.where({v} > {t}, {w}, {self.vec()})",
                    f"{v}[np.argsort({w})[:2]] *= 0.7",
                ]
            )
        )

    def at_positions(self):
        v, w = self.pick(self.vecs), self.pick(self.vecs)
        where = self.pick(["[0, 2]", "[3, 1]", "[0, -1]", "[1, 1]", "np.array([2, 0])"])
        self.put(
            self.pick(
                [
                    f"{v}[{where}] {self.operator()}= {self.number()}",
                    f"{v}[{where}] = {w}[:2]",
                    f"{v}[{where}] += 0.3 * {w}[1:3]",
                    f"{self.new_vector()} = {w}[[0, 1, 1, 3]]",
                    f"np.add.at({v}, {where}, {self.number()})",
                    f"{self.new_vector()} = {self.pick(self.mats)}[[0, 1, 2, 0], {self.idx()}]",
                    f"{self.pick(self.mats)}[{where}] *= 0.8",
                ]
            )
        )

    def tuples_of_names(self):
        v, w = self.pick(self.vecs), self.pick(self.vecs)
        i, k, m = self.idx(), self.idx(), self.pick(self.mats)
        choice = self.r.randrange(6)
        if choice == 0:
            self.put(f"t = ({self.pick([v, self.view()])}, {self.num()})")
            self.put(f"t[0][{i}] {self.operator()}= 0.5 * t[1]")
        elif choice == 1:
            self.put(f"{self.new_vector()}, a = {self.pick([v, self.view()])}, {self.num()}")
            self.know(self.nums, "a")
        elif choice == 2:
            self.put(f"{v}[{i}], {w}[{k}] = {w}[{k}], {v}[{i}]")
        elif choice == 3:
            self.put(f"{m}[{i}], {m}[{k}] = {m}[{k}].copy(), {m}[{i}].copy()")
        elif choice == 4:
            self.put(f"p, q, *_ = {v}")
            self.know(self.nums, "p")
            self.know(self.nums, "q")
        else:
            self.put(f"{m}[{i}], {m}[{k}] = {m}[{k}], {m}[{i}]")

    def early_return(self):
        if self.depth > 1:
            return
        self.put(f"if {self.test()}:")
        self.scoped(
            lambda: (
                self.block(self.r.randint(0, 1)),
                self.put(f"return np.sum({self.vec()}) * {self.num()} + np.sum(M)"),
            )
        )

    def search(self):
        if self.depth > 1 or "k" in self.loop:
            return
        self.put("k = 0")
        self.put("while True:")
        self.loop.append("k")

        def body():
            self.block(self.r.randint(1, 2))
            self.put(f"if k >= 2 or {self.test()}:")
            self.put(f"    {self.pick(['break', 'break', f'return {self.num()} + np.sum(u)'])}")
            self.put("k += 1")
            self.block(self.r.randint(0, 1))

        self.scoped(body)
        self.loop.pop()

    def through_a_function(self):
        v, w = self.pick([self.pick(self.vecs), self.view()]), self.pick(self.vecs)
        choice = self.r.randrange(5)
        if choice == 0:
            self.put(f"both({v}, {self.pick([v, w])}, {self.num()})")
        elif choice == 1:
            self.put(f"{self.new_vector()} = turned({v}, {w})")
        elif choice == 2:
            self.put(f"{self.pick(self.vecs)}[0] += nested({v}, {w}, {self.num()})")
        elif choice == 3:
            self.put(f"a, {self.new_vector()} = pair({v}, {self.num()})")
            self.know(self.nums, "a")
        else:
            self.put(f"{self.new_vector()} = first_above({v}, {self.num()})")

    def inner_function(self):
        if self.depth or "inner" in "".join(self.lines):
            return
        v, m = self.pick(self.vecs), self.pick(self.mats)
        self.put("def inner(p, k):")
        self.put(f"    p[k] {self.operator()}= 0.4 * {self.pick([v, m + '[0]'])}[1] * c")
        self.put(f"    {m}[k, 0] {self.operator()}= p[0]")
        self.put(f"    return {self.pick(['p', 'p[::-1]', 'p * c', v])}")
        for _ in range(self.r.randint(1, 2)):
            self.put(f"{self.new_vector()} = inner({self.view()}, {self.pick('012')})")

    def one_array_twice_in_a_list(self):
        v, w = self.pick(self.vecs), self.pick(self.vecs)
        self.put(f"K = [{v}, {self.pick([v, w, self.view()])}, {self.pick([v, self.vec()])}]")
        self.put(f"K[{self.pick(['0', '1', '-1'])}][{self.idx()}] += {self.number()}")
        self.put(f"c += 0.1 * np.sum(K[{self.pick('012')}] * K[{self.pick('012')}])")

    def exchange(self):
        v, w = self.pick(self.vecs), self.pick(self.vecs)
        if v != w:
            self.put(f"{v}, {w} = {w}, {self.pick([v, f'{v} * {self.num()}', self.view()])}")


CHOICES = [
    Wild.two_names_of_a_row,
    Wild.a_view,
    Wild.a_view,
    Wild.kept_to_the_next_pass,
    Wild.into_out,
    Wild.writing_method,
    Wild.masked,
    Wild.at_positions,
    Wild.tuples_of_names,
    Wild.early_return,
    Wild.search,
    Wild.through_a_function,
    Wild.through_a_function,
    Wild.inner_function,
    Wild.one_array_twice_in_a_list,
    Wild.exchange,
]


def both(p, q, s):
    p[0] *= s
    q[1:] += 0.3 * p[:-1]
    p[2] = q[1] * s


def turned(p, q):
    r = p[::-1]
    r[1] += 0.5 * q[0]
    return r


def nested(p, q, s):
    both(q, p[::-1], s)
    both(p, p, 0.5)
    return p[1] * s + q[0]


def pair(p, s):
    p[1] = s * p[0]
    return p[1] * s, p


def first_above(p, s):
    for k in range(3):
        if p[k] > s:
            return p
        p[k] *= 1.1
    return p * s


HELPERS = {f.__name__: f for f in (both, turned, nested, pair, first_above)}
fuzz.GENERATORS["wild"] = Wild
fuzz.HELPERS.update(HELPERS)

if __name__ == "__main__":
    fuzz.main(int(sys.argv[1]), int(sys.argv[2]), "wild")
