"""One file per resource, each with a `router`; the folder is the registry."""
