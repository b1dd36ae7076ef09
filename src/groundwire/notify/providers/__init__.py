"""The channels that deliver results: the folder is the registry."""
