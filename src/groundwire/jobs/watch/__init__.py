"""A standing question, answered again and again: what changed."""
