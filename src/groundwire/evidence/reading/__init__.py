"""What a passage says of a claim."""
