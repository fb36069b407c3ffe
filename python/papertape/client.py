"""Client of the trading service.

An order is sent once. If its answer is lost, the orders of the account show what became of it. Decimal values are
`decimal.Decimal`, and floats are refused.
"""

from __future__ import annotations

import random
import threading
import time
from decimal import Decimal
from typing import Any, Dict, Iterable, Iterator, List, Optional, Union
from urllib.parse import quote, urlencode

from .errors import STATUS_OF_CODE, OrderAbsent, OutcomeUnknown, Refused, ServiceError
from .http import Answer, send

Json = Dict[str, Any]
Amount = Union[Decimal, str, int]

ATTEMPTS = 5
FIRST_WAIT_S = 0.25
LONGEST_WAIT_S = 8.0
#: How long the orders that match must stay the same before one of them is taken for ours.
HOLD_S = 1.0
#: Age of a listing of the account's orders after which the next order is not sent before another one.
FRESH_S = 5.0
PAGE = 500
MAX_PAGES = 10_000

_PERMANENT = {"AUTHENTICATION_REQUIRED", "INVALID_API_KEY", "FORBIDDEN", "EMAIL_NOT_VERIFIED"}


def _text(name: str, value: Amount) -> str:
    """Decimal text of an amount. A float has lost digits already."""
    if isinstance(value, (bool, float)):
        raise TypeError(f"{name}: expected a Decimal, a string or an int, got {value!r}")
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _wait_s(attempt: int) -> float:
    return random.random() * min(FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_WAIT_S)


