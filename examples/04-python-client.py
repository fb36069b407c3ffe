"""Trades on the emulator with only the standard library. Usage: python3 04-python-client.py BASE_URL API_KEY"""

import json
import sys
import time
from decimal import ROUND_UP, Decimal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE_URL, API_KEY = sys.argv[1:]


def call(method, path, body=None):
    """Sends one request. Reads are retried after 429, 503 and 504. Orders are not: the order may already exist."""
    headers = {"x-api-key": API_KEY, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    for pause in (1, 2, 4, 8, None):
        try:
            with urlopen(Request(BASE_URL + path, data, headers, method=method), timeout=10) as answer:
                return json.load(answer)
        except HTTPError as error:
            if method != "GET" or error.code not in (429, 503, 504) or pause is None:
                sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")
            time.sleep(int(error.headers.get("retry-after", pause)))


market = next(each for each in call("GET", "/markets")["data"] if each["symbol"] == "BTC_USD")
last = Decimal(call("GET", "/markets/BTC_USD/ticker")["lastPrice"])
tick = Decimal(1).scaleb(-market["pricePrecision"])  # decimals everywhere: floats would lose digits

# A limit half a percent above the last trade fills immediately against the asks below it.
price = (last * Decimal("1.005")).quantize(tick, ROUND_UP)
order = call("POST", "/orders", {"symbol": "BTC_USD", "side": "BUY", "type": "LIMIT", "price": str(price), "qty": "0.1"})
if order["status"] in ("OPEN", "PARTIALLY_FILLED"):
    order = call("DELETE", f"/orders/{order['id']}")
print(f"bought {order['filledQty']} BTC at {order.get('averagePrice', '-')}, order {order['id']} is {order['status']}")

sold = call("POST", "/orders", {"symbol": "BTC_USD", "side": "SELL", "type": "MARKET", "qty": order["filledQty"]})
print(f"sold {sold['filledQty']} BTC at {sold['averagePrice']}, fills {len(call('GET', '/trades'))}")
print(f"profit {call('GET', '/portfolio')['pnl']} USD, free {call('GET', '/balances')['USD']['available']} USD")
