"""Prompts: files with declared variables, `<question>.<zh|en>.md`.

They are in the folder `prompts` of a job, or of `reasoning`, by group, where several jobs ask.
Records know a prompt by the `id` of its file and by the hash of its bytes. A file that has moved
keeps both: what was recorded before still answers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from groundwire.errors import IllegalState
from groundwire.model.base import Value

LANGUAGES = ("en", "zh")
_HEADER = ("id", "version", "vars", "returns")
_VARIABLE = re.compile(r"\{\{([a-z_]+)\}\}")
_FILE = re.compile(
    r"\A---\n(?P<header>.*?)\n---\n+# system\n(?P<system>.*?)\n# user\n(?P<user>.*)\Z", re.DOTALL
)


class Prompt(Value):
    """A prompt as its file has it."""

    id: str
    version: str
    language: str
    sha256: str
    vars: tuple[str, ...]
    returns: str
    system: str
    user: str

    @property
    def label(self) -> str:
        """The prompt's name in records: `vision/read_image@1`."""
        return f"{self.id}@{self.version}"


class Rendered(Value):
    """A prompt with its values in place, and where it came from."""

    prompt: str  # id@version
    sha256: str
    system: str
    user: str


@cache
def folders(kind: str) -> dict[str, Traversable]:
    """Map the first half of questions' names, a job or a shared group, to folders of this kind."""
    package = resources.files("groundwire")
    shared = package / "reasoning" / kind
    found = {each.name: each for each in shared.iterdir()} if shared.is_dir() else {}
    found |= {each.name: each / kind for each in (package / "jobs").iterdir()}
    return {name: folder for name, folder in found.items() if folder.is_dir()}


@cache
def names() -> tuple[str, ...]:
    """List every prompt, in order."""
    found = {
        f"{group}/{file.name.split('.')[0]}"
        for group, folder in folders("prompts").items()
        for file in folder.iterdir()
        if file.name.endswith(".md")
    }
    return tuple(sorted(found))


@cache
def load(name: str, language: str) -> Prompt:
    """Load the prompt in the answer's language: Chinese of any script reads the zh file."""
    if name not in names():
        raise IllegalState(f"there is no prompt {name!r}")
    code = "zh" if language.lower().startswith("zh") else "en"
    group, _, question = name.partition("/")
    text = (folders("prompts")[group] / f"{question}.{code}.md").read_text(encoding="utf-8")
    return parse(text.replace("\r\n", "\n"), name, code)


def parse(text: str, name: str, language: str) -> Prompt:
    """Parse a prompt file; it must use exactly the variables that it declares."""
    match = _FILE.match(text)
    if match is None:
        raise IllegalState(f"prompt {name}.{language}: header, '# system', '# user' expected")
    pairs = (line.partition(":") for line in match["header"].splitlines())
    header = {key.strip(): value.strip() for key, _, value in pairs}
    if tuple(header) != _HEADER:
        raise IllegalState(f"prompt {name}.{language}: its header needs {', '.join(_HEADER)}")
    if header["id"].rpartition("/")[2] != name.rpartition("/")[2]:
        raise IllegalState(f"prompt {name}.{language} calls itself {header['id']!r}")
    declared = tuple(part.strip() for part in header["vars"].split(",") if part.strip())
    used = set(_VARIABLE.findall(match["system"] + match["user"]))
    if used != set(declared):
        odd = ", ".join(sorted(used.symmetric_difference(declared)))
        raise IllegalState(f"prompt {name}.{language}: used and declared variables differ: {odd}")
    return Prompt(
        id=header["id"],
        version=header["version"],
        language=language,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        vars=declared,
        returns=header["returns"],
        system=match["system"].strip(),
        user=match["user"].strip(),
    )


def render(prompt: Prompt, values: Mapping[str, str]) -> Rendered:
    """Put the values in place, literally: what looks like a variable inside a value stays text."""
    if set(values) != set(prompt.vars):
        odd = ", ".join(sorted(set(values).symmetric_difference(prompt.vars)))
        raise IllegalState(f"prompt {prompt.label}: given and declared variables differ: {odd}")

    def fill(text: str) -> str:
        # One pass with a function: nothing inserted is looked at again.
        return _VARIABLE.sub(lambda match: values[match[1]], text)

    return Rendered(
        prompt=prompt.label,
        sha256=prompt.sha256,
        system=fill(prompt.system),
        user=fill(prompt.user),
    )


@cache
def prompt_hash() -> str:
    """Hash all prompt files together, for the versions of a run."""
    total = hashlib.sha256()
    prompts = (load(name, language) for name in names() for language in LANGUAGES)
    for prompt in sorted(prompts, key=lambda each: (each.id, each.language)):
        total.update(f"{prompt.id}.{prompt.language} {prompt.sha256}\n".encode())
    return total.hexdigest()
