"""What follows from a snapshot: which rules may run, what they derive, why "No" is licensed, and every proof.

Put here what turns statements into derived facts and back into evidence. Time formulas live in `temporal`, wording in
`benchmark`.
"""
