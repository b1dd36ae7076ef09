"""Numbers, counts and sums."""
