"""Pages read: a guarded GET, parsed in a limited process, kept as text with its passages."""
