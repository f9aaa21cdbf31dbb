"""The one place where a share, a mean or a difference gets its interval: used by every room, knows none of them.

Wordings of one fact stand or fall together, so everything here is clustered: a
cluster is a metamorphic group, or whatever else the caller says is independent of the rest. scipy and statsmodels do
what they have (quantiles, Holm, Benjamini–Hochberg, the bootstrap); what they lack is clustering under a score
interval and a sign-flip test over clusters.

- `shares`: rates, macro-averages and means with intervals;
- `comparisons`: two participants on the questions that both answered, p values, their adjustment, the questions that
  would decide;
- `ratios`: intervals of what is no mean (F1, κ, balanced accuracy), by a cluster bootstrap;
- `recapture`: how many statements that a source lacks are false, told by how complete the source is.
"""

LEVEL = 0.95
"""Confidence of every interval shown."""
