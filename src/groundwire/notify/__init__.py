"""Notifying people and programs of what a run found: channels, and the one way out for all."""
