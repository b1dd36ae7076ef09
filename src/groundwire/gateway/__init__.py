"""The one way out: every outside call is recorded, shared, limited, budgeted, retried, redacted."""
