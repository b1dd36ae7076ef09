"""Search: providers of two pure functions each, one network path, one chain."""
