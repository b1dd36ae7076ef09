"""The story of a simulated month: what is true when, who reports it, and which changes that makes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from lab.months.month import DAYS, Expected, Kind, Month, MonthPage, Version

HERE = Path(__file__).parent


@dataclass
class _Told:
    """A page under way."""

    url: str
    publisher: str
    language: str
    day: int
    versions: list[Version]
    gone: int = 0
    down: tuple[int, ...] = ()


@dataclass
class _Fact:
    """A fact as it stands: its value, and the outlets that support it by their own reporting."""

    about: str
    place: int  # of the value
    holders: list[_Told] = field(default_factory=list["_Told"])


class Teller:
    """Tells one month; the same seed tells the same."""

    def __init__(self, seed: int, language: str) -> None:
        self.seed, self.language = seed, language
        self.random = Random(f"{seed}/{language}")
        self.facts: dict[str, Any] = json.loads((HERE / "facts.json").read_text("utf-8"))
        self.words: dict[str, Any] = json.loads((HERE / "words.json").read_text("utf-8"))
        pick = self.random.choice
        self.names = {
            "s": pick(self.words["subjects"]),
            "p": pick(self.words["products"]),
            "q": pick(self.words["software"]),
            "r": pick(self.words["coming"]),
            "c": pick(self.words["cities"]),
        }
        self.pages: list[_Told] = []
        self.expected: list[Expected] = []
        self.standing: dict[str, _Fact] = {}
        self.failing: list[int] = []
        self.acts: dict[int, str] = {}

    def month(self) -> Month:
        """Tell the month from its first day to its last."""
        abouts = self.random.sample(sorted(self.facts), 8)
        for about in abouts[:5]:
            self._first(about, 1, expected=False)
        later = iter(abouts[5:])
        self.acts = acts = self._acts()
        for day in range(2, DAYS + 1):
            act = acts.get(day)
            if act == "new":
                self._first(next(later), day, expected=True)
            elif act is not None:
                getattr(self, f"_{act}")(day)
        return Month(
            seed=self.seed,
            language=self.language,
            subject=self.names["s"],
            command=self.words["commands"][self.language].format(**self.names),
            pages=tuple(_page(each) for each in self.pages),
            expected=tuple(self.expected),
            failing=tuple(sorted(self.failing)),
            background=tuple(line for lines in self.words["filler"].values() for line in lines),
        )

    def _acts(self) -> dict[int, str]:
        """Say what happens on which day; half of the days nothing does."""
        wanted = [
            *("new", "new", "new"),
            *("changed", "changed", "changed", "changed"),
            *("confirmed", "confirmed"),
            *("edited", "retracted", "denied", "removed"),
            *("copy", "copy", "translated", "noise", "noise", "typo", "failing", "down"),
        ]
        days = self.random.sample(range(2, DAYS - 1), len(wanted))
        self.random.shuffle(wanted)
        return dict(zip(days, wanted, strict=True))

    # --- what happens ----------------------------------------------------------------------

    def _first(self, about: str, day: int, *, expected: bool) -> None:
        """Report a fact for the first time, by one outlet or by the subject itself."""
        fact = self.standing[about] = _Fact(about, 0)
        own = self.random.random() < 0.4
        page = self._report(fact, day, self.language, own=own)
        if expected:
            self._expect(day, "new", about, after=fact, pages=[page])

    def _changed(self, day: int) -> None:
        """Report another value for something that is known."""
        fact = self._open(lambda each: each.place + 1 < len(self.facts[each.about]["values"]))
        if fact is None:
            return
        before = self._forms(fact)
        fact.place += 1
        fact.holders.clear()
        page = self._report(fact, day, self._either(), own=self.random.random() < 0.5)
        self._expect(day, "changed", fact.about, before=before, after=fact, pages=[page])

    def _confirmed(self, day: int) -> None:
        """Let an outlet that did not report it before report it by itself."""
        fact = self._open(lambda each: bool(each.holders))
        if fact is not None:
            page = self._report(fact, day, self._either(), own=False)
            self._expect(day, "confirmed", fact.about, after=fact, pages=[page])

    def _edited(self, day: int) -> None:
        """Let the only page that says it say another value, without a word about it."""
        fact = self._open(
            lambda each: (
                len(each.holders) == 1
                and each.place + 1 < len(self.facts[each.about]["values"])
                and len(each.holders[0].versions) == 1
            )
        )
        if fact is None:
            return
        page, before = fact.holders[0], self._forms(fact)
        old = self._sentence(fact, page.language, 0)
        fact.place += 1
        self._revise(
            page, day, page.versions[-1].text.replace(old, self._sentence(fact, page.language, 0))
        )
        self._expect(day, "changed", fact.about, before=before, after=fact, pages=[page])

    def _retracted(self, day: int) -> None:
        """Let the only outlet that reports it take it back."""
        fact = self._alone()
        if fact is not None:
            page = fact.holders[0]
            said = self._sentence(fact, page.language, 0).rstrip(".。")
            self._revise(page, day, self.words["correction"][page.language].format(c=said))
            self._end(fact, day, page)

    def _removed(self, day: int) -> None:
        """Take the only page that reports it off the web: it counts on the second day."""
        fact = self._alone()
        if fact is not None and self.acts.get(day + 1) != "failing":
            page = fact.holders[0]
            page.gone = day
            self._end(fact, day + 1, page)

    def _denied(self, day: int) -> None:
        """Let the subject deny what an outlet reports, while the outlet stands by it."""
        fact = self._alone()
        if fact is None:
            return
        claim = self._sentence(fact, self.language, 0).rstrip(".。")
        text = self.random.choice(self.words["denial"][self.language]).format(
            **self.names | {"c": claim}
        )
        page = self._add(
            day, self.language, self._own(self.language), text, text.split(".")[0].split("。")[0]
        )
        forms = self._forms(fact)
        self.expected.append(
            Expected(
                day=day,
                kind="contested",
                about=fact.about,
                before=forms,
                after=forms,
                urls=(page.url,),
            )
        )
        del self.standing[fact.about]

    def _copy(self, day: int) -> None:
        """Pass on what another outlet reported: nothing new."""
        self._relay(day, same=True)

    def _translated(self, day: int) -> None:
        """Pass it on in the other language: nothing new."""
        self._relay(day, same=False)

    def _relay(self, day: int, *, same: bool) -> None:
        fact = self._open(lambda each: bool(each.holders))
        if fact is None:
            return
        source = fact.holders[0]
        other = {"en": "zh", "zh": "en"}[source.language]
        language = source.language if same else other
        said = self._sentence(fact, language, 0 if same else 1)
        text = self.words["relay"][language].format(f=said, o=source.publisher)
        self._add(day, language, self._outlet(language, fact), text, self._title(fact, language))

    def _noise(self, day: int) -> None:
        """Write about the subject without telling anything; and something about others."""
        title, text = self.random.choice(self.words["noise"][self.language])
        self._add(
            day,
            self.language,
            self._anybody(self.language),
            text.format(**self.names),
            title.format(**self.names),
        )
        about = self.random.choice(["users", "employees", "valuation"])
        names = self.names | {"s": self.random.choice(self.words["others"])}
        entry = self.facts[about]
        said = entry["en"][0].format(**names, v=entry["values"][-1][0])
        self._add(day, "en", self._anybody("en"), said, entry["head"][0].format(**names))

    def _typo(self, day: int) -> None:
        """Mend a page around its fact: nothing changes."""
        fact = self._open(lambda each: bool(each.holders))
        if fact is not None:
            page = fact.holders[0]
            more = self.random.choice(self.words["filler"][page.language])
            self._revise(page, day, f"{page.versions[-1].text} {more}")

    def _failing(self, day: int) -> None:
        """Let every search fail for a day."""
        self.failing.append(day)

    def _down(self, day: int) -> None:
        """Let the site of a page that is cited be down for a day."""
        fact = self._open(lambda each: bool(each.holders))
        if fact is not None:
            fact.holders[0].down = (day,)

    # --- pages -------------------------------------------------------------------------------

    def _report(self, fact: _Fact, day: int, language: str, *, own: bool) -> _Told:
        publisher = self._own(language) if own else self._outlet(language, fact)
        said = self._sentence(fact, language, len(fact.holders))
        filler = self.random.choice(self.words["filler"][language])
        page = self._add(day, language, publisher, f"{said} {filler}", self._title(fact, language))
        fact.holders.append(page)
        return page

    def _add(self, day: int, language: str, publisher: str, text: str, title: str) -> _Told:
        number = len(self.pages)
        names = [*self.words["outlets"]["en"], *self.words["outlets"]["zh"]]
        host = f"outlet{names.index(publisher)}" if publisher in names else _slug(self.names["s"])
        page = _Told(
            url=f"https://www.{host}.example/{number}",
            publisher=publisher,
            language=language,
            day=day,
            versions=[Version(day=day, title=title, text=text)],
        )
        self.pages.append(page)
        return page

    def _revise(self, page: _Told, day: int, text: str) -> None:
        page.versions.append(Version(day=day, title=page.versions[-1].title, text=text))

    def _expect(
        self, day: int, kind: Kind, about: str, *, after: _Fact,
        before: tuple[str, ...] = (), pages: list[_Told],
    ) -> None:  # fmt: skip
        urls = tuple(each.url for each in pages)
        forms = self._forms(after)
        self.expected.append(
            Expected(day=day, kind=kind, about=about, before=before, after=forms, urls=urls)
        )

    def _end(self, fact: _Fact, day: int, page: _Told) -> None:
        """Expect that a claim is withdrawn; nothing more is told of it."""
        forms = self._forms(fact)
        self.expected.append(
            Expected(day=day, kind="withdrawn", about=fact.about, before=forms, urls=(page.url,))
        )
        del self.standing[fact.about]

    # --- words -------------------------------------------------------------------------------

    def _sentence(self, fact: _Fact, language: str, turn: int) -> str:
        entry = self.facts[fact.about]
        forms = entry["values"][fact.place]
        templates = entry[language]
        if isinstance(templates[0], list):
            templates = templates[fact.place]
        value = (
            forms[min(1, len(forms) - 1)]
            if language == "zh"
            else forms[2 * (turn % 2) % len(forms)]
        )
        return templates[turn % len(templates)].format(**self.names, v=value)

    def _title(self, fact: _Fact, language: str) -> str:
        return self.facts[fact.about]["head"][language == "zh"].format(**self.names)

    def _forms(self, fact: _Fact) -> tuple[str, ...]:
        return tuple(self.facts[fact.about]["values"][fact.place])

    def _own(self, language: str) -> str:
        return self.words["own"][language].format(**self.names)

    def _outlet(self, language: str, fact: _Fact) -> str:
        """Choose an outlet that has not told of this."""
        taken = {each.publisher for each in self.pages if fact.about and each in fact.holders}
        return self.random.choice(
            [each for each in self.words["outlets"][language] if each not in taken]
        )

    def _anybody(self, language: str) -> str:
        return self.random.choice(self.words["outlets"][language])

    def _either(self) -> str:
        return self.random.choice(
            [self.language, self.language, "zh" if self.language == "en" else "en"]
        )

    def _open(self, fits: Callable[[_Fact], bool]) -> _Fact | None:
        """Choose a standing fact that fits."""
        found = [each for _, each in sorted(self.standing.items()) if fits(each)]
        return self.random.choice(found) if found else None

    def _alone(self) -> _Fact | None:
        """Choose a standing fact that one outlet, not the subject, reports on a page never revised."""
        return self._open(
            lambda each: (
                len(each.holders) == 1
                and len(each.holders[0].versions) == 1
                and each.holders[0].publisher not in (self._own("en"), self._own("zh"))
            )
        )


def tell(seed: int, language: str) -> Month:
    """Tell the month of a seed, in a main language."""
    return Teller(seed, language).month()


def _slug(name: str) -> str:
    return name.lower().replace(" ", "")


def _page(told: _Told) -> MonthPage:
    return MonthPage(
        url=told.url,
        publisher=told.publisher,
        language=told.language,
        published=told.day,
        versions=tuple(told.versions),
        gone=told.gone,
        down=told.down,
    )
