"""watch: a standing question, answered again and again, showing what changed."""
