"""How a question is answered: by a model of its tier where one is configured, else embedded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import httpx2

from groundwire.context.exams import Examiner, Mode, unexamined
from groundwire.context.sitting import Sitting
from groundwire.context.standings import Asking
from groundwire.errors import IllegalState, Missing
from groundwire.gateway.call import Call, Reply, Scope, Sending
from groundwire.gateway.gateway import Gateway
from groundwire.llm.answer import MOST_TOKENS, Answered, Unanswered, answer
from groundwire.llm.model import ModelCall, Usage, send
from groundwire.llm.prices import estimate, price, usual_tokens, window
from groundwire.llm.prompts import Rendered, load, render
from groundwire.llm.spec import ModelSpec
from groundwire.llm.tiers import Tiers
from groundwire.model.base import JsonObject
from groundwire.model.call import MICRO, CallRecord, Cap, Recovery, exams_scope
from groundwire.model.exam import Standing
from groundwire.model.picture import Picture
from groundwire.model.ports import Pictures
from groundwire.reasoning.question import EMBEDDED, Answer, I, O, Question, Tier, Vote

_LONG = 5_000  # characters from which on a window is looked at
_USELESS = frozenset({"bad_output", "wrong_language", "failed_check"})


class Mind:
    """The models of a run on the gateway, with the embedded reasoner behind them."""

    def __init__(
        self,
        gateway: Gateway,
        tiers: Tiers,
        client: httpx2.AsyncClient,
        pictures: Pictures,
        examiner: Examiner,
        exam: Mode,
        exam_micro: int | None = None,
    ) -> None:
        self._gateway = gateway
        self._tiers = tiers
        self._client = client
        self._pictures = pictures
        self._examiner = examiner
        self._exam: Mode = exam
        self._exam_micro = exam_micro  # micro-dollars that the exams of one run may cost; None: any

    def usd(self, tier: Tier, input_tokens: int, output_tokens: int) -> float:
        """Return what one request to the tier's first model costs; 0 where there is none."""
        first = next(iter(self._tiers.ladder(tier)), None)
        usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        return 0.0 if first is None else price(first, usage) / MICRO

    async def answer(
        self, asking: Asking, question: Question[I, O], given: I, language: str, occasion: str
    ) -> Answer[O]:
        if not self._tiers.ladder(question.tier):
            return Answer(question.embedded(given), EMBEDDED)
        rendered = render(load(question.prompt, language), question.variables(given, asking.seed))
        ladder = self._ladder(question.tier, rendered)
        standings = [await self._standing(asking, question, spec) for spec in ladder]
        known = tuple(each for each in standings if each is not None)
        left_out = {each.model for each in known if each.grade == "not_asked"}
        deciders = {each.model for each in known if each.grade == "decides"}
        models = [
            spec
            for spec in ladder
            if spec.label not in left_out and (question.takes_advice or spec.label in deciders)
        ]
        found = await self._ask(asking, question, given, rendered, language, occasion, models)
        if isinstance(found, Unanswered):
            value = question.embedded(given)
            tried = found.recoveries
            if found.failures:
                tried = (*tried, Recovery.of(found.failures[-1].code, EMBEDDED, worked=True))
            return Answer(value, EMBEDDED, found.failures, standings=known, recoveries=tried)
        vote: Vote = "decides" if found.model in deciders else "advises"
        return Answer(found.value, found.model, found.failures, vote, known, found.recoveries)

    async def examine(
        self, asking: Asking, question: Question[I, O], who: str, *, again: bool = False
    ) -> tuple[Standing, ...]:
        """Return the standings of the models that `who` names, after exams where they need one."""
        if question.exam is None:
            raise IllegalState(f"{question.prompt} has no exam")
        record = partial(self._record, asking.scope)
        return tuple(
            [
                await self._examiner.standing(
                    asking,
                    Sitting(question, question.exam, spec, asking.seed),
                    record,
                    purse=None,
                    again=again,
                )
                for spec in self._tiers.named(question.tier, who)
            ]
        )

    def _ladder(self, tier: Tier, rendered: Rendered) -> tuple[ModelSpec, ...]:
        """List the models to ask: a tier's, and for a long content those whose window holds it."""
        if len(rendered.system) + len(rendered.user) <= _LONG:
            return self._tiers.ladder(tier)
        tokens = usual_tokens(rendered.system, rendered.user) + MOST_TOKENS
        return self._tiers.holding(tier, tokens, window)

    async def _standing(
        self, asking: Asking, question: Question[I, O], spec: ModelSpec
    ) -> Standing | None:
        """Return what a model's answer will count for; None: nothing hangs on who answers."""
        if question.exam is None:
            return None
        sitting = Sitting(question, question.exam, spec, asking.seed)
        if self._exam == "off":
            return unexamined(sitting)
        scope = exams_scope(asking.scope.lease.run_id)
        purse = Cap(scope=scope, limit=self._exam_micro, remedy="remedy.exam")
        record = partial(self._record, asking.scope, purse=purse)
        return await self._examiner.standing(asking, sitting, record, purse=purse)

    async def _ask(
        self,
        asking: Asking,
        question: Question[I, O],
        given: I,
        rendered: Rendered,
        language: str,
        occasion: str,
        models: Sequence[ModelSpec],
    ) -> Answered[O] | Unanswered:
        if not models:
            return Unanswered(())
        scope = asking.scope
        met: list[Recovery] = []

        async def call(spec: ModelSpec, request: JsonObject, occasion: str) -> JsonObject:
            record = await self._record(scope, spec, request, occasion)
            met.extend(record.recoveries)
            return record.response or {}

        async def ask_models(occasion: str) -> Answered[O] | Unanswered:
            return await answer(
                models,
                rendered,
                question.output,
                call=call,
                occasion=occasion,
                language=language,
                check=lambda value: question.fault_of(given, value),
                prose=question.prose,
                pictures=question.pictures(given),
                most=question.requests,
            )

        found = await ask_models(occasion)
        for attempt in range(2, scope.lease.attempt + 1):
            # The ledger records a useless answer as an answer, so each resume asks for another.
            if isinstance(found, Answered) or _USELESS.isdisjoint(f.code for f in found.failures):
                break
            found = await ask_models(f"{occasion}@{attempt}")
        return replace(found, recoveries=(*met, *found.recoveries))

    async def _record(
        self,
        scope: Scope,
        spec: ModelSpec,
        request: JsonObject,
        occasion: str,
        *,
        purse: Cap | None = None,
    ) -> CallRecord:
        call = Call(
            kind="model",
            provider=spec.label,
            request=request,
            occasion=occasion,
            lane=spec.vendor,
            estimate=estimate(spec, request),
            purse=purse,
            timeout=spec.options.timeout,
        )

        async def once(sending: Sending) -> Reply:
            sent = await send(
                spec,
                request,
                client=self._client,
                idempotency_key=sending.idempotency_key,
                pictures=await self._shown(request),
            )
            return Reply(sent.response(), cost=sent.cost_micro)

        return await self._gateway.call(scope, call, once)

    async def _shown(self, request: JsonObject) -> list[Picture]:
        """Look up the pictures that a request names; only now, because a replay needs none."""
        found: list[Picture] = []
        for ref in ModelCall.read(request).pictures if request.get("pictures") else ():
            picture = await self._pictures.get(ref.sha256)
            if picture is None:
                raise Missing("outside.picture_gone")
            found.append(picture)
        return found
