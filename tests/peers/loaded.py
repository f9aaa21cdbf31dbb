"""What making a month imports late, and spaCy's model: seconds, but for a process forked from one that has it."""

from importlib import import_module

from halluvault_tasks.reading.parser import spacy_parser

for late in ("feature_extraction.text", "linear_model", "model_selection"):
    import_module(f"sklearn.{late}")
spacy_parser()
