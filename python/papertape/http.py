"""One request and its outcome: no retry, no redirect."""

from __future__ import annotations

import http.client
import json
import socket
from decimal import Decimal
from typing import Any, Mapping, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .errors import STATUS_OF_CODE

#: Fields with decimal text.
DECIMALS = frozenset(
    "price qty filledQty averagePrice lastPrice openPrice high low open close volume quoteVolume priceChange available"
    " locked total markPrice value equity baselineEquity pnl pnlPercent".split()
)


class Answer(NamedTuple):
    """`status` is 0 without an answer. `body` is None if it is not complete JSON."""

    status: int
    headers: Mapping[str, str]
    body: Any
    reason: str
    is_sent: bool

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def code(self) -> str | None:
        """Code of a complete error that the specification documents with this status."""
        error = self.body.get("error") if isinstance(self.body, dict) else None
        code = error.get("code") if isinstance(error, dict) else None
        return code if isinstance(code, str) and STATUS_OF_CODE.get(code) == self.status else None

    @property
    def message(self) -> str:
        if self.code is None:
            return self.reason or f"answered with {self.status}"
        return str(self.body["error"].get("message", ""))

    @property
    def details(self) -> list[Any]:
        return (self.body["error"].get("details") or []) if self.code is not None else []

    @property
    def request_id(self) -> str | None:
        return self.headers.get("X-Request-Id")

    @property
    def retry_after(self) -> float:
        """Seconds that the service asks to wait; 0 if it does not say."""
        text = self.headers.get("Retry-After") or ""
        return float(text) if text.isdigit() else 0.0


class _NoRedirect(HTTPRedirectHandler):
    """A redirect of an order would send it again."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_OPENER = build_opener(_NoRedirect)


def _decimals(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: Decimal(value) if name in DECIMALS and isinstance(value, str) else value for name, value in fields.items()
    }


def _json(content: bytes) -> Any:
    try:
        return json.loads(content, object_hook=_decimals, parse_float=Decimal)
    except (ValueError, ArithmeticError):
        return None


def send(method: str, url: str, headers: Mapping[str, str], body: Any, timeout: float) -> Answer:
    data = None if body is None else json.dumps(body).encode()
    sent = {"accept": "application/json", "user-agent": "papertape-python", **headers}
    if data is not None:
        sent["content-type"] = "application/json"
    try:
        with _OPENER.open(Request(url, data, sent, method=method), timeout=timeout) as answer:
            content = answer.read()
            return Answer(answer.status, answer.headers, _json(content), "no JSON" if content else "", True)
    except HTTPError as error:
        try:
            content = error.read()
        except (OSError, http.client.HTTPException):
            content = b""
        return Answer(error.code, error.headers, _json(content), f"answered with {error.code}", True)
    except URLError as error:
        is_sent = not isinstance(error.reason, (ConnectionRefusedError, socket.gaierror))
        return Answer(0, {}, None, str(error.reason), is_sent)
    except (OSError, http.client.HTTPException) as error:
        return Answer(0, {}, None, f"{type(error).__name__}: {error}", True)
