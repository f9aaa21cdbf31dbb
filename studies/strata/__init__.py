"""What each stratum of difficulty is worth: cases drawn by strata, answered in any way, read back with intervals."""
