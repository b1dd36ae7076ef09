"""One file per page, each with a `router`; the folder is the registry."""
