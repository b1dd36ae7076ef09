"""What a text says, in Chinese (both scripts) and English; it knows nothing of evidence."""
