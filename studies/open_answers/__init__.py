"""How far the judge of open answers may be trusted: answers from anywhere, a blind sheet of them, and its labels."""
