"""Foils whose falsity was measured, followed month by month: the third measure of a class (semantics.md §1.10).

At licensing a class registers thousands of its foils, asked or not (`registry`). Each later snapshot of the source is
looked into for statements that make one of them true (`step`), and what that says of the class is worked out by
`waiting`: a false foil comes to light as slowly as what is missing is added.
"""
