"""Loopback benchmarks and the stubs they run against."""
