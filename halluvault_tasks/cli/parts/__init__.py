"""Command groups that stand inside another module's group."""
