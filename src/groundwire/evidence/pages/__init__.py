"""From a document to evidence: passages, flags, planted instructions."""
