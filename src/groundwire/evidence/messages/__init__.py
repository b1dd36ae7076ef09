"""What a message says: its claims, its kind of event, its subject."""
