"""Yes/no questions about relations: what the month derives, and single values in many forms."""
