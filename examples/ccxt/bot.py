"""A bot written for any exchange of ccxt, on the emulator: only the import and the address are papertape's. It buys a
little, places an order below the market, cancels it, and sells. Usage: python3 bot.py BASE_URL API_KEY"""

import sys

import ccxt

from papertape import papertape

ccxt.papertape = papertape
exchange = ccxt.papertape({"apiKey": sys.argv[2], "urls": {"api": sys.argv[1]}})
symbol = "BTC/USD"

last = exchange.fetch_ticker(symbol)["last"]
candles = exchange.fetch_ohlcv(symbol, "1m", limit=5)
bought = exchange.create_order(symbol, "market", "buy", 0.01)
resting = exchange.create_order(symbol, "limit", "buy", 0.01, last * 0.9)
opened = exchange.fetch_open_orders(symbol)
cancelled = exchange.cancel_order(resting["id"], symbol)
sold = exchange.create_order(symbol, "market", "sell", bought["filled"])
total = exchange.fetch_balance()["BTC"]["total"]
print(len(candles), bought["status"], len(opened), cancelled["status"], sold["status"], total)
