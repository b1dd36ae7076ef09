"""What a question asks, and which sentences answer it."""
