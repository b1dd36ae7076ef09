"""Telling people and programs what a run found: channels, and the one way out for all of them."""
