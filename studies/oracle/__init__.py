"""Planted faults with known labels, and how well each oracle profile finds them (semantics.md section 4.5).

The order is what makes it evidence: `facts` reads a snapshot, `plan` fixes what will be wrong and what an oracle ought
to say of it, `writer` puts the plan into words in one of the `voices/`, and only then `run` asks the oracles and
`measure` compares. Everything up to the writer imports neither lexicon nor aliases, oracles nor Prolog (a contract in
pyproject.toml). All figures are on planted faults, not on model output.
"""
