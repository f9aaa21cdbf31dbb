"""Reasoning to triples by tools other than our own: Universal Dependencies, Stanford OpenIE, a served model.

`choose.extractor` picks one by name (setting HALLUVAULT_EXTRACTOR); its name stands on every verdict
(`paper/stanza`, `paper/corenlp`, `paper/llm`). The default, `anchored`, lies beside this package and needs no model.
"""
