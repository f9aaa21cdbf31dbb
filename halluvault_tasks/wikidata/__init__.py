"""Wikidata's vocabulary: ids, properties, relations, snapshot keys, days and times, folded names, YAML with errors.

What every room must spell alike belongs here. It knows no table, no query and no rule.
"""
