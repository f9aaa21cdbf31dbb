"""What a reply to an open question names: names as people write them, dates, numbers, how sure it is (semantics.md §4.6)."""
