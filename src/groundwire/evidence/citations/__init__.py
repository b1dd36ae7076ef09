"""Whether a quote stands in its page and says what the sentence says."""
