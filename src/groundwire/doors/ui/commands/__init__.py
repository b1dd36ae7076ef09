"""One file per job that can be started by typing, each with a `COMMAND`; the folder is the registry."""
