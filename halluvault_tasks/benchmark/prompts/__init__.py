"""Prompts: what is put to a model about one case, made of the case, a template and a context."""
