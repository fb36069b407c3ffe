"""The trading service as an exchange of ccxt, so that an unchanged bot trades on the emulator:
`ccxt.papertape = papertape`, then `ccxt.papertape({"apiKey": key})`. Another address: `"urls": {"api": ...}`.

Order books are the emulator's own; a real service has none. As in every exchange of ccxt, an order that ends in a
RequestTimeout or NetworkError may exist: look at fetch_open_orders before you place another.
"""

import ccxt

STATUSES = {"OPEN": "open", "PARTIALLY_FILLED": "open", "FILLED": "closed", "CANCELLED": "canceled"}
ERRORS = {
    "VALIDATION_ERROR": ccxt.InvalidOrder,
    "MALFORMED_JSON": ccxt.BadRequest,
    "AUTHENTICATION_REQUIRED": ccxt.AuthenticationError,
    "INVALID_API_KEY": ccxt.AuthenticationError,
    "FORBIDDEN": ccxt.PermissionDenied,
    "EMAIL_NOT_VERIFIED": ccxt.PermissionDenied,
    "MARKET_NOT_FOUND": ccxt.BadSymbol,
    "ORDER_NOT_FOUND": ccxt.OrderNotFound,
    "ASSET_NOT_FOUND": ccxt.BadRequest,
    "ORDER_NOT_CANCELLABLE": ccxt.OrderNotFound,
    "INSUFFICIENT_BALANCE": ccxt.InsufficientFunds,
    "NO_LIQUIDITY": ccxt.InvalidOrder,
    "ORDER_REJECTED": ccxt.InvalidOrder,
    "RATE_LIMITED": ccxt.RateLimitExceeded,
    "SERVICE_UNAVAILABLE": ccxt.ExchangeNotAvailable,
    "ENGINE_UNAVAILABLE": ccxt.ExchangeNotAvailable,
    "PORTFOLIO_UNAVAILABLE": ccxt.ExchangeNotAvailable,
    "ENGINE_TIMEOUT": ccxt.RequestTimeout,
}
HAS = (
    "spot cancelAllOrders cancelOrder createOrder fetchBalance fetchClosedOrders fetchMarkets fetchMyTrades fetchOHLCV"
    " fetchOpenOrders fetchOrder fetchOrderBook fetchOrders fetchTicker fetchTickers fetchTrades"
)
# 600 requests per minute, of which 30 place or cancel orders.
MUTATION = {"cost": 20}


