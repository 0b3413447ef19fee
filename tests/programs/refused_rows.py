"""Rows that are refused, by kinds; docs/language.md says what to write instead."""

KINDS = {
    "tuples that are chosen, stacked or made as the text runs": """
        abreast.beside_fewer written_lists.several_at_once
    """,
    "an iterator that is gone through again where it was left, or later than it is named": """
        answering.columns_one_by_one yielding.first_of_what_only_decides
        handing.transposed_by_name listing.extended_by_generator queues.pairs_of_lbfgs
    """,
    "attributes that the class of a dict gives": """
        libraries.settings_by_default libraries.by_choice
    """,
    "keys, items and graphs that are not known, or that hold several kinds of things": """
        dicts.keys_that_vary remembered.longest_way heaps.events
        parameters.an_element_written_through_a_second_dict
    """,
    "a rank that changes from call to call": """
        recursing.determinant
    """,
    "a list without items": """
        primal.mlp_loss-no-layer
    """,
}
REFUSED = frozenset(label for labels in KINDS.values() for label in labels.split())
