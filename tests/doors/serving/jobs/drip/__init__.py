"""A job for the tests of streams."""
