"""What a message tells: its claims, its kind of event, what it is about."""
