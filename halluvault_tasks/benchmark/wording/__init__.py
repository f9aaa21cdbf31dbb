"""Wording: a fact in the lexicon's English, with names that identify and articles that fit."""
