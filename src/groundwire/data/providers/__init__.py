"""One file per provider of numbers; the folder is the registry."""
