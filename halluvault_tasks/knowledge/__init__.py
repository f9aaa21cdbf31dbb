"""Knowledge: Wikidata in. Query, batch, normalise, freeze; one immutable snapshot a month.

Put here what turns an outside source into rows. What follows from those rows belongs to `reasoning`.
"""
