"""Twins of draws of items: where an item stands is drawn, and does not vary with the items."""

FAMILY = "twin"

EACH = "each:rng own:rng globally:np.random"


def chosen_each(
    rng: (fixed, generator),
    a: shapes((4,), (4, 2)),
    size: sample(3, (2, 2)) = None,
    replace: sample(False) = True,
    p: sample([0.1, 0.2, 0.3, 0.4]) = None,
):
    y = rng.choice(a, size, replace, p)
    twin = _chosen(rng, a, size, replace, p)


def permuted_each(rng: (fixed, generator), x: shapes((4,), (4, 2))):
    y = rng.permutation(x)
    twin = _permuted(rng, x)
