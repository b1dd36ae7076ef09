"""What is believed, what is new, and what scores were worth."""
