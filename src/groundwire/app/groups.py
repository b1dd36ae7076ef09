"""What doors find behind the facade, by noun; each group is made when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from groundwire.app import App
    from groundwire.app.access import Access
    from groundwire.app.archive import Archive
    from groundwire.app.costs import Costs
    from groundwire.app.forgetting import Forgetting
    from groundwire.app.health import Health
    from groundwire.app.judgements import Judgements
    from groundwire.app.memory import Memory
    from groundwire.app.runs import Runs
    from groundwire.app.sources import Sites
    from groundwire.model.event_ports import Messages
    from groundwire.store import Store


class Groups:
    """The groups of an `App`, which has the store."""

    store: Store

    @cached_property
    def runs(self) -> Runs:
        """Runs that are stored, with their events and calls."""
        from groundwire.app.runs import Runs

        return Runs(self.store)

    @cached_property
    def archive(self) -> Archive:
        """Everything that was ever read."""
        from groundwire.app.archive import Archive

        return Archive(self._app)

    @cached_property
    def memory(self) -> Memory:
        """What is believed, and was."""
        from groundwire.app.memory import Memory

        return Memory(self._app)

    @cached_property
    def judgements(self) -> Judgements:
        """Events that were judged, and what came of them."""
        from groundwire.app.judgements import Judgements

        return Judgements(self._app)

    @cached_property
    def sources(self) -> Sites:
        """Sites, and what analysts say of them."""
        from groundwire.app.sources import Sites

        return Sites(self._app)

    @cached_property
    def costs(self) -> Costs:
        """What was spent, and what is left."""
        from groundwire.app.costs import Costs

        return Costs(self._app)

    @cached_property
    def access(self) -> Access:
        """Who may come in."""
        from groundwire.app.access import Access

        return Access(self._app)

    @cached_property
    def forgetting(self) -> Forgetting:
        """What can be forgotten, and what goes with it."""
        from groundwire.app.forgetting import Forgetting

        return Forgetting(self._app)

    @cached_property
    def health(self) -> Health:
        """What is configured, and what works."""
        from groundwire.app.health import Health

        return Health(self._app)

    @property
    def messages(self) -> Messages:
        """Messages as they came in."""
        return self.store.messages

    @property
    def _app(self) -> App:
        return cast("App", self)
