"""One file per vendor; the folder is the registry."""
