"""Runs: the journal, the runner, the engine, and what can be done with a finished one."""
