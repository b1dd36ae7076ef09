"""One file per provider; the folder is the registry."""
