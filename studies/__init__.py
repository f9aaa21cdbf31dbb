"""How far verdicts can be trusted: fault plans, voices as data, measures. Not installed."""
