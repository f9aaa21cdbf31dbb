"""A task of 13 hours keeps a valid token: Airflow's own code, heartbeat by heartbeat, on a clock that a test turns."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

HEARTBEAT = 30
"""Seconds between two; by default 5, and more where the API server is slow."""
HOURS = 13


class Clock:
    """What the server and the tokens take for the time."""

    now = 1_800_000_000.0

    def time(self) -> float:
        return self.now

    def datetime(self) -> type[datetime]:
        clock = self

        class Turned(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> "Turned":
                return cls.fromtimestamp(clock.now, tz)

        return Turned


class Server:
    """The part of the API server that looks at a task's token, and gives it another in time."""

    def __init__(self, life: int) -> None:
        from airflow.api_fastapi.auth.tokens import JWTGenerator, JWTValidator
        from airflow.api_fastapi.execution_api import app

        named = {"audience": "tasks", "issuer": "test", "secret_key": "x" * 64}
        self._services: dict[type, Any] = {
            JWTGenerator: JWTGenerator(valid_for=life, **named),
            JWTValidator: JWTValidator(leeway=10, jwks=None, **named),
        }
        self._validator, self._app = self._services[JWTValidator], app
        self.token: str = self._services[JWTGenerator].generate({"sub": "the task"})

    async def aget(self, kind: type) -> Any:
        return self._services[kind]

    async def __aenter__(self) -> "Server":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def heartbeat(self, patch: pytest.MonkeyPatch) -> None:
        """One request of the task; raises where its token is not taken any more."""
        from starlette.responses import Response

        await self._validator.avalidated_claims(self.token)
        patch.setattr(self._app.svcs, "Container", lambda _registry: self)
        request = SimpleNamespace(
            headers={"authorization": f"Bearer {self.token}"},
            app=SimpleNamespace(state=SimpleNamespace(svcs_registry=None)),
        )

        async def answered(_request: object) -> Response:
            return Response()

        reissue = self._app.JWTReissueMiddleware(answered)
        response = await reissue.dispatch(request, answered)  # type: ignore[arg-type]
        self.token = response.headers.get("Refreshed-API-Token", self.token)


@pytest.fixture
def clock(airflow_home: Path, monkeypatch: pytest.MonkeyPatch) -> Clock:
    import jwt.api_jwt
    from airflow.api_fastapi.auth import tokens
    from airflow.api_fastapi.execution_api import app

    found = Clock()
    monkeypatch.setattr(tokens, "datetime", found.datetime())
    monkeypatch.setattr(jwt.api_jwt, "datetime", found.datetime())
    monkeypatch.setattr(app, "time", found)
    return found


def task(clock: Clock, patch: pytest.MonkeyPatch, away: Callable[[float], bool]) -> float:
    """Hours until a task that is heard of every few seconds is not let in any more; at most 13."""
    import jwt
    from airflow.configuration import conf

    server, began = Server(conf.getint("execution_api", "jwt_expiration_time")), clock.now

    async def heard_of() -> float:
        while (gone := clock.now - began) < HOURS * 3600:
            if not away(gone):
                try:
                    await server.heartbeat(patch)
                except jwt.ExpiredSignatureError:
                    return gone / 3600
            clock.now += HEARTBEAT
        return HOURS

    return asyncio.run(heard_of())


def test_a_token_outlives_thirteen_hours_and_an_api_server_that_is_away_for_ten_minutes_of_each(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert task(clock, monkeypatch, lambda _: False) == HOURS
    # In whichever minutes of the token's life.
    assert task(clock, monkeypatch, lambda gone: gone % 3600 > 3000) == HOURS
    assert task(clock, monkeypatch, lambda gone: gone % 2700 < 600) == HOURS


def test_one_that_is_away_for_the_last_fifth_of_a_tokens_life_has_the_task_begin_another_try(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert task(clock, monkeypatch, lambda gone: 2870 < gone < 3700) == pytest.approx(3700 / 3600, abs=0.01)


def test_the_clock_is_that_of_the_tokens(clock: Clock) -> None:
    server = Server(60)
    clock.now += 3600
    import jwt

    with pytest.raises(jwt.ExpiredSignatureError):
        asyncio.run(server.heartbeat(pytest.MonkeyPatch()))
    assert datetime.fromtimestamp(clock.now, UTC).year == 2027
