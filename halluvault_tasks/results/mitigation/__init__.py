"""What reduces a model's hallucinations, and by how much: prompts, edit requests, preference pairs (§6.2)."""
