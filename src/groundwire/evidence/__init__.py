"""Rules: pure functions on nouns, in Chinese (both scripts) and English."""
