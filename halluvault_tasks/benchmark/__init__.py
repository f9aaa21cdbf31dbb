"""Questions: derived and temporal facts become yes/no questions in metamorphic groups, frozen per snapshot.

Belongs here: the lexicon, names, question wording, quotas, prompts, freezing and reading a benchmark. Does not:
deciding what is true (`reasoning`, `temporal`) and asking models (`querying`). semantics.md §2.7 and §3.
"""
