"""Claims that a text says, and as many that a reader without some of its pieces would wrongly read in one."""
