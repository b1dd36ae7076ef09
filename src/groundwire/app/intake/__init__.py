"""Intake: the one door through which messages come in, and the sources that bring them."""
