"""Wikidata's vocabulary: ids, relations, snapshot keys, days and time values, folded names, YAML with useful errors.

What every room must spell alike belongs here. It knows no table, no query and no rule.
"""
