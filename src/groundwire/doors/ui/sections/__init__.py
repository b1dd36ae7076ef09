"""One file per part of the desk page, each with a `SECTION`; the folder is the registry."""
