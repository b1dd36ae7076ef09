"""drip: a number of events of a given size, as far as a file allows."""
