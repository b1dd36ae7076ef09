"""Nouns: frozen values that cross module borders."""
