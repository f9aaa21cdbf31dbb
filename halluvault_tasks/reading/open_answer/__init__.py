"""What a reply to an open question names: names, dates and numbers as people write them (semantics.md §4.6)."""
