"""What follows from a snapshot: which rules may run, what they derive, which foils stand beside it, why
"No" is licensed, and every proof.

What turns statements into derived facts and back into evidence belongs here. Time formulas are in `temporal`, wording
in `benchmark`.
"""
