"""drip: so many events, of such a size, as far as a file allows."""
