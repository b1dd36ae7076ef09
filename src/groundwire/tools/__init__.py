"""One capability per file, offered to people, programs and models."""
