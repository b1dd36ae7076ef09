"""toy: words in, the same words counted out."""
