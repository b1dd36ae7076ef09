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
# In the light, and in the dark.
_COLORS = {
    "paper": ("#FBFAF7", "#14161A"),
    "raised": ("#FFFFFF", "#1C1F25"),
    "line": ("#E4E0D8", "#2E333C"),
    "ink": ("#1B1D21", "#ECEAE4"),
    "soft": ("#565B66", "#A9AEB8"),
    "faint": ("#666B75", "#8B919C"),
    "accent": ("#1F4FD8", "#8FB0FF"),
    "supported": ("#12715B", "#4CC9A6"),
    "contradicted": ("#B42318", "#FF8A7D"),
    "contested": ("#9A5B00", "#F2B84B"),
    "qualified": ("#5B5FC7", "#A5A8FF"),
    "insufficient": ("#656C79", "#9AA1AD"),
    "stale": ("#7A5C3E", "#C9A57E"),
    "unverified": ("#656C79", "#9AA1AD"),
    # Threads of a history, whose names always stand beside them.
    "strand-1": ("#1F4FD8", "#8FB0FF"),
    "strand-2": ("#12715B", "#4CC9A6"),
    "strand-3": ("#A3480F", "#F0A070"),
    "strand-4": ("#7A3FA8", "#C79BF0"),
    "strand-5": ("#9A2F5C", "#F08DB4"),
    "strand-6": ("#4C6A1F", "#A9C96B"),
    "strand-7": ("#0E6C8C", "#67C3E3"),
    "strand-8": ("#6B5B2E", "#CDBB7F"),
}
LIGHT: Mapping[str, str] = {name: light for name, (light, _) in _COLORS.items()}
DARK: Mapping[str, str] = {name: dark for name, (_, dark) in _COLORS.items()}
