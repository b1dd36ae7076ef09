"""verify: a message in, a signal that can be taken apart out."""
