"""Nothing outside `jobs/` names a job: a new one is a folder, and no other file changes."""

from __future__ import annotations

import re
from pathlib import Path

import groundwire
from groundwire import jobs

SOURCE = Path(groundwire.__file__).parent
LOOKED_AT = (".py", ".html", ".js", ".json")
# Everyday words: they name a job only as a command, as a kind, as a path or as a whole string.
SPOKEN = {"ask", "exam", "tool", "watch"}

# Other things of the same name.
OTHER_MEANINGS = {
    "app/wiring.py": {"exam"},  # a setting
    "evidence/data/profiles/general.json": {"watch"},  # what people wear, and read in headlines
    "gateway/transport.py": {"verify"},  # TLS clients
    "llm/gemini.py": {"verify"},
    "llm/exchange.py": {"tool"},  # what a model is made to call
    "llm/model.py": {"tool"},
    "llm/spec.py": {"tool"},
    "reasoning/exam_pages.py": {"exam"},  # a made-up page of an item
    "report/chronology.py": {"timeline"},  # a block, which other jobs may make
    "report/statements.py": {"timeline"},
    "doors/ui/templates/blocks/timeline.html": {"timeline"},
    "report/tool_calls.py": {"tool"},  # the heading of a column
    "doors/cli/providers.py": {"tool"},  # a part of the desk
    "doors/mcp/running.py": {"tool"},  # a field of events
    "words/__init__.py": {"tool"},
    "words/en.json": {"tool"},  # the noun
}

# What has not moved into its job's folder yet; this list only gets shorter.
LEFT: set[str] = set()


def ways_to_name(kind: str, suffix: str) -> list[str]:
    """Return patterns for how a kind of file can name a job."""
    ways = [
        rf"[\"'/`]{kind}(?:[\"'/.`]|-\d)",  # a whole string, the head of a code, of a path, of an id
        rf"\bjobs[./]{kind}\b",
        rf"\bgw {kind}\b",
        rf"\bkind[\"']?[\s:=!]+[\"']?{kind}\b",
    ]
    if suffix != ".py":
        ways.append(rf"(?<![\w.$]){kind}\.[a-z_]")  # a setting; in Python also an attribute
    if kind not in SPOKEN and suffix != ".json":  # in catalogues it is a verb, too
        ways.append(rf"\b{kind}\b")
    return ways


def naming(source: Path, kinds: tuple[str, ...]) -> set[str]:
    """List the files that name a job, with the name."""
    found: set[str] = set()
    for path in sorted(each for each in source.rglob("*") if each.suffix in LOOKED_AT):
        name = path.relative_to(source).as_posix()
        if name.startswith("jobs/"):
            continue
        text = path.read_text(encoding="utf-8")
        listed = [line for line in text.splitlines() if lists(line, kinds)]
        for kind in kinds:
            named = any(re.search(way, text) for way in ways_to_name(kind, path.suffix))
            named = named or any(re.search(rf"\b{kind}\b", line) for line in listed)
            if named and kind not in OTHER_MEANINGS.get(name, set()):
                found.add(f"{name}: {kind}")
    return found


def lists(line: str, kinds: tuple[str, ...]) -> bool:
    """Tell whether a line enumerates jobs: "ask, verify or tool"."""
    one = "|".join(kinds)
    return re.search(rf"\b(?:{one})(?:, | or | and )(?:{one})\b", line) is not None


def test_no_file_outside_jobs_names_a_job() -> None:
    assert naming(SOURCE, jobs.kinds()) == LEFT


def test_every_other_meaning_is_still_there() -> None:
    for name, kinds in OTHER_MEANINGS.items():
        text = (SOURCE / name).read_text(encoding="utf-8")
        assert all(re.search(rf"\b{kind}\b", text) for kind in kinds), name


def test_a_planted_name_is_found(tmp_path: Path) -> None:
    planted = {
        "door.py": 'if kind == "verify":\n    pass\n',
        "plan.py": 'if run.kind == "tool" or more:\n    pass\n',
        "moved.py": "from groundwire.jobs.tool.job import TOOLS\n",
        "method.py": "class Door:\n    async def verify(self) -> None: ...\n",
        "help.py": 'ABOUT = "Only of this kind: ask, tool."\n',
        "page.html": '<a href="/runs?kind=ask">…</a>\n',
        "setting.html": "<code>ask.pages</code>\n",
        "run.js": 'const first = "tool";\n',
        "words.json": '{"hint.begin": "begin with: gw ask …"}\n',
        "own.json": '{"verify.label.flags": "…"}\n',
        # None of these names one.
        "plain.py": "async def ask(tool: Tool) -> None:\n    await context.ask(tool.run)\n",
        "plain.js": "setTimeout(ask, 5);\n",
        "plain.json": '{"bar.label": "Ask, or paste a message to verify", "noun.tool": "a tool"}\n',
    }
    for name, text in planted.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert naming(tmp_path, ("ask", "tool", "verify")) == {
        "door.py: verify",
        "plan.py: tool",
        "moved.py: tool",
        "method.py: verify",
        "help.py: ask",
        "help.py: tool",
        "page.html: ask",
        "setting.html: ask",
        "run.js: tool",
        "words.json: ask",
        "own.json: verify",
    }
