"""One file per kind of evaluation: `measure(folder, limit)`; the folder is the registry."""
