"""Our own reports, recognised wherever they come from: what we wrote is no evidence."""

from __future__ import annotations

import re

# The foot of every report: the run, the digest of its result, the code that made it.
_RUN = re.compile(r"\b[a-z]{2,16}-[0-9a-f]{10}\b")
_DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_CODE = re.compile(r"\b\d+\.\d+\.\d+\w*\+[0-9a-f]{12}\b")
_NAME = "Groundwire"
# Rows and objects have no foot: their first line and their keys tell.
_SHEET = re.compile(r"\ufeff?run,part,number,")
_OBJECT = re.compile(r'"run_id"\s*:\s*"[a-z]{2,16}-[0-9a-f]{10}"')
_RESULT = ('"reasoner"', '"evidence"', '"degraded"')
_HEAD = 400_000  # characters of a file that are examined


def is_own_report(text: str) -> bool:
    """Tell whether a text is a report of ours: it names a run, and what only we write beside it."""
    return bool(_RUN.search(text)) and (
        _DIGEST.search(text) is not None
        or _CODE.search(text) is not None
        or f"by {_NAME}" in text
        or f"由 {_NAME}" in text
    )


def is_own_data(text: str) -> bool:
    """Tell whether a file of rows or objects is one of our results."""
    head = text[:_HEAD]
    if _SHEET.match(head):
        return True
    return bool(_OBJECT.search(head)) and all(name in head for name in _RESULT)
