"""The suite pressure: cases that press a model where it invents (*Hallucination Testing*)."""