class papertape(ccxt.Exchange):
    def describe(self):
        return self.deep_extend(
            super().describe(),
            {
                "id": "papertape",
                "name": "papertape",
                "countries": [],
                "version": "v1",
                "rateLimit": 100,
                "has": {name: True for name in HAS.split()},
                "urls": {"api": "http://127.0.0.1:8080/v1"},
                "timeframes": {name: name for name in "1m 5m 15m 30m 1h 4h 1d".split()},
                "precisionMode": ccxt.TICK_SIZE,
                "requiredCredentials": {"apiKey": True, "secret": False},
                "exceptions": {"exact": ERRORS, "broad": {}},
            },
        )

    def sign(self, path, api="public", method="GET", params={}, headers=None, body=None):
        base = self.urls["api"]
        if api == "emulator":
            base = base[: -len("/v1")] + "/emulator"
        headers = dict(headers or {})
        if api == "private":
            self.check_required_credentials()
            headers["x-api-key"] = self.apiKey
        if method == "POST":
            headers["content-type"] = "application/json"
            body = self.json(params)
        query = f"?{self.urlencode(params)}" if method == "GET" and params else ""
        return {"url": f"{base}/{path}{query}", "method": method, "body": body, "headers": headers}

    def handle_errors(self, code, reason, url, method, headers, body, response, request_headers, request_body):
        error = response.get("error") if isinstance(response, dict) else None
        if error is None:
            return None
        feedback = f"{self.id} {error['code']}: {error['message']}"
        self.throw_exactly_matched_exception(self.exceptions["exact"], error["code"], feedback)
        raise ccxt.ExchangeError(feedback)

    def _read(self, path, params={}, api="public"):
        return self.request(path, api, "GET", params, config={"cost": 1})

    def _market_or_none(self, symbol):
        self.load_markets()
        return None if symbol is None else self.market(symbol)

    def fetch_markets(self, params={}):
        return [self._market(row) for row in self._read("markets")["data"]]

    def _market(self, row):
        def tick(digits):
            return self.parse_number(self.parse_precision(str(digits)))

        base, quote = row["baseAsset"], row["quoteAsset"]
        price, amount = tick(row["pricePrecision"]), tick(row["qtyPrecision"])
        return self.safe_market_structure(
            {
                "id": row["symbol"],
                "symbol": f"{base}/{quote}",
                **{"base": base, "quote": quote, "baseId": base, "quoteId": quote},
                **{"type": "spot", "spot": True, "active": True, "contract": False},
                **{kind: False for kind in ("margin", "swap", "future", "option")},
                "precision": {"price": price, "amount": amount},
                "limits": {"amount": {"min": amount}, "price": {"min": price}, "cost": {}, "leverage": {}},
                "info": row,
            }
        )

    def fetch_ticker(self, symbol, params={}):
        market = self._market_or_none(symbol)
        return self.parse_ticker(self._read(f"markets/{market['id']}/ticker"), market)

    def fetch_tickers(self, symbols=None, params={}):
        self.load_markets()
        return self.parse_tickers(self._read("markets/tickers"), symbols)

    def parse_ticker(self, row, market=None):
        return self.safe_ticker(
            {
                "symbol": self.safe_symbol(row["symbol"], market),
                "timestamp": self.parse8601(row["timestamp"]),
                "datetime": row["timestamp"],
                **{"last": row["lastPrice"], "close": row["lastPrice"], "open": row["openPrice"]},
                **{"high": row["high"], "low": row["low"]},
                **{"change": row["priceChange"], "percentage": row["priceChangePercent"]},
                **{"baseVolume": row["volume"], "quoteVolume": row["quoteVolume"]},
                "info": row,
            },
            market,
        )

    def fetch_ohlcv(self, symbol, timeframe="1m", since=None, limit=None, params={}):
        market = self._market_or_none(symbol)
        query = {"interval": self.timeframes[timeframe], "limit": limit or 500}
        if since is not None:
            # The service gives the newest candles after a beginning: the end is computed.
            query["from"] = since
            query["to"] = since + query["limit"] * self.parse_timeframe(timeframe) * 1000
        rows = self._read(f"markets/{market['id']}/candles", {**query, **params})["data"]
        return self.parse_ohlcvs(rows, market, timeframe, since, limit)

    def parse_ohlcv(self, row, market=None):
        return [row["time"], *(self.parse_number(row[name]) for name in ("open", "high", "low", "close", "volume"))]

    def fetch_trades(self, symbol, since=None, limit=None, params={}):
        market = self._market_or_none(symbol)
        return self.parse_trades(self._read(f"markets/{market['id']}/trades", {"limit": limit or 100}), market, since, limit)

    def fetch_my_trades(self, symbol=None, since=None, limit=None, params={}):
        market = self._market_or_none(symbol)
        return self.parse_trades(self._read("trades", {"limit": 500}, "private"), market, since, limit)

    def parse_trade(self, row, market=None):
        order, is_buyer_maker = row.get("orderId"), row["isBuyerMaker"]
        side = row.get("side", "SELL" if is_buyer_maker else "BUY").lower()
        role = "maker" if (side == "buy") == is_buyer_maker else "taker"
        return self.safe_trade(
            {
                **{"id": row["id"], "order": order, "price": row["price"], "amount": row["qty"], "side": side},
                **{"timestamp": row["createdAt"], "datetime": self.iso8601(row["createdAt"]), "info": row},
                "symbol": self.safe_symbol(row["symbol"], market),
                "takerOrMaker": None if order is None else role,
            },
            market,
        )

    def fetch_order_book(self, symbol, limit=None, params={}):
        market = self._market_or_none(symbol)
        book = self.parse_order_book(self._read(f"markets/{market['id']}/book", {}, "emulator"), symbol)
        return {**book, "bids": book["bids"][:limit], "asks": book["asks"][:limit]}

    def fetch_balance(self, params={}):
        self.load_markets()
        info = self._read("balances", {}, "private")
        rows = {asset: {"free": row["available"], "used": row["locked"]} for asset, row in info.items()}
        return self.safe_balance({"info": info, **rows})

    def create_order(self, symbol, type, side, amount, price=None, params={}):
        order = {"symbol": self._market_or_none(symbol)["id"], "side": side.upper(), "type": type.upper()}
        if type == "limit":
            order["price"] = self.price_to_precision(symbol, price)
        order["qty"] = self.amount_to_precision(symbol, amount)
        return self.parse_order(self.request("orders", "private", "POST", order, config=MUTATION))

    def cancel_order(self, id, symbol=None, params={}):
        self.load_markets()
        path = f"orders/{self.encode_uri_component(id)}"
        return self.parse_order(self.request(path, "private", "DELETE", {}, config=MUTATION))

    def cancel_all_orders(self, symbol=None, params={}):
        return [self.cancel_order(order["id"]) for order in self.fetch_open_orders(symbol)]

    def fetch_order(self, id, symbol=None, params={}):
        self.load_markets()
        return self.parse_order(self._read(f"orders/{self.encode_uri_component(id)}", {}, "private"))

    def fetch_orders(self, symbol=None, since=None, limit=None, params={}):
        market = self._market_or_none(symbol)
        query = {"limit": limit or 500, **({} if market is None else {"symbol": market["id"]}), **params}
        return self.parse_orders(self._read("orders", query, "private"), market, since, limit)

    def fetch_closed_orders(self, symbol=None, since=None, limit=None, params={}):
        return self.fetch_orders(symbol, since, limit, {"status": "FILLED"})

    def fetch_open_orders(self, symbol=None, since=None, limit=None, params={}):
        market = self._market_or_none(symbol)
        return self.parse_orders(self._read("orders/open", {}, "private"), market, since, limit)

    def parse_order(self, row, market=None):
        return self.safe_order(
            {
                **{"id": row["id"], "price": row.get("price"), "amount": row["qty"], "filled": row["filledQty"]},
                **{"average": row.get("averagePrice"), "side": row["side"].lower(), "type": row["type"].lower()},
                **{"datetime": row["createdAt"], "timestamp": self.parse8601(row["createdAt"])},
                **{"symbol": self.safe_symbol(row["symbol"], market), "status": STATUSES[row["status"]]},
                **{"fee": None, "trades": [], "info": row},
            },
            market,
        )
