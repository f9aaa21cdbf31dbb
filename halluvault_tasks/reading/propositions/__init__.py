"""The proposition that is asked, and what a clause says of it: for answers without a yes or no."""
