"""What is believed, what is new, and what scores proved to be worth."""
