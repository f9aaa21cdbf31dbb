"""How well text is read and judged, measured on real text that people or models labelled before any verdict was seen.

`answers`, `claims` and `responses` count; they take what reads or judges as a function and know nothing of how it
works. `readers` binds them to this project's own. `labelled` reads the files.
"""
