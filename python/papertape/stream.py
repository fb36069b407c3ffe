"""The stream of a service: it reconnects, fills in the trades between, and reports each trade once."""

from __future__ import annotations

import json
import random
import time
from collections import OrderedDict
from typing import Any, Dict, Iterator, List

from .http import _json

MAX_READ = 500
MAX_SEEN = 8 * MAX_READ
LONGEST_WAIT_S = 30.0


def _url(base: str) -> str:
    return base.replace("http", "ws", 1) + "/ws"


def events(client: Any, base: str, trades: List[str], tickers: List[str]) -> Iterator[Dict[str, Any]]:
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import connect

    names = [f"trade:{symbol}" for symbol in trades] + [f"ticker:{symbol}" for symbol in tickers]
    seen: Dict[str, OrderedDict[str, None]] = {symbol: OrderedDict() for symbol in trades}
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
                        failures = 0
                        for symbol in trades:
                            yield from _filled(client, symbol, seen[symbol])
                    kind, _, symbol = str(frame.get("stream", "")).partition(":")
                    if kind == "ticker":
                        yield {"type": "ticker", "symbol": symbol, "ticker": frame["data"]}
                    elif kind == "trade" and _is_new(seen[symbol], frame["data"]):
                        yield {"type": "trade", "symbol": symbol, "trade": frame["data"]}
        except (OSError, WebSocketException):
            failures += 1
        time.sleep(random.random() * min(LONGEST_WAIT_S, 0.5 * 2**failures))


def _filled(client: Any, symbol: str, seen: OrderedDict[str, None]) -> Iterator[Dict[str, Any]]:
    """Trades that a lost connection missed. Those from before the first one are none of them."""
    rows = client.trades(symbol, MAX_READ)
    is_first = not seen
    is_whole = is_first or any(row["id"] in seen for row in rows) or len(rows) < MAX_READ
    if not is_whole:
        yield {"type": "gap", "symbol": symbol, "to": rows[-1]["createdAt"]}
    for row in reversed(rows):
        if _is_new(seen, row) and not is_first:
            yield {"type": "trade", "symbol": symbol, "trade": row}


def _is_new(seen: OrderedDict[str, None], trade: Dict[str, Any]) -> bool:
    if trade["id"] in seen:
        return False
    seen[trade["id"]] = None
    if len(seen) > MAX_SEEN:
        seen.popitem(last=False)
    return True
