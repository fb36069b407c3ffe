"""Trades with the client that openapi-generator makes of the target `python`: python3 FILE BASE_URL KEY"""
import json
import sys

from trading import ApiClient, Configuration
from trading.api import AccountApi, MarketsApi, OrdersApi
from trading.exceptions import ApiException
from trading.models import LimitOrderRequest, MarketOrderRequest, OrderRequest, Side

base_url, key = sys.argv[1:]
client = ApiClient(Configuration(host=base_url, api_key={"apiKey": key}))
orders, account, markets = OrdersApi(client), AccountApi(client), MarketsApi(client)


def limit(side):
    return OrderRequest(LimitOrderRequest(symbol="BTC_USD", side=side, type="LIMIT", price="100.00", qty="1"))


market = OrderRequest(MarketOrderRequest(symbol="BTC_USD", side=Side.BUY, type="MARKET", qty="1"))

placed = orders.create_order(limit(Side.BUY))
read = orders.get_order(placed.id)
assert read == placed
print(read.status.value, account.get_balances(asset="USD")["USD"].locked)
print(orders.cancel_order(placed.id).status.value)
orders.create_order(limit(Side.SELL))
print(orders.create_order(market).status.value)
print(len(markets.list_candles("BTC_USD", interval="1m").data))
print(account.get_portfolio().quote_asset)
try:
    orders.create_order(market)
except ApiException as error:
    print(json.loads(error.body)["error"]["code"])
