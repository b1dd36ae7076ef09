"""Count how common words are, for `language/data/rarity.tsv`: in how many texts each of them occurs.

    .venv/bin/python -m scripts.count_rarity EVAL_FOLDER

Reads the news articles of `timeline/entities` and `timeline/zh_unlabelled` and the encyclopaedia and abstracts
of `retrieval`. Only words come out, each with a level; a word that one topic uses more than all others together is
not common and is left out, so that nobody's name gets in for being in the news.
"""

from __future__ import annotations

# ruff: noqa: T201 — a script prints
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import rjieba

from groundwire.language.text.characters import HAN, simplify
from groundwire.language.text.stems import stem

OUT = Path(__file__).parents[1] / "src/groundwire/language/data/rarity.tsv"
LEVEL = 0.25
RAREST = 2.25  # levels of 10-fold: rarer words are not worth a line
_PART = 3_000  # characters of a text
_MOST_OF_TOPIC = 0.5
_WORD, _RUN = re.compile("[a-z]+"), re.compile(f"[{HAN}]+")

HEAD = """\
# How rare words are: level<TAB>stems (English) and words (simplified Chinese); log10 of texts per text that has the word.
# A word that is not here is rarer than all of them. Made by scripts/count_rarity.py from {en} English texts (news articles of
# news-tls Entities, abstracts of SciFact) and {zh} Chinese ones (news of DTELS-Bench, paragraphs of CMRC 2018); no text of them is kept.
"""


def _english(folder: Path) -> Iterator[tuple[str, frozenset[str]]]:
    for path in sorted((folder / "timeline/entities").glob("articles_*.jsonl")):
        for line in path.read_text("utf-8").splitlines()[:400]:
            yield path.stem, _stems(json.loads(line)["text"])
    for line in (folder / "retrieval/ir_scifact/corpus.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield "scifact", _stems(f"{row['title']} {row['text']}")


def _chinese(folder: Path) -> Iterator[tuple[str, frozenset[str]]]:
    path = folder / "timeline/zh_unlabelled/articles.jsonl"
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield row["topic_id"], _cut(f"{row['title']}。{row['content']}")
    for line in (folder / "retrieval/ir_cmrc2018_zh/corpus.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield row["title"], _cut(row["text"])


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text[:_PART].lower()))


def _cut(text: str) -> frozenset[str]:
    runs = _RUN.findall(simplify(text[:_PART]))
    return frozenset(word for run in runs for word in rjieba.cut(run))


def _levels(texts: Iterator[tuple[str, frozenset[str]]]) -> tuple[int, dict[str, float]]:
    texts_with: Counter[str] = Counter()
    topics: dict[str, Counter[str]] = {}
    number = 0
    for topic, words in texts:
        number += 1
        texts_with.update(words)
        topics.setdefault(topic, Counter()).update(words)
    most_in_topic = {word: max(topic[word] for topic in topics.values()) for word in texts_with}
    found: dict[str, float] = {}
    for word, count in texts_with.items():
        level = LEVEL * round(math.log10(number / count) / LEVEL)
        if level <= RAREST and most_in_topic[word] <= _MOST_OF_TOPIC * count:
            found[word] = level
    return number, found


def main(folder: Path) -> None:
    en, english = _levels(_english(folder))
    zh, chinese = _levels(_chinese(folder))
    lines = [HEAD.format(en=en, zh=zh)]
    for words in (english, chinese):
        for level in sorted(set(words.values())):
            listed = " ".join(sorted(word for word, rarity in words.items() if rarity == level))
            lines.append(f"{level:.2f}\t{listed}\n")
    OUT.write_text("".join(lines), "utf-8")
    print(f"{len(english)} English and {len(chinese)} Chinese words in {OUT.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
