"""Reasoning to triples by tools other than our own: Universal Dependencies, Stanford OpenIE.

`choose.configured` picks one by name (setting HALLUVAULT_EXTRACTOR); its name stands on every verdict
(`paper/stanza`, `paper/corenlp`). The default, `anchored`, lies beside this package and needs no model.
"""
