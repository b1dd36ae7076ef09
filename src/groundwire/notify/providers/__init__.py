"""The channels by which results are handed on: the folder is the registry."""
