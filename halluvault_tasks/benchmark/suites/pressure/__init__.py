"""The suite pressure: cases that tempt a model to invent (*Hallucination Testing*)."""
