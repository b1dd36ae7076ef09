"""Earlier signals in an app's memory: runs of verify that have ended with them."""

from __future__ import annotations

from datetime import timedelta

from groundwire.app import App
from groundwire.jobs.verify import classify_message
from groundwire.model.base import JsonObject
from groundwire.model.ending import Ending
from groundwire.model.history import JudgedEvent
from groundwire.model.message import message_id
from groundwire.model.outcome import Feedback
from groundwire.model.run import NewRun
from groundwire.versions import versions
from lab.evaluation.scenarios import Remembered, Scenario

_OWNER = "past"
_SOURCE = "past"


async def remember(app: App, scenario: Scenario) -> None:
    """Before the engine is started: what the desk held when the message came."""
    for number, past in enumerate(scenario.remembered):
        name = f"verify-past-{number}"
        runs = app.store.runs
        await runs.create(
            NewRun(
                id=name,
                kind="verify",
                input=app.checked("verify", {"text": past.text, "source": _SOURCE}),
                settings=app.outside.run_settings(),
                now=past.at,
                seed=name,
                versions=versions(),
                created_at=past.at,
            )
        )
        lease = await runs.claim(name, _OWNER, past.at, past.at + timedelta(minutes=5))
        assert lease is not None, "nobody else knows this home"
        result: JsonObject = {"run_id": name}
        ending = Ending("complete", past.at, result, event=_landing(past, scenario))
        await runs.finish(lease, ending)
        if past.outcome is not None:
            said = Feedback(run_id=name, outcome=past.outcome, by=_OWNER, at=past.at)
            await app.store.signals.feedback(said)


def _landing(past: Remembered, scenario: Scenario) -> JudgedEvent:
    """The row, with the names and words that the desk would have taken from the text."""
    given = classify_message.ClassifyInput(message=past.text, language=scenario.language)
    seen = classify_message.QUESTION.embedded(given)
    asset = past.asset or (seen.assets[0] if seen.assets else "")
    return JudgedEvent(
        message_id=message_id(_SOURCE, past.text),
        source=_SOURCE,
        text=past.text,
        summary=seen.summary,
        event_type=past.event_type,
        asset=asset,
        assets=tuple(dict.fromkeys((asset, *seen.assets))) if asset else (),
        asset_name=seen.asset_name,
        keywords=seen.keywords,
        profile=seen.profile,
        preliminary=seen.confidence,
        score=past.confidence,
        confidence=past.confidence,
        verdict=past.verdict,
        path="deep",
    )
