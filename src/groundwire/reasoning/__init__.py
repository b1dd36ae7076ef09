"""One file per question asked of a mind: a model answers it, or the embedded reasoner does."""
