"""The readers `transcript` and `llm:NAME`: what a response claims, as a model lists it under a grammar."""
