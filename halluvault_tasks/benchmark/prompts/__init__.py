"""Prompts: what a model is asked about one case, made of the case, a template and a context."""
