"""tool: one call of one tool as a small run, because every outside call belongs to a run."""
