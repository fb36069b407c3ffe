"""NautilusTrader 2: crossing of two averages on one-minute candles, or a count of trades. Arguments: candles|trades FILE"""

import sys
from decimal import Decimal

import pandas as pd
from nautilus_trader.backtest import BacktestEngine, BacktestEngineConfig
from nautilus_trader.common import LoggerConfig
from nautilus_trader.execution import MakerTakerFeeModel
from nautilus_trader.indicators import SimpleMovingAverage
from nautilus_trader.model import (
    AccountType, AggressorSide, Bar, BarType, Currency, CurrencyPair, InstrumentId, Money, OmsType, OrderSide, Price,
    PriceType, Quantity, Symbol, TradeId, TradeTick, Venue,
)
from nautilus_trader.trading import Strategy

NS = 1_000_000
kind, file = sys.argv[1:3]
market = InstrumentId.from_str('BTC/USD.SIM')
usd, btc = Currency.from_str('USD'), Currency.from_str('BTC')
pair = CurrencyPair(market, Symbol('BTC/USD'), btc, usd, 2, 3, Price.from_str('0.01'), Quantity.from_str('0.001'), 0, 0)
bars = BarType.from_str('BTC/USD.SIM-1-MINUTE-LAST-EXTERNAL')


class Cross(Strategy):
    orders = 0

    def on_start(self):
        self.fast, self.slow, self.was_above, self.held = SimpleMovingAverage(10), SimpleMovingAverage(30), None, 0.0
        self.subscribe_bars(bars)

    def on_bar(self, bar):
        close = bar.close.as_double()
        self.fast.update_raw(close)
        self.slow.update_raw(close)
        if not self.slow.initialized:
            return
        is_above = self.fast.value > self.slow.value
        crossed, self.was_above = self.was_above is not None and is_above != self.was_above, is_above
        if not crossed:
            return
        if is_above:
            cash = self.cache.account_for_venue(market.venue).balance_free(usd).as_double()
            self.held = int(0.95 * cash / close * 1000) / 1000
        if self.held > 0:
            side = OrderSide.BUY if is_above else OrderSide.SELL
            self.submit_order(self.order_factory.market(market, side, Quantity(self.held, 3)))
            Cross.orders += 1


class Count(Strategy):
    trades = 0

    def on_start(self):
        self.subscribe_trades(market)

    def on_trade(self, trade):
        Count.trades += 1


def candles():
    rows = pd.read_csv(file)
    for time, open_, high, low, close, volume in zip(*(rows[name].tolist() for name in rows.columns)):
        end = (time + 60_000) * NS
        prices = [Price(value, 2) for value in (open_, high, low, close)]
        yield Bar(bars, *prices, Quantity(volume, 3), end, end)


def trades():
    rows = pd.read_csv(file)
    for number, time, price, qty, is_sell in zip(*(rows[name].tolist() for name in rows.columns)):
        side = AggressorSide.SELL if is_sell else AggressorSide.BUY
        yield TradeTick(market, Price(price, 2), Quantity(qty, 3), side, TradeId(str(number)), time * NS, time * NS)


no_fees = MakerTakerFeeModel(Decimal(0), Decimal(0))
engine = BacktestEngine(BacktestEngineConfig(bypass_logging=True, run_analysis=False, logging=LoggerConfig(bypass_logging=True)))
engine.add_venue(Venue('SIM'), OmsType.NETTING, AccountType.CASH, [Money(10_000, usd)], fee_model=no_fees)
engine.add_instrument(pair)
engine.add_data(list(candles() if kind == 'candles' else trades()))
engine.add_strategy(Cross() if kind == 'candles' else Count())
engine.run()
print(f'{Cross.orders} orders' if kind == 'candles' else f'{Count.trades} trades')
