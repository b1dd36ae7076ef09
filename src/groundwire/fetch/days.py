"""Dates as pages write them: ISO, Chinese, Korean, named months of a dozen languages, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone

EARLIEST = date(1990, 1, 1)

# Per month, the names and short forms in en, de, fr, es, it, pt, nl, sv/da/no, id, pl, ru, tr.
_NAMES = (
    "january jan januar jänner januari janvier janv enero ene gennaio gen janeiro stycznia "
    "января янв ocak oca",
    "february feb febr februar februari février fevrier févr fév febrero febbraio fevereiro fev "
    "lutego февраля фев şubat şub",
    "march mar märz maerz mär mars marzo março marco maart mrt marts maret marca марта мар mart",
    "april apr avril avr abril abr aprile kwietnia апреля апр nisan nis",
    "may mai mayo maggio mag maio mei maj maja мая май mayıs",
    "june jun juni juin junio giugno giu junho czerwca июня июн haziran haz",
    "july jul juli juillet juil julio luglio lug julho lipca июля июл temmuz tem",
    "august aug août aout agosto ago augustus augusti agustus sierpnia августа авг ağustos ağu",
    "september sep sept septembre septiembre settembre set setembro września сентября сен сент "
    "eylül eyl",
    "october oct oktober okt octobre octubre ottobre ott outubro out października октября окт "
    "ekim eki",
    "november nov novembre noviembre novembro listopada ноября ноя нояб kasım kas",
    "december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro desember des "
    "grudnia декабря дек aralık ara",
)
_MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
_CLOCK = (
    r"(?:[T\s,]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?(?:[.,]\d+)?"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?)?"
)
_ISO = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d\d)\s?[-/.年년]\s?(?P<m>\d{1,2})\s?[-/.月월]\s?(?P<d>\d{1,2})(?!\d)"
    rf"(?:\s?[日일号號])?{_CLOCK}"
)
_ROC = re.compile(
    r"(?:民[国國]|ROC )\s?(?P<y>\d{2,3})\s?年\s?(?P<m>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?日"
)
_DAY_FIRST = re.compile(
    r"(?<![\d.:])(?P<d>\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?[\s-]*(?:de\s|of\s)?\s*(?P<m>[^\W\d_]{3,12})"
    r"\.?,?[\s-]*(?:de\s|del\s)?\s*(?P<y>(?:19|20)\d\d)(?!\d)"
)
_MONTH_FIRST = re.compile(
    r"(?<![^\W\d_])(?P<m>[^\W\d_]{3,12})\.?\s*(?P<d>\d{1,2})(?:st|nd|rd|th)?\s?,?\s+"
    r"(?P<y>(?:19|20)\d\d)(?!\d)"
)
_NUMBERS = re.compile(
    r"(?<![\d./-])(?P<a>\d{1,2})(?P<mark>[./-])\s?(?P<b>\d{1,2})(?P=mark)\s?"
    r"(?P<y>(?:19|20)\d\d|\d\d(?![\d:]))(?!\d|[./-]\d)"
)
_COMPACT = re.compile(
    r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-2]\d|3[01])(?!\d)"
    r"(?:T(?P<hour>\d\d):?(?P<minute>\d\d):?(?P<second>\d\d)(?P<zone>Z|[+-]\d\d:?\d\d)?)?"
)
_STAMP = re.compile(r"\d{10}(?:\d{3})?")
# Cheap, and true of every text in which one of the patterns can find something.
CAN_HOLD_DATE = re.compile(r"(?:19|20)\d\d|\d[./-]\s?\d{1,2}[./-]\s?\d\d|民[国國]")


def parse_date(text: str, latest: date, *, month_first: bool = False) -> str | None:
    """ISO text of the date that a text gives; None if it gives none.

    A day; or a moment, when hour and zone are given, in the zone in which it was written, so that
    its day is the day that the page shows. `month_first` reads 3/4/2026 as the fourth of March.
    """
    found = find_date(text, latest, month_first=month_first)
    return found[0] if found else None


def find_date(text: str, latest: date, *, month_first: bool = False) -> tuple[str, int, int] | None:
    """The date, and where it stands; the kinds of writing in the order of their safety."""
    text = text[:2000]
    if _STAMP.fullmatch(text.strip()):
        moment = datetime.fromtimestamp(int(text.strip()[:10]), UTC)
        within = EARLIEST <= moment.date() <= latest
        return (moment.isoformat(), 0, len(text)) if within else None
    for match, day in _readings(text, month_first):
        if day is not None and EARLIEST <= day <= latest:
            return _moment(day, match) or day.isoformat(), match.start(), match.end()
    return None


def _readings(text: str, month_first: bool) -> Iterator[tuple[re.Match[str], date | None]]:
    for match in _ISO.finditer(text):
        yield match, day_of(match["y"], match["m"], match["d"])
    for match in _ROC.finditer(text):
        yield match, day_of(str(int(match["y"]) + 1911), match["m"], match["d"])
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        for match in pattern.finditer(text):
            month = _MONTHS.get(match["m"].lower())
            yield match, day_of(match["y"], str(month), match["d"]) if month else None
    for match in _NUMBERS.finditer(text):
        yield match, _numbered(match, month_first)
    for match in _COMPACT.finditer(text):
        yield match, day_of(match["y"], match["m"], match["d"])


def _numbered(match: re.Match[str], month_first: bool) -> date | None:
    """3/4/2026: the larger number is the day if it is no month, else what the page's country does."""
    year = match["y"] if len(match["y"]) == 4 else f"20{match['y']}"
    first, second = match["a"], match["b"]
    # Only slashes are written month first.
    if (month_first and match["mark"] == "/" and int(first) <= 12) or int(second) > 12:
        return day_of(year, first, second)
    return day_of(year, second, first)


def day_of(year: str, month: str, number: str) -> date | None:
    """The day; None if there is no such day."""
    try:
        return date(int(year), int(month), int(number))
    except ValueError:
        return None


def _moment(day: date, match: re.Match[str]) -> str | None:
    """A time of day counts only with its zone; without one the day alone is sure."""
    got = match.groupdict()
    if not (got.get("hour") and got.get("zone")):
        return None
    zone = UTC
    if got["zone"][0] in "+-":
        digits = got["zone"][1:].replace(":", "")
        offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        if offset >= timedelta(hours=24):
            return None
        zone = timezone(-offset if got["zone"][0] == "-" else offset)
    try:
        moment = datetime(
            day.year,
            day.month,
            day.day,
            int(got["hour"]),
            int(got["minute"]),
            int(got["second"] or 0),
            tzinfo=zone,
        )
    except ValueError:
        return None
    return moment.isoformat()
