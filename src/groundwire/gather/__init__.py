"""Steps that every job shares: gather evidence, weigh it, and say what failed on the way."""
