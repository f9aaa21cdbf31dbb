"""Time: Metric Temporal Logic over dated facts, exact on uncertain dates.

Belongs here: formulas, their translation to Prolog, interval sets, histories made from a snapshot's dated statements,
the seeded generator and the English of a query. Does not: names (they come in as phrases), choice of cases (benchmark),
and anything about models. Normative: semantics.md §2.
"""
