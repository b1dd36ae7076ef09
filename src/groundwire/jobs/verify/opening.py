"""Before anything is looked up: the message, its language, the first impression, the gate."""

from __future__ import annotations

import asyncio

from groundwire.context import Context
from groundwire.evidence.messages.claims import message_claims
from groundwire.gather.as_of import known_by
from groundwire.gather.failures import failed_models
from groundwire.jobs.verify import (
    classify_message,
    describe_message,
    extract_claims,
    translate_message,
)
from groundwire.jobs.verify.messages import message_with
from groundwire.jobs.verify.policy import is_high_value, rolled_in
from groundwire.jobs.verify.settings import VerifySettings
from groundwire.jobs.verify.types import State, VerifyInput
from groundwire.language.text.characters import detect_language
from groundwire.language.text.script import language_of_question
from groundwire.model.history import PastEvent, Path
from groundwire.model.message import Message
from groundwire.model.phrase import Phrase, phrase
from groundwire.model.result import Degraded
from groundwire.reasoning.question import EMBEDDED
from groundwire.words import words


async def impression(context: Context, given: VerifyInput) -> State:
    """Form the first impression, by a light model or embedded."""
    limits = VerifySettings.model_validate(context.parts.limits["verify"])
    named = given.language not in ("", "auto", "und")
    message_language = given.language if named else detect_language(given.text)
    message = message_with(given, message_language, given.received_at or context.now())
    language = given.desk_language
    if language == "auto":
        language = language_of_question(message.language)
    text, degraded = await _readable(context, message, language)
    as_of = known_by(given.as_of, context.now())
    classify_input = classify_message.ClassifyInput(
        message=text,
        language=language,
        published_at=min(message.at, as_of).isoformat(),
        own=limits.profiles or "",
    )
    answer = await context.ask(
        classify_message.QUESTION, classify_input, language=language, occasion="preliminary"
    )
    return State(
        given=given,
        limits=limits,
        message=message,
        language=language,
        text=text,
        preliminary=await asyncio.to_thread(
            classify_message.first_impression, classify_input, answer
        ),
        claims=(),
        as_of=as_of,
        enabled=context.parts.enabled,
        offline=context.scope.offline,
        degraded=(*degraded, *failed_models("preliminary", answer.by, answer.failures)),
    )


async def _readable(
    context: Context, message: Message, language: str
) -> tuple[str, tuple[Degraded, ...]]:
    """Return the message in a language that the rules read, untranslated where no model can."""
    if message.language in translate_message.READ:
        return message.text, ()
    given = translate_message.TranslateInput(text=message.text, language=language)
    answer = await context.ask(
        translate_message.QUESTION, given, language=language, occasion="translate"
    )
    if answer.value.text:
        return answer.value.text, ()
    # A language without a name in the catalogue is shown by its code.
    code = f"language.{message.language}"
    named = phrase(code) if words("en").has(code) else message.language
    why = phrase("verify.degraded.untranslated", language=named)
    instead = phrase("verify.instead.untranslated")
    untranslated = Degraded.of("translation", "no_model", why, instead)
    return message.text, (untranslated, *failed_models("translate", answer.by, answer.failures))


async def choose_path(context: Context, state: State, twin: PastEvent | None) -> tuple[Path, State]:
    """Choose how far the message goes, and say why no further."""
    if twin is not None:
        return "duplicate", stopped(state, phrase("verify.why.duplicate", run=twin.run_id))
    if not state.given.gate:
        return await _look_into(context, state)
    threshold = state.given.threshold
    if threshold is None:
        threshold = state.limits.high_value_threshold
    valued = is_high_value(state.preliminary, state.profile, threshold)
    rolled = rolled_in(state.message.id, state.limits.rollout_percent)
    passed = valued.passed and rolled.passed
    reason = rolled.reason if valued.passed else valued.reason
    await context.step("gate").emit(
        "thought", {"phase": "gate", "passed": passed, "reason": reason.model_dump()}
    )
    if passed:
        return await _look_into(context, state)
    state = state.model_copy(update={"rolled_in": not valued.passed})
    return "plain", stopped(state, phrase("verify.why.gated", why=reason))


async def _look_into(context: Context, state: State) -> tuple[Path, State]:
    """Take the deep path; with tools off, only describe the message."""
    if state.limits.tools_enabled and state.given.tools:
        return "deep", await _with_claims(context, state)
    state = stopped(state, phrase("verify.why.tools_off"))
    return "plain", await describe(context, state)


async def _with_claims(context: Context, state: State) -> State:
    """Add what the message claims: by a model that decides, else embedded."""
    given = extract_claims.ClaimsInput(
        message=state.text,
        language=state.language,
        published_at=state.moment.said.isoformat() if state.dated else "",
    )
    # Off the loop: after a model's impression nothing has taken the text apart yet.
    claims, by = await asyncio.to_thread(message_claims, state.text), EMBEDDED
    answer = await context.ask(
        extract_claims.QUESTION, given, language=state.language, occasion="claims"
    )
    if answer.vote == "decides":
        claims, by = answer.value.claims, answer.by
    failed = failed_models("claims", answer.by, answer.failures)
    changes = {"claims": claims, "claims_by": by, "degraded": (*state.degraded, *failed)}
    return state.model_copy(update=changes)


async def describe(context: Context, state: State) -> State:
    """Add a text on what the message says: by the heavy model without tools, or embedded."""
    given = describe_message.DescribeInput(
        message=state.text,
        language=state.language,
        event_type=state.preliminary.event_type,
        summary=state.preliminary.summary,
        traits=state.preliminary.risk_flags,
    )
    answer = await context.ask(
        describe_message.QUESTION, given, language=state.language, occasion="description"
    )
    degraded = (*state.degraded, *failed_models("describe", answer.by, answer.failures))
    changes = {"description": answer.value.text, "reasoner": answer.by, "degraded": degraded}
    return state.model_copy(update=changes)


def stopped(state: State, why: Phrase) -> State:
    return state.model_copy(update={"why_stopped": why})
