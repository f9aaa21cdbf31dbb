"""Knowledge: Wikidata in. Query, batch, normalise, freeze; one immutable snapshot per month.

What turns an outside source into rows belongs here. What follows from those rows belongs to `reasoning`.
"""
