"""The stream of a service: it reconnects, fills in the trades between, and reports each trade once."""

from __future__ import annotations

import json
import random
import time
from collections import OrderedDict
from typing import Any, Dict, Iterator, List, Optional

from .errors import STATUS_OF_CODE, ServiceError
from .http import _json

MAX_READ = 500
MAX_SEEN = 8 * MAX_READ
LONGEST_WAIT_S = 30.0
#: The longest wait is reached before.
MAX_DOUBLINGS = 6


class _Market:
    """The trades of a market that were seen."""

    def __init__(self) -> None:
        self.is_begun = False
        self.last_at: Optional[str] = None
        self._ids: OrderedDict[str, None] = OrderedDict()

    def knows(self, trade: Dict[str, Any]) -> bool:
        return trade["id"] in self._ids

    def see(self, trade: Dict[str, Any]) -> bool:
        """False for a trade that was seen before."""
        if self.knows(trade):
            return False
        self._ids[trade["id"]] = None
        self.last_at = trade["createdAt"]
        if len(self._ids) > MAX_SEEN:
            self._ids.popitem(last=False)
        return True


def _url(base: str) -> str:
    return base.replace("http", "ws", 1) + "/ws"


def events(client: Any, base: str, trades: List[str], tickers: List[str]) -> Iterator[Dict[str, Any]]:
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import connect

    names = [f"trade:{symbol}" for symbol in trades] + [f"ticker:{symbol}" for symbol in tickers]
    markets = {symbol: _Market() for symbol in trades}
    failures = 0
    while True:
        try:
            with connect(_url(base), max_size=2**20, ping_interval=10) as socket:
                socket.send(json.dumps({"op": "subscribe", "streams": names, "id": 1}))
                for message in socket:
                    frame = _json(message if isinstance(message, bytes) else message.encode())
                    if not isinstance(frame, dict):
                        continue
                    if frame.get("op") == "error":
                        raise ValueError(f"stream: {frame.get('error')}")
                    if frame.get("op") == "subscribed":
                        for symbol in trades:
                            yield from _filled(client, symbol, markets[symbol])
                        failures = 0
                    kind, _, symbol = str(frame.get("stream", "")).partition(":")
                    if kind == "ticker":
                        yield {"type": "ticker", "symbol": symbol, "ticker": frame["data"]}
                    elif kind == "trade" and markets[symbol].see(frame["data"]):
                        yield {"type": "trade", "symbol": symbol, "trade": frame["data"]}
        except (OSError, WebSocketException):
            failures += 1
        except ServiceError as error:
            # Trades that cannot be read now are read after the next connection; a refusal would stay one.
            if error.code != "RATE_LIMITED" and STATUS_OF_CODE.get(error.code, 500) < 500:
                raise
            failures += 1
        time.sleep(random.random() * min(LONGEST_WAIT_S, 0.5 * 2 ** min(failures, MAX_DOUBLINGS)))


def _filled(client: Any, symbol: str, market: _Market) -> Iterator[Dict[str, Any]]:
    """Trades that a lost connection missed. Those from before the first one are none of them."""
    rows = client.trades(symbol, MAX_READ)
    is_first, market.is_begun = not market.is_begun, True
    is_whole = is_first or any(market.knows(row) for row in rows) or len(rows) < MAX_READ
    if not is_whole:
        yield {"type": "gap", "symbol": symbol, "from": market.last_at, "to": rows[-1]["createdAt"]}
    for row in reversed(rows):
        if market.see(row) and not is_first:
            yield {"type": "trade", "symbol": symbol, "trade": row}
