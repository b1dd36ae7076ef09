"""The colours and shapes of the desk by name, for reports; the pages have the same in `tokens.css`."""

from __future__ import annotations

from collections.abc import Mapping

# A verdict is always shape and word (and colour where there is one), never colour alone.
SHAPES: Mapping[str, str] = {
    "supported": "●",
    "contradicted": "✕",
    "contested": "◐",
    "qualified": "◔",
    "insufficient": "○",
    "stale": "◷",
    "unverified": "▨",
}
LIGHT: Mapping[str, str] = {
    "paper": "#FBFAF7",
    "raised": "#FFFFFF",
    "line": "#E4E0D8",
    "ink": "#1B1D21",
    "soft": "#565B66",
    "faint": "#666B75",
    "accent": "#1F4FD8",
    "supported": "#12715B",
    "contradicted": "#B42318",
    "contested": "#9A5B00",
    "qualified": "#5B5FC7",
    "insufficient": "#656C79",
    "stale": "#7A5C3E",
    "unverified": "#656C79",
}
DARK: Mapping[str, str] = {
    "paper": "#14161A",
    "raised": "#1C1F25",
    "line": "#2E333C",
    "ink": "#ECEAE4",
    "soft": "#A9AEB8",
    "faint": "#8B919C",
    "accent": "#8FB0FF",
    "supported": "#4CC9A6",
    "contradicted": "#FF8A7D",
    "contested": "#F2B84B",
    "qualified": "#A5A8FF",
    "insufficient": "#9AA1AD",
    "stale": "#C9A57E",
    "unverified": "#9AA1AD",
}
