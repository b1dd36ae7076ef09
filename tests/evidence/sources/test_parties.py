"""The file of officials: what it holds and what it refuses."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from importlib.resources import files

import pytest

from groundwire.errors import InputError
from groundwire.evidence.sources.official import entities_in, is_official
from groundwire.evidence.sources.parties import COLUMNS, officials, read_officials
from groundwire.evidence.sources.places import official_words
from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.lexicon import low_form

ROW = "aske\tcompany\t奥斯克\t奧斯克\tAske Works\tAskeCorp\t-\taske.example\tx.com/aske"


def text() -> str:
    return files("groundwire.evidence.data").joinpath("officials.tsv").read_text("utf-8")


def test_the_shipped_file_is_broad() -> None:
    kinds = Counter(entity.kind for entity in officials().entities)
    assert sum(kinds.values()) >= 500
    least = {"exchange": 30, "issuer": 20, "protocol": 60, "regulator": 40, "central_bank": 25}
    least |= {"ministry": 25, "body": 40, "market": 20, "company": 150, "platform": 12}
    assert {kind: count for kind, count in least.items() if kinds[kind] < count} == {}


def test_the_shipped_file_is_sorted_and_has_each_entity_once() -> None:
    ids = [line.split("\t")[0] for line in text().splitlines() if not line.startswith("#")]
    assert ids == sorted(set(ids))


def test_no_domain_or_account_belongs_to_two_entities() -> None:
    owners: dict[str, list[str]] = {}
    for entity in officials().entities:
        for place in (*entity.domains, *entity.accounts):
            owners.setdefault("/".join((place.host, *place.segments)), []).append(entity.id)
    assert {place: ids for place, ids in owners.items() if len(ids) > 1} == {}


def test_a_name_of_two_entities_is_marked_as_ambiguous() -> None:
    shared = {name: forms for name, forms in officials().forms.items() if len(forms) > 1}
    for name, forms in shared.items():
        for form in forms:
            assert officials().near[form.entity], name


def test_both_scripts_are_there_for_chinese_names() -> None:
    for entity in officials().entities:
        if entity.zh_hans:
            assert entity.zh_hant, entity.id
        for name in entity.zh_hans:
            assert simplify(name) == name or not re.search(f"[{HAN}]", name), name


def test_what_is_unlike_a_name_holds_it() -> None:
    """Otherwise the line is dead weight."""
    for entity in officials().entities:
        names = [low_form(name.removeprefix("~")) for name in (*entity.names, *entity.tickers)]
        for word in entity.unlike:
            low = low_form(word)
            overlap = any(
                name in low or any(low.endswith(name[:size]) for size in range(1, len(name)))
                for name in names
            )
            assert overlap, f"{entity.id}: {word}"


def test_accounts_lie_on_shared_hosts() -> None:
    shared = set(official_words("shared hosts"))
    hosts = {place.host for entity in officials().entities for place in entity.accounts}
    assert hosts <= shared


def test_every_entity_is_found_by_one_of_its_own_names() -> None:
    missed = [
        entity.id
        for entity in officials().entities
        if not any(
            entity in entities_in(f"{name} {' '.join(entity.near[:1])} said")
            for name in (written.removeprefix("~") for written in entity.names)
        )
    ]
    assert missed == []


def test_every_domain_of_an_entity_is_official_unless_excluded() -> None:
    for entity in officials().entities:
        for place in (*entity.domains, *entity.accounts):
            path = "/".join(segment.replace("*", "en") for segment in place.segments)
            assert is_official(f"https://{place.host}/{path}", entity), (entity.id, place)


def test_every_exclusion_excludes_something() -> None:
    for entity in officials().entities:
        for place in entity.not_official:
            path = "/".join(segment.replace("*", "en") for segment in place.segments)
            assert not is_official(f"https://{place.host}/{path}/1", entity), (entity.id, place)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("aske\tcompany", "line 3: 2 columns"),
        (ROW + "\t-" * 4, "line 3: 13 columns"),
        (ROW.replace("aske\t", "As ke\t"), "line 3: 'As ke' is no id"),
        (ROW.replace("company", "firm"), "line 3: 'firm' is no kind"),
        (ROW.replace("aske.example", "https://aske.example"), "is no domain"),
        (ROW.replace("aske.example", "aske"), "line 3: 'aske' is no domain"),
        (ROW.replace("aske.example", "as ke.example"), "is no domain"),
        (ROW.replace("aske.example", "-_.example"), "is no domain"),
        (ROW.replace("aske.example", "github.com"), "'github.com' is shared by many"),
        (ROW.replace("aske.example", "x.com/*"), "'x.com/*' is shared by many"),
        (ROW.replace("x.com/aske", "x.com"), "'x.com' is shared by many"),
        (ROW.replace("aske.example", "co.uk"), "anybody can register below 'co.uk'"),
        (ROW.replace("aske.example", "gov.cn"), "anybody can register below 'gov.cn'"),
        (ROW.replace("Aske Works", "A"), "line 3: 'A' is too short"),
        (ROW.replace("奥斯克", "~奥"), "line 3: '~奥' is too short"),
        ("aske\tcompany\t-\t-\t-\tAske\t-\taske.example\t-", "'aske' has no name"),
        ("aske\tcompany\t-\t-\tAske\t-\t-\t-\t-", "'aske' has no domain"),
        ("aske\tcompany\t-\t-\tAske\t-\tA B\taske.example\t-", "'A B' is no ticker"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_officials(f"# mine\n\n{line}\n", "mine.tsv")
    assert message in caught.value.message
    assert caught.value.message.startswith("mine.tsv, line 3: ")


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(InputError, match=r"mine.tsv, line 2: the id 'aske' stands twice"):
        read_officials(f"{ROW}\n{ROW}", "mine.tsv")


def test_the_last_columns_may_be_left_out() -> None:
    (entity,) = read_officials(ROW)
    assert len(ROW.split("\t")) < len(COLUMNS)
    assert entity.name == "Aske Works"
    assert entity.tickers == entity.near == ()


def test_importing_reads_no_data() -> None:
    """The command line starts without it."""
    code = (
        "import sys; import groundwire.evidence.sources.official, groundwire.language.text.sentiment;"
        "import groundwire.evidence.sources.tiers, groundwire.evidence.sources.parties as e;"
        "assert e.officials.cache_info().currsize == 0;"
        "assert 'publicsuffixlist' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
