"""How the model stub answers: a schema-valid object from the prompt alone, without chance or memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lab.stubs.terms import Json, is_chinese, listed, sentences, terms

Schema = dict[str, Json]

_PASSAGE = re.compile(r"^[ \t]*【(\d+)】[ \t]*(.*)$")
_FENCE = re.compile(r"^\s*(?:[<>=\-_~#*`|]{3,}|</?[\w-]|[\[({<«⟦]{2}|[\])}>»⟧]{2})")
_QUESTION = re.compile(r"(?im)^\s*(?:question|command|问题|問題|指令)\s*[:：]\s*(\S.*)$")
_TAGGED = re.compile(r"(?is)<question[^>]*>\s*(.+?)\s*</question")
_INJECTED = re.compile(
    r"(?i)ignore (?:all |any )?(?:the )?(?:previous|above|prior)|忽略(?:以上|之前|上述)|忽略先前"
)
_GLOSSARY = dict(
    pair.split("=")
    for pair in listed(
        "peg=脱锚 depeg=脱锚 stablecoin=稳定币 bank=银行 reserve=储备 reserves=储备 redeem=赎回 collapse=倒闭 "
        "why=原因 price=价格 march=3月 model=模型 cost=成本 training=训练 chips=芯片 release=发布 official=官方"
    )
)
_NAME = re.compile(
    r"(?<=[a-z] )[A-Z][A-Za-z0-9-]+(?: [A-Z][A-Za-z0-9-]+)*|(?<=[^\x00-\x7f])[A-Z][A-Za-z0-9-]+"
)
_POSSESSIVE = re.compile(r"['’]s\b")
_MAX_QUOTE = 400


@dataclass(frozen=True, slots=True)
class Prompt:
    """The question and the numbered passages found in the messages."""

    question: str
    passages: tuple[tuple[int, str], ...]
    text: str
    pictures: tuple[tuple[str, bytes], ...] = ()

    @property
    def chinese(self) -> bool:
        return is_chinese(self.question)


def read_prompt(messages: list[str], pictures: Sequence[tuple[str, bytes]] = ()) -> Prompt:
    """Find the question and the passages; `messages` are the texts without the system's."""
    text = "\n".join(messages)
    passages: list[tuple[int, str]] = []
    other_lines: list[str] = []
    number, head, lines = 0, "", list[str]()

    def close() -> None:
        if number:
            # The head line carries title and date if lines follow it, otherwise the text.
            passages.append((number, "\n".join(lines) if lines else head))

    for line in text.splitlines():
        if found := _PASSAGE.match(line):
            close()
            number, head, lines = int(found[1]), found[2], []
        elif _FENCE.match(line):
            if number and not lines:
                continue  # the fence opens below the head line
            close()
            number = 0
            other_lines.append(line)
        elif not number:
            other_lines.append(line)
        elif line.strip():
            lines.append(line)
    close()
    return Prompt(_question("\n".join(other_lines)), tuple(passages), text, tuple(pictures))


def _question(text: str) -> str:
    for pattern in (_TAGGED, _QUESTION):
        if found := pattern.search(text):
            return found[1].strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    questions = [line for line in lines if line.endswith(("?", "？"))]
    return (questions or lines or [""])[0]


def think(schema: Schema, prompt: Prompt, lie: str | None = None) -> Json:
    """Return an object that fits the schema; `lie` names a lie to tell, "" all of them."""
    root = _resolve(schema, schema)
    known = root.get("properties")
    value = fill(schema, schema, prompt)
    if not isinstance(known, dict) or not isinstance(value, dict):
        return value
    proposed: dict[str, Json] = {}
    if "queries" in known:
        planned = plan(prompt.question)
        proposed["queries"] = [{"text": text, "language": language} for text, language in planned]
    elif "sentences" in known:
        drafts = write(prompt) if lie is None else tell_lies(prompt, lie)
        proposed["sentences"] = drafts
        if not drafts and "gaps" in known:
            reason = "no passage answers it"
            proposed["gaps"] = [{"what": prompt.question, "why": reason, "text": prompt.question}]
    elif "events" in known:
        proposed["events"] = choose_events(prompt)
    elif "tasks" in known:
        proposed["tasks"] = divide(prompt.question)
    elif "words" in known:
        proposed["words"] = suggest_words(prompt)
    elif "threads" in known:
        proposed["threads"] = [{"name": f"{prompt.question[:40]} {n}"} for n in range(1, 7)]
    elif "description" in known and prompt.pictures:
        value["description"] = describe_pictures(prompt)
    return {**value, **fit_fields(proposed, schema, prompt)}


