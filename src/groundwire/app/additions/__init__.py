"""Additions to the archive: the user's files, pages, feeds, outlines and sitemaps."""
