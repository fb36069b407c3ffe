"""Trades with the client that openapi-python-client makes: python3 FILE BASE_URL KEY"""
import sys

from trading_client import AuthenticatedClient
from trading_client.api.account import get_balances, get_portfolio
from trading_client.api.markets import list_candles
from trading_client.api.orders import cancel_order, create_order, get_order
from trading_client.models.limit_order_request import LimitOrderRequest
from trading_client.models.limit_order_request_type import LimitOrderRequestType
from trading_client.models.list_candles_interval import ListCandlesInterval
from trading_client.models.market_order_request import MarketOrderRequest
from trading_client.models.market_order_request_type import MarketOrderRequestType
from trading_client.models.side import Side

base_url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="x-api-key")


def limit(side):
    return LimitOrderRequest(symbol="BTC_USD", side=side, type_=LimitOrderRequestType.LIMIT, price="100.00", qty="1")


def market():
    return MarketOrderRequest(symbol="BTC_USD", side=Side.BUY, type_=MarketOrderRequestType.MARKET, qty="1")


placed = create_order.sync(client=client, body=limit(Side.BUY))
read = get_order.sync(placed.id, client=client)
assert read == placed
print(read.status.value, get_balances.sync(client=client, asset="USD")["USD"].locked)
print(cancel_order.sync(placed.id, client=client).status.value)
create_order.sync(client=client, body=limit(Side.SELL))
print(create_order.sync(client=client, body=market()).status.value)
print(len(list_candles.sync("BTC_USD", client=client, interval=ListCandlesInterval.M1).data))
print(get_portfolio.sync(client=client).quote_asset)
print(create_order.sync(client=client, body=market()).error.code.value)
