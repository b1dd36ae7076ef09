"""What people bring into the archive: files of their own, pages, feeds, outlines and sitemaps."""

from __future__ import annotations

from groundwire.adding.files import add_files, files_in
from groundwire.adding.outcome import Added, Unadded
from groundwire.adding.web import Wanted, add_url, collect

__all__ = ["Added", "Unadded", "Wanted", "add_files", "add_url", "collect", "files_in"]