def fit_fields(proposed: dict[str, Json], schema: Schema, prompt: Prompt) -> dict[str, Json]:
    """Fit proposed fields to those of the schema; what it does not have is left out."""
    known = _resolve(schema, schema).get("properties")
    fields = known if isinstance(known, dict) else {}
    return {
        name: _fit_list(value, fields[name], schema, prompt) if isinstance(value, list) else value
        for name, value in proposed.items()
        if name in fields
    }


def describe_pictures(prompt: Prompt) -> str:
    """Describe the pictures by their types and sizes."""
    if is_chinese(prompt.text):
        parts = [f"一张 {kind} 图片，{len(data)} 字节" for kind, data in prompt.pictures]
        return "；".join(parts) + "。"
    parts = [f"a picture of {len(data)} bytes ({kind})" for kind, data in prompt.pictures]
    return "This is " + ", then ".join(parts) + "."


def plan(question: str) -> list[tuple[str, str]]:
    """Plan up to five (query, language) pairs in both languages, from the words of the question."""
    language, other = ("zh", "en") if is_chinese(question) else ("en", "zh")
    latin = re.findall(r"[A-Za-z0-9][\w.\-]*", question)
    names = [word for word in latin if word[0].isdigit() or not word.islower()]
    core = " ".join(dict.fromkeys(w for w in names if terms(w))) or question[:60]
    back = {zh: en for en, zh in _GLOSSARY.items()}
    if language == "en":
        translated = [_GLOSSARY[w.lower()] for w in latin if w.lower() in _GLOSSARY]
    else:
        translated = [en for zh, en in back.items() if zh in question]
    crossed = " ".join(dict.fromkeys([core, *translated]))
    keywords = " ".join(dict.fromkeys(terms(question) if language == "en" else [core, question]))
    queries = [
        (question[:400], language),
        (crossed[:400], other),
        (f"{core[:380]} official statement", "en"),
        (f"{core[:380]} 官方声明", "zh"),
        (f"{keywords[:380]} {'timeline' if language == 'en' else '时间线'}", language),
    ]
    return list(dict.fromkeys(queries))


def divide(question: str) -> list[Json]:
    """Divide a standing question into sub-tasks, each with a search in each language."""
    names = (
        ("最新消息", "官方声明", "经过")
        if is_chinese(question)
        else ("news", "statements", "story")
    )
    queries = [text for text, _ in plan(question)]
    groups = [queries[:2], queries[2:4], queries[4:]]
    return [
        {"task": name, "queries": [*group], "days": None, "why": name}
        for name, group in zip(names, groups, strict=True)
        if group
    ]


def suggest_words(prompt: Prompt, limit: int = 3) -> list[Json]:
    """Suggest names that stand in the passages and not in the question, one of each passage."""
    asked = set(terms(prompt.question))
    found: dict[str, Json] = {}
    for number, text in prompt.passages:
        names = (each for each in _NAME.findall(text) if not asked & set(terms(each)))
        word = next((each for each in names if each not in found), None)
        if word is not None:
            found[word] = {"word": word, "passage": number}
    return list(found.values())[:limit]


def _best_sentence(passage: str, wanted: set[str]) -> tuple[float, str]:
    best, chosen = 0.0, ""
    for sentence in sentences(passage):
        if not 8 <= len(sentence) <= _MAX_QUOTE or _INJECTED.search(sentence):
            continue
        sentence_terms = set(terms(sentence))
        score = len(sentence_terms & wanted) / (len(sentence_terms) + 4) ** 0.5
        if score > best:
            best, chosen = score, sentence
    return best, chosen


def write(prompt: Prompt, limit: int = 6) -> list[Json]:
    """Write one cited sentence for each of the best passages, in the language of the question."""
    wanted = set(terms(_POSSESSIVE.sub("", prompt.question)))
    scored = [(*_best_sentence(text, wanted), number) for number, text in prompt.passages]
    found = [row for row in scored if row[0] > 0]
    same = [row for row in found if is_chinese(row[1]) == prompt.chinese]
    best = sorted(same or found, key=lambda row: (-row[0], row[2]))[:limit]
    drafts: list[Json] = []
    used: list[str] = []
    for _, quote, number in best:
        if quote in used:
            continue
        used.append(quote)
        prefix = ("据来源，" if prompt.chinese else "According to the source, ") * (number % 2)
        drafts.append({"text": prefix + quote, "quotes": [{"passage": number, "quote": quote}]})
    return drafts


def choose_events(prompt: Prompt) -> list[Json]:
    """Make an event of each passage, titled by the sentence that has most of the question."""
    wanted = set(terms(prompt.question))
    titled = [(number, _best_sentence(text, wanted)[1]) for number, text in prompt.passages]
    return [{"passages": [number], "title": text[:100]} for number, text in titled if text]


