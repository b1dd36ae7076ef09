"""Does an embedded embedding earn its place? WordLlama alone, BM25 alone, and both fused.

WordLlama is the only multilingual embedding found whose weights come inside a package (16 MB). It is
no dependency: install it beside the project to run this.

    .venv/bin/python -m venv --system-site-packages .venv-model && .venv-model/bin/pip install wordllama
    .venv/bin/python -m scripts.measure_embedding DIR     # DIR holds BEIR sets, such as ../shared/eval/retrieval

The cross-language part asks the sample archive: each Chinese question of the question set looks for
English articles on its topic and the reverse, so nothing of the public data is needed for it.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab.evaluation.figures import sets_in
from lab.evaluation.kinds import retrieval

from groundwire import sample
from groundwire.model.query import Query

RRF = 60
DEEP = 50
# Topic words as people of the other language would type them; the topic is the file's prefix.
CROSS = [
    ("USDC 为什么脱锚", "en", "usdc"),
    ("硅谷银行倒闭", "en", "usdc"),
    ("稳定币储备存放在倒闭的银行", "en", "usdc"),
    ("深度求索发布推理模型", "en", "deepseek"),
    ("英伟达股价暴跌", "en", "deepseek"),
    ("意大利数据保护机构封禁", "en", "deepseek"),
    ("why did the stablecoin lose its peg", "zh", "usdc"),
    ("bank failure traps reserves", "zh", "usdc"),
    ("open reasoning model released by a Chinese lab", "zh", "deepseek"),
    ("price war among model makers", "zh", "deepseek"),
    ("app tops the download charts", "zh", "deepseek"),
    ("central bank cuts the reserve requirement", "zh", "other"),
]


def fused(*rankings: Sequence[str]) -> list[str]:
    scores: dict[str, float] = {}
    for ranking in rankings:
        for place, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0.0) + 1 / (RRF + place)
    return sorted(scores, key=lambda name: (-scores[name], name))


class Vectors:
    """The documents of a set as vectors; nearest by cosine."""

    def __init__(self, model: Any, texts: dict[str, str]) -> None:
        self._model = model
        self._names = list(texts)
        self._matrix = model.embed([text[:8000] for text in texts.values()], norm=True)

    def nearest(self, text: str) -> list[str]:
        scores = self._matrix @ self._model.embed([text], norm=True)[0]
        order = scores.argsort()[::-1][:DEEP]
        return [self._names[place] for place in order]


async def beir(folder: Path, model: Any, most: int = 500) -> None:
    given = retrieval.read_set(folder, most)
    texts = {d.id: f"{d.title}\n{d.text}" for d in given.documents}
    vectors = Vectors(model, texts)
    totals = {"bm25": 0.0, "vectors": 0.0, "fused": 0.0}
    async with retrieval.empty_archive("sqlite") as index:
        assert index is not None
        await index.add(given.documents)
        judged = next(iter(given.judged.values()))
        for query, wanted in judged.items():
            text = given.queries[query]
            hits = await index.search(Query(text=text, max_results=DEEP), retrieval.MOMENT)
            words = [hit.document.id for hit in hits]
            near = vectors.nearest(text)
            for name, ranking in (
                ("bm25", words),
                ("vectors", near),
                ("fused", fused(words, near)),
            ):
                totals[name] += retrieval.ndcg([given.names[each] for each in ranking], wanted)
    said = ", ".join(f"{name} {total / len(judged):.3f}" for name, total in totals.items())
    sys.stdout.write(f"{folder.name}: nDCG@10 over {len(judged)} queries: {said}\n")


def topics() -> dict[str, str]:
    """The topic of each article of the sample, by its address; the file's name begins with it."""
    files = sorted((Path(sample.__file__).parent / "articles").glob("*.md"))
    address = re.compile(r"^url: *(\S+)", re.MULTILINE)
    return {
        found[1]: path.name.split("-")[1]
        for path in files
        if (found := address.search(path.read_text(encoding="utf-8")))
    }


async def cross(model: Any) -> None:
    """Share of the first five that are of the topic, among articles of the other language."""
    documents = sample.documents(retrieval.MOMENT)
    by_address = topics()
    about = {document.id: by_address[document.url] for document in documents}
    found = {"bm25": 0.0, "vectors": 0.0, "fused": 0.0}
    for text, language, wanted in CROSS:
        pool = [document for document in documents if document.language.startswith(language)]
        vectors = Vectors(model, {each.id: f"{each.title}\n{each.text}" for each in pool})
        async with retrieval.empty_archive("sqlite") as index:
            assert index is not None
            await index.add(pool)
            asked = Query(text=text, max_results=DEEP)
            words = [hit.document.id for hit in await index.search(asked, retrieval.MOMENT)]
        near = vectors.nearest(text)
        for name, ranking in (("bm25", words), ("vectors", near), ("fused", fused(words, near))):
            found[name] += sum(about[each] == wanted for each in ranking[:5]) / 5
    said = ", ".join(f"{name} {total / len(CROSS):.3f}" for name, total in found.items())
    sys.stdout.write(f"cross-language: precision@5 over {len(CROSS)} questions: {said}\n")


async def main(folder: Path) -> None:
    import wordllama

    # The package looks for its own tokenizer in a folder that it does not have.
    inside = Path(wordllama.__file__).parent / "tokenizers"
    with tempfile.TemporaryDirectory() as cache:
        for name in ("tokenizer", "tokenizers"):
            (Path(cache) / name).symlink_to(inside)
        model = wordllama.WordLlama.load(cache_dir=cache, disable_download=True)
    for each in sets_in(folder, ("corpus.jsonl",)):
        await beir(each, model)
    await cross(model)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
