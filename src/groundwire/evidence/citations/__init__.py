"""The check that a quote is in its page and says what the sentence says."""
