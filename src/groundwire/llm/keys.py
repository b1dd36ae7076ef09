"""The key that is sent: checked before any library sees it, and never shown."""

from __future__ import annotations

from groundwire.errors import AuthRejected
from groundwire.llm.spec import VendorOptions

# Sent where a server wants no key: the SDKs refuse to work without one.
_NO_KEY = "none"


def key_of(vendor: str, options: VendorOptions, setting: str | None) -> str:
    """The key; `setting` is named to whoever has none, and None where a server needs none."""
    key = options.api_key.get_secret_value().strip() if options.api_key else ""
    if not key:
        # A server of the user's own may want no key.
        if setting is None or options.base_url is not None:
            return _NO_KEY
        raise AuthRejected("outside.no_key", who=vendor, setting=setting)
    if not key.isascii() or not key.isprintable():
        raise AuthRejected("outside.key_characters", who=vendor)
    return key
