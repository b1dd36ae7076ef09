"""How a question is answered: by a model of its tier where one is configured, else embedded."""

from __future__ import annotations

from functools import partial

import httpx2

from groundwire.errors import Missing
from groundwire.gateway.call import Call, Reply, Scope, Sending
from groundwire.gateway.gateway import Gateway
from groundwire.llm.answer import Answered, Unanswered, answer
from groundwire.llm.model import ModelCall, send
from groundwire.llm.prices import estimate
from groundwire.llm.prompts import load, render
from groundwire.llm.spec import ModelSpec
from groundwire.llm.tiers import Tiers
from groundwire.model.base import JsonObject
from groundwire.model.picture import Picture
from groundwire.model.ports import Pictures
from groundwire.reasoning.question import EMBEDDED, Answer, I, O, Question, Vote

_USELESS = frozenset({"bad_output", "wrong_language", "failed_check"})


class Mind:
    """The models of a run on the gateway, with the embedded reasoner behind them."""

    def __init__(
        self, gateway: Gateway, tiers: Tiers, client: httpx2.AsyncClient, pictures: Pictures
    ) -> None:
        self._gateway = gateway
        self._tiers = tiers
        self._client = client
        self._pictures = pictures

    async def answer(
        self,
        scope: Scope,
        seed: str,
        question: Question[I, O],
        given: I,
        language: str,
        occasion: str,
    ) -> Answer[O]:
        models = self._tiers.ladder(question.tier)
        vote = self.vote(question)
        if not models or (question.needs_vote and vote != "decides"):
            return Answer(question.embedded(given), EMBEDDED)
        rendered = render(load(question.prompt, language), question.variables(given, seed))

        async def ask_models(occasion: str) -> Answered[O] | Unanswered:
            return await answer(
                models,
                rendered,
                question.output,
                call=partial(self._call, scope),
                occasion=occasion,
                language=language,
                check=lambda value: question.fault_of(given, value),
                prose=question.prose,
                pictures=question.pictures(given),
            )

        found = await ask_models(occasion)
        for attempt in range(2, scope.lease.attempt + 1):
            # The ledger records a useless answer as an answer, so each resume asks for another.
            if isinstance(found, Answered) or _USELESS.isdisjoint(f.code for f in found.failures):
                break
            found = await ask_models(f"{occasion}@{attempt}")
        if isinstance(found, Answered):
            return Answer(found.value, found.model, found.failures, vote)
        return Answer(question.embedded(given), EMBEDDED, found.failures)

    def vote(self, question: Question[I, O]) -> Vote:
        """Return what a model's answers to the question count for."""
        return "advises"

    async def _call(
        self, scope: Scope, spec: ModelSpec, request: JsonObject, occasion: str
    ) -> JsonObject:
        call = Call(
            kind="model",
            provider=spec.label,
            request=request,
            occasion=occasion,
            lane=spec.vendor,
            estimate=estimate(spec, request),
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

        record = await self._gateway.call(scope, call, once)
        return record.response or {}

    async def _shown(self, request: JsonObject) -> list[Picture]:
        """Look up the pictures that a request names; only now, because a replay needs none."""
        found: list[Picture] = []
        for ref in ModelCall.read(request).pictures if request.get("pictures") else ():
            picture = await self._pictures.get(ref.sha256)
            if picture is None:
                raise Missing("outside.picture_gone")
            found.append(picture)
        return found
