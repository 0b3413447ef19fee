"""Random programs that call functions of their own: several times, in loops, themselves.

python -m tests.rooms.fuzz_calls 0 1000
"""

import sys

from tests.rooms import fuzz

FORMS = ("number", "vector", "pair", "three")


class Calls(fuzz.Gen):
    """A program of functions that compute, and of a first one that calls them."""

    def __init__(self, seed, kind="calls"):
        super().__init__(seed, "plain")
        self.forms = {}

    def plain(self):
        """Write statements that only bind names, and write to what was made here."""
        k = self.r.randrange(6)
        if k < 2:
            self.put(f"{self.pick(self.nums)} = 0.4 * {self.num()}")
        elif k < 4:
            x = self.pick(["v", "w"])
            self.put(f"{x} = 0.4 * {self.vec()}")
            self.know(self.vecs, x)
        elif k == 4 and self.depth < 1:
            self.put(f"if {self.test()}:")
            self.scoped(lambda: self.put(f"{self.pick(self.nums)} = 0.6 * {self.num()}"))
        else:
            self.put(f"{self.pick(self.vecs)}[{self.idx()}] += 0.3 * {self.num()}")

    def result(self, form):
        match form:
            case "number":
                return f"0.5 * {self.num()}"
            case "vector":
                return f"0.5 * {self.vec()}"
            case "pair":
                return f"0.5 * {self.vec()}, 0.5 * {self.num()}"
        return f"0.3 * {self.vec()}, 0.3 * {self.num()}, 0.3 * {self.num()} + 0.2"

    def function(self, name, form, recursive):
        """Write a function of a vector and a number; a recursive one counts down to zero."""
        self.forms[name] = form, recursive
        self.vecs, self.mats, self.nums = ["u"], ["M"], ["c"]
        self.lines.append(f"def {name}(u, M, c{', n' if recursive else ''}):")
        if self.r.random() < 0.6:
            self.put("u = u * 1.0")
        if recursive:
            self.put("if n < 1:")
            self.put(f"    return {self.result(form)}")
        for _ in range(self.r.randint(3, 6)):
            self.plain()
        if recursive:
            self.call(name, form, "n - 1")
        self.put(f"return {self.result(form)}")

    def call(self, name, form, counted):
        """Write a call whose results are bound to names, some of which it is handed."""
        more = f", {counted}" if counted else ""
        handed = f"{name}({self.vec(1)}, {self.pick(self.mats)}, {self.num(1)}{more})"
        v, a, b = self.pick(["u", "v", "w"]), self.pick(["c", "a"]), self.pick(["b", "d"])
        targets = {"number": a, "vector": v, "pair": f"{v}, {a}", "three": f"{v}, {a}, {b}"}
        self.put(f"{targets[form]} = {handed}")
        if form != "number":
            self.know(self.vecs, v)
        if form != "vector":
            self.know(self.nums, a)
        if form == "three":
            self.know(self.nums, b)

    def any_call(self):
        name = self.pick(list(self.forms))
        form, recursive = self.forms[name]
        self.call(name, form, self.pick(["0", "1", "2"]) if recursive else "")

    def program(self):
        for k in range(self.r.randint(1, 2)):
            self.function(f"step{k}", self.pick(FORMS), self.r.random() < 0.35)
        self.vecs, self.mats, self.nums = ["u"], ["M"], ["c"]
        self.lines.append("def f(u, M, c):")
        for _ in range(self.r.randint(3, 6)):
            if self.r.random() < 0.3 and self.depth == 0:
                i = "i"
                self.put(f"for {i} in range({self.pick(['2', '3'])}):")
                self.loop.append(i)
                self.scoped(lambda: (self.any_call(), self.plain()))
                self.loop.pop()
            elif self.r.random() < 0.6:
                self.any_call()
            else:
                self.plain()
        self.put(f"return np.sum({self.pick(self.vecs)} * {self.vec(1)}) + {self.num()}")
        return "\n".join(self.lines) + "\n"


fuzz.GENERATORS["calls"] = Calls

if __name__ == "__main__":
    fuzz.main(int(sys.argv[1]), int(sys.argv[2]), "calls")
