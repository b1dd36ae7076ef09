"""Dates, times of day and counted time."""
