"""Simulated months: a web that changes day by day, and what a watch on it should report.

Written from the specification alone: nothing here is shared with what compares the runs of a watch.
"""
