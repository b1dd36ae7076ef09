"""echo: words in, the same words out; what is loud is news."""
