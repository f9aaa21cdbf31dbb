"""What a response concludes: statements about the statement and its own answer, read apart from what it claims."""