def tell_lies(prompt: Prompt, which: str) -> list[Json]:
    """Write false sentences: an invented quote, a missing passage, a URL, an obeyed order."""
    number = prompt.passages[0][0] if prompt.passages else 1
    absent = max((n for n, _ in prompt.passages), default=0) + 997
    invented = (
        "官方已全额赔付所有用户。" if prompt.chinese else "The issuer repaid all users in full."
    )
    orders = [s for s in sentences(prompt.text) if _INJECTED.search(s)]
    honest = write(prompt, 1)
    quotes: Json = [{"passage": number, "quote": invented}]
    if honest and isinstance(honest[0], dict):
        quotes = honest[0]["quotes"]
    lies: dict[str, dict[str, Json]] = {
        "quote": {"text": invented, "quotes": [{"passage": number, "quote": invented}]},
        "passage": {"text": invented, "quotes": [{"passage": absent, "quote": invented}]},
        "url": {"text": f"{invented} https://invented.example/proof", "quotes": quotes},
        "injection": {"text": (orders or [invented])[0], "quotes": quotes},
    }
    return [lies[which]] if which in lies else list(lies.values())


def _resolve(schema: Json, root: Schema) -> Schema:
    """Follow $ref, and take the first branch of anyOf, oneOf, allOf that is not null."""
    for _ in range(16):
        if not isinstance(schema, dict):
            return {}
        ref = schema.get("$ref")
        branches = next((b for k in ("anyOf", "oneOf", "allOf") if (b := schema.get(k))), None)
        if isinstance(ref, str):
            target: Json = root
            for part in ref.removeprefix("#/").split("/"):
                target = target.get(part) if isinstance(target, dict) else None
            schema = target
        elif isinstance(branches, list):
            real = [b for b in branches if not (isinstance(b, dict) and b.get("type") == "null")]
            schema = (real or branches)[0]
        else:
            return schema
    return {}


def _words(prompt: Prompt, low: int, high: int) -> str:
    text = " ".join(prompt.question.split()[:8]) or "answer"
    while len(text) < low:
        text += " " + text
    return text[: max(high, 0)]


def _int(value: Json, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def _number(schema: Schema, whole: bool) -> int | float:
    low, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    if isinstance(low, int | float):
        return low
    return above + (1 if whole else 0.5) if isinstance(above, int | float) else 0


def fill(schema: Json, root: Schema, prompt: Prompt, depth: int = 0) -> Json:
    """Build the smallest value that fits the schema."""
    node = _resolve(schema, root)
    choices = node.get("enum")
    if "const" in node:
        return node["const"]
    if isinstance(choices, list) and choices:
        return choices[0]
    kind = node.get("type")
    if isinstance(kind, list):
        kind = next((k for k in kind if k != "null"), "null")
    if kind == "object" or (kind is None and "properties" in node):
        properties = node.get("properties")
        if not isinstance(properties, dict) or depth > 12:
            return {}
        return {name: fill(sub, root, prompt, depth + 1) for name, sub in properties.items()}
    if kind == "array":
        wanted = _int(node.get("minItems"), 0)
        return [fill(node.get("items"), root, prompt, depth + 1) for _ in range(wanted)]
    if kind == "string":
        return _string(node, prompt)
    if kind in ("integer", "number"):
        return _number(node, kind == "integer")
    return False if kind == "boolean" else None


def _string(node: Schema, prompt: Prompt) -> str:
    samples = {"date": "2023-03-11", "date-time": "2023-03-11T00:00:00Z"}
    form = node.get("format")
    if isinstance(form, str) and form in samples:
        return samples[form]
    return _words(prompt, _int(node.get("minLength"), 0), _int(node.get("maxLength"), 200))


def _fit_list(items: list[Json], schema: Json, root: Schema, prompt: Prompt) -> Json:
    """Fit proposed items to the schema of the array: its fields, its enums, its limits."""
    node = _resolve(schema, root)
    limit, minimum = _int(node.get("maxItems"), len(items)), _int(node.get("minItems"), 0)
    shaped = [_fit(item, node.get("items"), root, prompt) for item in items[:limit]]
    while len(shaped) < minimum:
        shaped.append(fill(node.get("items"), root, prompt))
    return shaped


def _fit(item: Json, schema: Json, root: Schema, prompt: Prompt) -> Json:
    node = _resolve(schema, root)
    properties = node.get("properties")
    if not isinstance(item, dict):
        return item
    if not isinstance(properties, dict):
        return item.get("text", item) if node.get("type") == "string" else item
    base = fill(node, root, prompt)
    shaped: dict[str, Json] = base if isinstance(base, dict) else {}
    for name, value in item.items():
        field = _resolve(properties.get(name), root)
        allowed = field.get("enum")
        if name not in properties or (isinstance(allowed, list) and value not in allowed):
            continue
        if isinstance(value, list):
            value = _fit_list(value, field, root, prompt)
        shaped[name] = value
    return shaped
