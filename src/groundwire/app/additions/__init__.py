"""Additions to the archive: the user's files, pages, feeds, outlines and sitemaps."""

from __future__ import annotations

from groundwire.app.additions.files import add_files, files_in
from groundwire.app.additions.web import Added, Unadded, WantedPages, add_url, collect

__all__ = ["Added", "Unadded", "WantedPages", "add_files", "add_url", "collect", "files_in"]
