"""A shard's rules run: from the snapshot to rows of `derived_fact`.

In order: `ready` is what each rule reads and may conclude; `reuse` what of it an earlier month has; `programs` writes
the files of the rest; `copied_statements` are the rows of rules that Prolog does not run; `shard_run` hands the files
to the process of `worker`, takes its rows and attaches them all.
"""
