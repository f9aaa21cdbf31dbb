"""What tells a right object from a wrong one without knowledge of the fact: peers, frequency, nearness, names."""
