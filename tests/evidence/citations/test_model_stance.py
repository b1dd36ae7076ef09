"""What a model's reading may change, and what it may not."""

from __future__ import annotations

import pytest
from tests.evidence.builders import evidence

from groundwire.evidence.citations.model_stance import refined
from groundwire.model.stance import SILENT, Stance, StanceLabel

CLAIM = "Orchard Swap lost $41 million to an attacker"
TEXT = "Orchard Swap lost $41 million to an attacker on Tuesday. The team has paused withdrawals."
QUOTE = "Orchard Swap lost $41 million to an attacker on Tuesday."
DENIAL = "Orchard Swap denied that it had lost $41 million to an attacker on Tuesday."
OTHER = "Orchard Swap opened an office in Lisbon on Monday, its founder said."
ZH_CLAIM = "果园协议被盗4100万美元"
ZH_TEXT = "果园协议周二被盗4100万美元。团队已暂停提款。"


def own(label: StanceLabel, quote: str = QUOTE) -> Stance:
    return SILENT.model_copy(update={"label": label, "quote": quote, "start": 0, "end": len(quote)})


def label(
    before: StanceLabel,
    said: StanceLabel,
    quote: str,
    *,
    claim: str = CLAIM,
    text: str = TEXT,
    flags: tuple[str, ...] = (),
) -> StanceLabel:
    page = evidence(text, flags=flags)
    place = (page, page.passages[0])
    return refined(claim, own(before), said, quote, place).label


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [
        ("unrelated", "supports", "supports"),
        ("qualifies", "supports", "supports"),
        ("qualifies", "contradicts", "contradicts"),
        ("qualifies", "unrelated", "unrelated"),
        ("supports", "contradicts", "supports"),
        ("supports", "unrelated", "supports"),
        ("contradicts", "supports", "contradicts"),
        ("contradicts", "unrelated", "contradicts"),
        ("unrelated", "contradicts", "qualifies"),
    ],
)
def test_what_a_model_changes(before: StanceLabel, said: StanceLabel, after: StanceLabel) -> None:
    assert label(before, said, QUOTE) == after


def test_a_chinese_page_is_made_to_speak_by_its_own_words() -> None:
    quote = "果园协议周二被盗4100万美元。"
    assert label("unrelated", "supports", quote, claim=ZH_CLAIM, text=ZH_TEXT) == "supports"


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        (OTHER, OTHER),  # words that do not say it
        (DENIAL, DENIAL),  # words that say the opposite
        ("Orchard Swap lost $41 million to an attacker.", OTHER),  # words that stand nowhere
        ("Orchard Swap lost $14 million to an attacker on Tuesday.", TEXT.replace("41", "14")),
    ],
)
def test_nobody_supports_a_claim_that_the_quote_does_not_carry(quote: str, text: str) -> None:
    assert label("unrelated", "supports", quote, text=text) == "unrelated"


@pytest.mark.parametrize("flag", ["satire", "retraction"])
def test_what_counts_for_nothing_is_not_made_to_count(flag: str) -> None:
    assert label("unrelated", "supports", QUOTE, flags=(flag,)) == "unrelated"