class Client:
    """The service at `base_url`. Calls may come from several threads; orders are placed one after another."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        timeout_s: float = 10,
        settle_s: float = 30,
        give_up_s: float = 600,
    ) -> None:
        """
        :param timeout_s: time limit of a request
        :param settle_s: how long an order without an answer is looked for before it counts as absent
        :param give_up_s: how long a service that does not answer is waited for, to learn what became of an order
        """
        self._base = base_url.rstrip("/")
        self._key = api_key
        self._timeout_s = timeout_s
        self._settle_s = settle_s
        self._give_up_s = give_up_s
        self._placing = threading.Lock()
        #: Ids of orders that existed before the next order is sent, by market.
        self._known: Dict[str, set[str]] = {}
        #: When that was read, on the monotonic clock.
        self._known_at: Dict[str, float] = {}
        #: Numbers of orders that were reported as absent and may still appear, by all that they ask for.
        self._late: Dict[tuple[Any, ...], int] = {}
        #: Numbers of orders whose outcome was reported as unknown.
        self._undecided: Dict[tuple[Any, ...], int] = {}

    def markets(self) -> List[Json]:
        return self._read("/markets", is_keyed=False)["data"]

    def tickers(self) -> List[Json]:
        return self._read("/markets/tickers", is_keyed=False)

    def ticker(self, symbol: str) -> Json:
        return self._read(f"/markets/{quote(symbol, '')}/ticker", is_keyed=False)

    def trades(self, symbol: str, limit: int = 100) -> List[Json]:
        """Public trades, newest first."""
        return self._read(f"/markets/{quote(symbol, '')}/trades", is_keyed=False, limit=limit)

    def candles(
        self, symbol: str, interval: str = "1m", *, start: Optional[int] = None, end: Optional[int] = None, limit: int = 500
    ) -> List[Json]:
        """The newest candles, oldest first, of `start` <= time < `end` in Unix milliseconds.

        If there are more than `limit` (at most 1000), the oldest ones are left out: read them with an earlier `end`.
        """
        query = {"interval": interval, "from": start, "to": end, "limit": limit}
        return self._read(f"/markets/{quote(symbol, '')}/candles", is_keyed=False, **query)["data"]

    def orders(
        self, symbol: Optional[str] = None, status: Optional[str] = None, *, limit: int = 50, page: int = 1
    ) -> List[Json]:
        """One page of the account's orders, newest first."""
        return self._read("/orders", symbol=symbol, status=status, limit=limit, page=page)

    def open_orders(self) -> List[Json]:
        return self._read("/orders/open")

    def order(self, order_id: str) -> Optional[Json]:
        """None if the account has no such order."""
        try:
            return _one(self._read(f"/orders/{quote(order_id, '')}"))
        except ServiceError as error:
            if error.code == "ORDER_NOT_FOUND":
                return None
            raise

    def fills(self, limit: int = 100) -> List[Json]:
        """The account's trades, newest first."""
        return self._read("/trades", limit=limit)

    def balances(self) -> Dict[str, Json]:
        return self._read("/balances")

    def portfolio(self) -> Json:
        return self._read("/portfolio")

    def place_order(
        self, symbol: str, side: str, qty: Amount, price: Optional[Amount] = None, type: Optional[str] = None
    ) -> Json:
        """Places a limit order, or a market order if there is no price, and returns it.

        :raises Refused: nothing was executed
        :raises OrderAbsent: it was not sent, or there was no answer, and the order does not exist
        :raises OutcomeUnknown: there was no answer, and it is not known whether the order exists
        """
        kind = type or ("MARKET" if price is None else "LIMIT")
        body: Json = {"symbol": symbol, "side": side, "type": kind, "qty": _text("qty", qty)}
        if price is not None:
            body["price"] = _text("price", price)
        with self._placing:
            answer = self._create(body)
            code = answer.code
            if code is not None and 400 <= answer.status < 500:
                raise Refused(code, answer.message, answer.request_id, answer.details)
            order = _one(answer.body) if answer.status == 201 else None
            if order is not None and _print(order) == _print(body) and order["id"] not in self._known[symbol]:
                self._known[symbol].add(order["id"])
                return order
            reason = answer.message if code is None else f"{code}: {answer.message}"
            if not answer.is_sent:
                raise OrderAbsent("NO_ANSWER", f"the order was not sent: {reason}")
            return self._find(body, reason)

    def cancel_order(self, order_id: str) -> Optional[Json]:
        """Cancels an order and returns its last state. Lost answers are retried: a repeated cancel does no harm."""
        for attempt in range(1, ATTEMPTS + 1):
            answer = self._send("DELETE", f"/orders/{quote(order_id, '')}")
            if answer.status == 204 or (answer.status == 200 and answer.body is not None):
                order = _one(answer.body)
                return order if order is not None and order["status"] == "CANCELLED" else self.order(order_id)
            if answer.code == "ORDER_NOT_CANCELLABLE":
                # The answer to the attempt that cancelled it may have been lost.
                order = self.order(order_id)
                if order is not None and order["status"] == "CANCELLED":
                    return order
            if answer.code is not None and answer.status < 500 and answer.status != 429:
                raise Refused(answer.code, answer.message, answer.request_id, answer.details)
            if attempt < ATTEMPTS:
                time.sleep(answer.retry_after + _wait_s(attempt))
        if answer.code == "RATE_LIMITED":
            raise Refused("RATE_LIMITED", answer.message, answer.request_id)
        raise OutcomeUnknown(answer.code or "NO_ANSWER", answer.message, answer.request_id)

    def stream(self, trades: Iterable[str] = (), tickers: Iterable[str] = ()) -> Iterator[Json]:
        """Events `{"type": "trade" | "ticker" | "gap", ...}` as they happen; needs the package `websockets`."""
        from .stream import events

        return events(self, self._base, list(trades), list(tickers))

    def _see_orders(self, symbol: str) -> None:
        """Reads which orders exist, unless that was done a moment ago: none of them is the next one."""
        now = time.monotonic()
        if now <= self._known_at.get(symbol, float("-inf")) + FRESH_S:
            return
        try:
            rows = self.orders(symbol, limit=PAGE)
        except ServiceError as error:
            kind = Refused if STATUS_OF_CODE.get(error.code, 500) < 500 else OrderAbsent
            raise kind(error.code, f"the order was not sent: {error.message}", error.request_id) from error
        self._known.setdefault(symbol, set()).update(order["id"] for order in rows)
        self._known_at[symbol] = now

    def _create(self, body: Json) -> Answer:
        """A request over the rate limit was not executed, so it is sent again after the wait that the service asks for."""
        for attempt in range(1, ATTEMPTS + 1):
            self._see_orders(body["symbol"])
            answer = self._send("POST", "/orders", body)
            if answer.code != "RATE_LIMITED" or attempt == ATTEMPTS:
                return answer
            time.sleep(answer.retry_after + _wait_s(attempt))
        raise AssertionError("the last attempt returns")

    def _find(self, body: Json, reason: str) -> Json:
        """Looks for an order without an answer among the orders of the account."""
        try:
            return self._found(body, reason)
        except OutcomeUnknown:
            fingerprint = _print(body)
            self._undecided[fingerprint] = self._undecided.get(fingerprint, 0) + 1
            raise

    def _found(self, body: Json, reason: str) -> Json:
        symbol, known, fingerprint = body["symbol"], self._known[body["symbol"]], _print(body)
        late, undecided = self._late.get(fingerprint, 0), self._undecided.get(fingerprint, 0)
        expected = 1 + late + undecided
        began = time.monotonic()
        last: tuple[list[str], float] = ([], began)
        attempt = 0
        while True:
            listed_at = time.monotonic()
            is_over = listed_at > began + self._settle_s
            try:
                fresh = self._orders_since(symbol, known)
            except ServiceError as error:
                if error.code in _PERMANENT or listed_at > began + self._give_up_s:
                    raise OutcomeUnknown(error.code, f"{reason}; {error.message}", error.request_id) from error
                time.sleep(1)
                continue
            found = [order for order in fresh if _print(order) == fingerprint]
            ids = [order["id"] for order in found]
            if ids != last[0]:
                last = (ids, listed_at)
            is_held = listed_at >= last[1] + HOLD_S
            is_short = is_over and 0 < len(found) < expected
            if len(found) > expected or (is_short and undecided > 0):
                known.update(order["id"] for order in fresh)
                raise OutcomeUnknown("NO_ANSWER", f"{reason}; orders {', '.join(ids)} match")
            if is_held and (is_short or len(found) == expected):
                known.update(order["id"] for order in fresh)
                self._late[fingerprint] = expected - len(found)
                self._undecided[fingerprint] = 0
                return found[0]
            if not found and is_over:
                # Its order may still appear, and must not be taken for that of a later request.
                self._late[fingerprint] = late + 1
                raise OrderAbsent("NO_ANSWER", reason)
            attempt += 1
            time.sleep(min(FIRST_WAIT_S * 2 ** (attempt - 1), 5.0))

    def _orders_since(self, symbol: str, known: set[str]) -> List[Json]:
        """Orders that are not known, newest first. A service may cap `limit`, so only an empty page is the end."""
        fresh: Dict[str, Json] = {}
        for page in range(1, MAX_PAGES + 1):
            rows = self.orders(symbol, limit=PAGE, page=page)
            for row in rows:
                if row["id"] not in known:
                    fresh[row["id"]] = row
            if not rows or any(row["id"] in known for row in rows):
                break
        return list(fresh.values())

    def _read(self, path: str, is_keyed: bool = True, **query: Any) -> Any:
        given = {name: value for name, value in query.items() if value is not None}
        full = f"{path}?{urlencode(given)}" if given else path
        for attempt in range(1, ATTEMPTS + 1):
            answer = self._send("GET", full, is_keyed=is_keyed)
            if answer.is_success and answer.body is not None:
                return answer.body
            is_final = answer.code is not None and answer.status not in (429, 503, 504)
            if is_final or attempt == ATTEMPTS:
                code = answer.code or ("NO_ANSWER" if answer.status == 0 or answer.status >= 500 else "SCHEMA_FAULT")
                raise ServiceError(code, f"GET {path}: {answer.message}", answer.request_id, answer.details)
            time.sleep(answer.retry_after + _wait_s(attempt))

    def _send(self, method: str, path: str, body: Any = None, is_keyed: bool = True) -> Answer:
        headers = {"x-api-key": self._key} if is_keyed and self._key is not None else {}
        return send(method, self._base + path, headers, body, self._timeout_s)


def _one(body: Any) -> Optional[Json]:
    """An order, bare or under `data`; None for anything else."""
    order = body.get("data", body) if isinstance(body, dict) else None
    return order if isinstance(order, dict) and {"id", "symbol", "side", "type", "status", "qty"} <= set(order) else None


def _print(order: Json) -> tuple[Any, ...]:
    """All that an order asks for, to recognise one that has no id of ours."""
    price = order.get("price")
    exact = None if price is None else Decimal(price)
    return order["symbol"], order["side"], order["type"], exact, Decimal(order["qty"])
