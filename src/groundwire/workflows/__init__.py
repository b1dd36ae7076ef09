"""The jobs: one folder each, found by its name."""
