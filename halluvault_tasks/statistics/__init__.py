"""The one place where a share, a mean or a difference gets its interval: used by every room, imports none of them.

Answers to wordings of one fact are correlated, so everything here is clustered: a cluster is a metamorphic group, or
whatever else the caller says is independent of the rest. scipy does what it can (quantiles, Benjamini–Hochberg, the
bootstrap); what it lacks is clustering under a score interval and a sign-flip test over
clusters.

- `shares`: rates, macro-averages and means with intervals;
- `comparisons`: two participants on the questions that both answered, p values, their adjustment, the questions that
  would decide;
- `seeds`: draws that are the same on every machine;
- `recapture`: how many statements that a source lacks are false, estimated from how complete the source is.
"""

LEVEL = 0.95
"""Confidence of every interval shown."""
