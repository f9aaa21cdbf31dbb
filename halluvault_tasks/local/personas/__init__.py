"""Simulated models: what they know, what they get wrong at a set rate, and how they word it.

What was planted is recorded elsewhere, where no oracle looks.
"""
