"""The cross-examiner: a pinned model is asked whether a text says what was read in it, before that convicts anybody.

`statements` words a claim, `questions` asks about it both ways round, `pinned` says who is asked, `stages` does it.
"""
