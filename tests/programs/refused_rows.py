"""Rows that are refused, by kinds; docs/language.md says what to write instead."""

KINDS = {
    "tuples that are chosen, stacked or made as the text runs": """
        lists_gone_through_together.beside_fewer lists_of_the_module.several_at_once
    """,
    "an iterator that is gone through again where it was left, or later than it is named": """
        answers_and_orders_of_objects.columns_one_by_one generators.first_of_what_only_decides
        functions_handed_on.transposed_by_name list_methods.extended_by_generator deques.pairs_of_lbfgs
    """,
    "attributes that the class of a dict gives": """
        library_idioms.settings_by_default library_idioms.by_choice
    """,
    "keys, items and graphs that are not known, or that hold several kinds of things": """
        merged_and_changed_dicts.keys_that_vary memoised_functions.longest_way heaps.events
        dicts_of_parameters.an_element_written_through_a_second_dict
    """,
    "a rank that changes from call to call": """
        recursion.determinant
    """,
    "a list without items": """
        primal.mlp_loss-no-layer
    """,
}
REFUSED = frozenset(label for labels in KINDS.values() for label in labels.split())
