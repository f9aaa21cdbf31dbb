"""Command groups inside another module's group."""
