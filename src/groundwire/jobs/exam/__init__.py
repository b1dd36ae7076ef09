"""exam: models sit the exams of questions, and what their answers count for is kept."""
