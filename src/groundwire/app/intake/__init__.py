"""Intake: the one door for incoming messages, and the sources that bring them."""
