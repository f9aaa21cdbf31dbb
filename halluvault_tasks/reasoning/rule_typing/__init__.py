"""From what the snapshot and people say to rules, each with a verdict.

In order: `reviewed` is what people decided (config/rules.yaml); `support` the figures of a snapshot, with those whose
values are `contested`; `composing` which statements may be composed; `drafting` makes rules of all of them.
"""
