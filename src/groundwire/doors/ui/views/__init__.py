"""How the runs of each job are shown on a page: one file per job; the folder is the registry."""
