"""Recognition of hallucinations (HELMA)."""
