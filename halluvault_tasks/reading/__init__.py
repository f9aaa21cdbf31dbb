"""Reading: the text of a response in, what it answers and asserts out, each with its place in the text.

Put here whatever understands English. Whether something said is true is not known here: that is judged in `oracles`.
"""
