"""Programs of cases that ask for more than yes or no: `swipl proof.pl` prints the gold answer.

Each module is one idea: it writes what a case depends on as Prolog facts, which stand under the rules of a file in
`prolog_rules/cases/` (its head says what the facts mean). Suites pass values in and write no Prolog.
"""
