"""Recall: true facts that the suite relation leaves."""
