"""Rows that are refused, by kinds; docs/language.md says what to write instead."""

KINDS = {
    "tuples that are chosen, stacked or made as the text runs": """
        abreast.beside_fewer written_lists.several_at_once firsts.extreme_tuples
        firsts.least_of_two_tuples sequences.ordered ordering.last_letter ordering.beside_others
    """,
    "an iterator that is gone through again where it was left, or later than it is named": """
        dicts.pairs_of_names firsts.pairs_of_one_iterator answering.columns_one_by_one
        yielding.first_of_what_only_decides
    """,
    "attributes that the class of a dict gives": """
        libraries.settings_by_default libraries.by_choice
    """,
    "keys, items and graphs that are not known, or that hold several kinds of things": """
        entries.plain_dict_on_one_way
        states.counted sequences.keys_that_are_counted
        remembered.longest_way relayed.counted_with_get
        relayed.walk_of_amplitudes heaps.shortest_way heaps.events
        parameters.an_element_written_through_a_second_dict ordering.length
        written_lists.lists_in_polynomials
    """,
    "classes that are made inside": """
        defining.steps_of_a_named_tuple
    """,
    "a list without items": """
        primal.mlp_loss-no-layer
    """,
}
REFUSED = frozenset(label for labels in KINDS.values() for label in labels.split())
