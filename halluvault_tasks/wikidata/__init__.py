"""Wikidata's vocabulary: ids, relations, snapshot keys, days and time values, folded names, YAML with useful errors.

Put here what every room must spell alike. It knows no table, no query and no rule.
"""
