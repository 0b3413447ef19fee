"""Random programs of Python's own constructs: lists, dicts, objects, closures, iterators, exits.

text = program(seed)    # a module with `f(u, c)`; c decides ways, u is an array of four numbers

Every program is complete Python; some raise, which is an outcome, too.
"""

import random

HEAD = """import numpy as np


class Body:
    def __init__(self, x, v=0.5):
        self.x = x
        self.v = v

    def moved(self, d):
        self.x = self.x + d * self.v
        return self.x

    @property
    def size(self):
        return self.x * self.v

    def __add__(self, other):
        return Body(self.x + other.x, self.v)


def pairs(xs, limit=0.3):
    for k, x in enumerate(xs):
        if x > limit:
            yield k, x
        yield -k, x * 0.5


def scaled(c, more=1.0):
    def run(x, c=c):
        return x * c + more

    return run


def grown(xs, x):
    xs.append(x)
    return len(xs)


def stepped(w, k):
    w[k] = w[k] * 0.5 + 0.1
    return w[k]


def several(a, *rest, b=0.5, **more):
    for r in rest:
        a = a + r * b
    return a + sum(more.values())


"""


class Writer:
    """Writes a program: names by what they hold."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.depth = 1
        self.loops = 0
        self.count = 0
        self.names = {"number": ["c"], "array": ["u"], "list": [], "dict": [], "object": []}
        self.names |= {"function": [], "iterator": [], "objects": []}

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def pick(self, choices):
        return self.r.choice(choices)

    def new(self, kind, old=0.5):
        """Return a name to assign to: one that holds such a thing, or a new one."""
        own = [n for n in self.names[kind] if n not in ("u", "c")]
        if own and self.r.random() < old:
            return self.pick(own)
        self.count += 1
        return f"{kind[0]}{self.count}"

    def set(self, kind, text, old=0.5):
        name = self.new(kind, old)
        self.put(f"{name} = {text}")
        if name not in self.names[kind]:
            self.names[kind].append(name)
        return name

    # ------------------------------------------------------------------ expressions

    def number(self, depth=0):
        """Return an expression of a number."""
        names, r = self.names, self.r
        found = [self.pick(names["number"]), f"{self.pick(names['array'])}[{r.randrange(4)}]"]
        found.append(f"{r.randint(1, 9) / 10}")
        if names["list"]:
            found += [f"{self.pick(names['list'])}[{self.pick(['0', '-1'])}]"]
            found += [f"sum({self.pick(names['list'])})", f"len({self.pick(names['list'])})"]
        if names["dict"]:
            d = self.pick(names["dict"])
            found += [f'{d}["a"]', f'{d}.get("{self.pick("abc")}", 0.3)', f"sum({d}.values())"]
        if names["object"]:
            o = self.pick(names["object"])
            found += [f"{o}.x", f"{o}.size", f"{o}.moved({r.randint(1, 5) / 10})"]
        if names["function"] and depth < 2:
            found += [f"{self.pick(names['function'])}({self.number(depth + 1)})"] * 2
        if depth < 2:
            a, b = self.number(depth + 1), self.number(depth + 1)
            found += [f"({a} {self.pick('+-*')} {b})", f"np.sin({a})"]
            found += [f"({a} if {self.test(depth + 1)} else {b})"]
        if depth < 1:
            w = self.pick(names["array"])
            found += [f"stepped({w}, {r.randrange(4)})" if w != "u" else "0.2"]
            found += [f"several({self.number(1)}, {self.number(1)}, b={self.number(1)})"]
            found += [f"several({self.number(1)}, k={self.number(1)})"]
        return self.pick(found)

    def test(self, depth=0):
        """Return a test."""
        a, b = self.number(depth + 1), self.number(depth + 1)
        found = [f"{a} > {b}", f"{a} < {b}", "c > 0.5", f"0.1 < {a} < {b}"]
        if self.names["dict"]:
            found.append(f'"{self.pick("abc")}" in {self.pick(self.names["dict"])}')
        if self.names["list"]:
            found.append(f"len({self.pick(self.names['list'])}) > 2")
        if depth < 1:
            found.append(f"{self.test(1)} {self.pick(['and', 'or'])} {self.test(1)}")
        return self.pick(found)

    def iterable(self):
        """Return (something to go through, targets)."""
        names = self.names
        w = self.pick(names["array"])
        found = [(w, "{}"), (f"range({self.r.randint(1, 3)})", "{}"), (f"pairs({w})", "_, {}")]
        found += [(f"zip({w}, {w}[1:])", "_, {}"), (f"enumerate({w})", "_, {}")]
        found += [(f"map(lambda t: t * {self.number(1)}, {w})", "{}")]
        found += [(f"(t * {self.number(1)} for t in {w} if t > 0.2)", "{}")]
        found += [(f"(0.2, {self.number(1)}, {self.number(1)})", "{}")]
        found += [(n, "{}") for n in names["list"]]
        found += [(f"{n}.items()", "_, {}") for n in names["dict"]]
        found += [(f"reversed({n})", "{}") for n in names["list"]]
        found += [(n, "{}") for n in names["iterator"]] * 2
        return self.pick(found)

    # ------------------------------------------------------------------ statements

    def statement(self):
        """Write one statement."""
        simple = [self.assign, self.assign, self.store, self.change, self.make, self.several]
        blocks = [self.branch, self.loop, self.loop, self.attempt, self.function, self.unrolled]
        deep = self.depth > 3
        self.pick(simple + ([] if deep else blocks))()

    def assign(self):
        name = self.set("number", self.number(), 0.7)
        if self.r.random() < 0.3:
            self.put(f"{name} {self.pick(['+=', '*=', '-='])} {self.number(1)}")

    def store(self):
        own = [n for n in self.names["array"] if n != "u"]
        if own:
            w = self.pick(own)
            op = self.pick(["=", "+=", "*="])
            self.put(f"{w}[{self.pick(['0', '1', '-1', '1:', ':2'])}] {op} {self.number()}")
        else:
            self.set("array", self.pick(["u.copy()", "u * 2.0", f"u + {self.number(1)}"]))

    def change(self):
        names, found = self.names, []
        for n in names["list"]:
            found += [f"{n}.append({self.number()})", f"{n}[0] = {self.number()}"]
            found += [f"{n} += [{self.number(1)}]", f"{n}.pop()", f"{n}.reverse()"]
            found += [f"grown({n}, {self.number(1)})"]
        for n in names["dict"]:
            found += [
                f'{n}["{self.pick("abc")}"] = {self.number()}',
                f'{n}["a"] += {self.number()}',
            ]
        for n in names["object"]:
            found += [f"{n}.x = {self.number()}", f"{n}.v *= {self.number(1)}"]
            found += [f"{n}.w = {self.number(1)}"]
        self.put(self.pick(found or ["pass"]))

    def make(self):
        kind = self.pick(["list", "dict", "object", "function", "iterator", "array", "list"])
        same = self.names[kind]
        if same and self.r.random() < 0.25 and kind != "array":
            self.set(kind, self.pick(same))
            return
        a, b = self.number(1), self.number(1)
        w = self.pick(self.names["array"])
        texts = {
            "list": [f"[{a}, {b}]", f"[t * {a} for t in {w}]", f"[t for _, t in pairs({w})]"],
            "dict": [f'{{"a": {a}}}', f'{{"a": {a}, "b": {b}}}', f"dict(a={a}, c={b})"],
            "object": [f"Body({a})", f"Body({a}, {b})", f"Body({a}) + Body({b})"],
            "function": [f"scaled({a})", f"scaled({a}, more={b})", f"lambda t: t * {a}", "np.sin"],
            "iterator": [f"iter({w})", f"map(np.sin, {w})", f"(t + {a} for t in {w})"],
            "array": [f"{w} * {a}", f"{w}.copy()", f"np.array([{a}, {b}, 0.3, {a}])", f"{w}[:]"],
        }
        text = self.pick(texts[kind])
        self.set(kind, text if text != "u[:]" else "u.copy()")

    def several(self):
        a, b = self.new("number", 0.8), self.new("number", 0.8)
        if a != b:
            self.put(f"{a}, {b} = {self.number()}, {self.number()}")
            self.names["number"] += [n for n in (a, b) if n not in self.names["number"]]

    def block(self, most=3):
        kept = {kind: list(names) for kind, names in self.names.items()}
        self.depth += 1
        mark = len(self.lines)
        for _ in range(self.r.randint(1, most)):
            self.statement()
        if len(self.lines) == mark:
            self.put("pass")
        self.depth -= 1
        self.names = kept

    def branch(self):
        self.put(f"if {self.test()}:")
        self.block()
        if self.r.random() < 0.5:
            self.put("else:")
            self.block()

    def loop(self):
        over, target = self.iterable()
        name = self.new("number", 0.2)
        self.put(f"for {target.format(name)} in {over}:")
        known = name in self.names["number"]
        self.names["number"] = [*self.names["number"], name]
        self.loops += 1
        self.block()
        if self.r.random() < 0.4:
            self.put(f"    if {self.test()}:")
            self.put(f"        {self.pick(['break', 'continue', 'return ' + self.number(1)])}")
        if self.r.random() < 0.3:
            self.depth += 1
            self.assign()
            self.depth -= 1
        self.loops -= 1
        if not known:
            self.names["number"] = [n for n in self.names["number"] if n != name]

    def unrolled(self):
        name = self.new("number", 0.2)
        known = name in self.names["number"]
        fs = ", ".join(
            f"({self.pick(['np.sin', 'np.cos', 'scaled(0.5)'])}, {self.number(1)})" for _ in "12"
        )
        self.put(f"for g, {name} in ({fs}):")
        self.names["number"] = [*self.names["number"], name]
        self.put(f"    {name} = g({name})")
        self.block()
        if not known:
            self.names["number"] = [n for n in self.names["number"] if n != name]

    def attempt(self):
        self.put("try:")
        self.block(2)
        self.put(f"    e = [{self.number(1)}][int({self.number(1)} > 0.5)]")
        self.put("except IndexError:")
        self.block(2)

    def function(self):
        self.count += 1
        name = f"h{self.count}"
        kept = {kind: list(names) for kind, names in self.names.items()}
        outer = [n for n in self.names["number"] if n != "c"]
        self.put(f"def {name}(t, s={self.number(1)}):")
        self.depth += 1
        if outer and self.r.random() < 0.3:
            wanted = self.pick(outer)
            self.put(f"nonlocal {wanted}")
            self.put(f"{wanted} = {wanted} + t")
        self.names["number"] = ["t", "s", *outer]
        self.put(f"return {self.number()} * t")
        self.depth -= 1
        self.names = kept
        self.names["function"].append(name)

    def program(self):
        """Return the text of the module."""
        for _ in range(self.r.randint(4, 9)):
            self.statement()
        ends = [self.number(), self.number(), f"np.sum({self.pick(self.names['array'])})"]
        ends += [f"10.0 * sum({n})" for n in self.names["list"] + self.names["iterator"]]
        ends += [f"3.0 * sum({n}.values())" for n in self.names["dict"]]
        ends += [f"{n}.x" for n in self.names["object"]]
        self.put(f"return {' + '.join(ends)}")
        return HEAD + "def f(u, c):\n" + "\n".join(self.lines) + "\n"


def program(seed):
    """Return the text of a random module with a function f(u, c)."""
    return Writer(seed).program()
