"""quiz: is a number even? A job for tests, with a question that has an exam."""
