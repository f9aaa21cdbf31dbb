"""Selection: which facts a month asks, balanced so that neither words nor names give an answer away."""
