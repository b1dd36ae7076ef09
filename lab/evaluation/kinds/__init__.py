"""One file per kind of evaluation; the folder is the registry.

Each has `measure(folder, limit)`: of a set or a folder of sets, the first `limit` cases of each, 0: all.
It raises `InputError` when it finds nothing that it can read.
"""
