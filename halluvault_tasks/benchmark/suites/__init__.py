"""Suites: kinds of question, each with a part of its own in every month that switches it on."""
