"""How the runs of each job are shown: one file per job; the folder is the registry."""
