"""One file per job: its runs as reports. The folder is the registry."""
