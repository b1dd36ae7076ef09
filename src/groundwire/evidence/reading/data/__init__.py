"""What the reader looks for in a text, and what it learned: cues by heading, and the weights."""
