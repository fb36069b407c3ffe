"""backtesting.py: crossing of two averages on one-minute candles. Arguments: candles FILE"""

import sys

import pandas as pd
from backtesting import Backtest, Strategy
from backtesting.lib import crossover


def mean(values, length):
    return pd.Series(values).rolling(length).mean()


class Cross(Strategy):
    def init(self):
        self.fast, self.slow = self.I(mean, self.data.Close, 10), self.I(mean, self.data.Close, 30)

    def next(self):
        if crossover(self.fast, self.slow):
            self.buy(size=0.95)
        elif crossover(self.slow, self.fast):
            self.position.close()


rows = pd.read_csv(sys.argv[2])
rows.columns = [name.capitalize() for name in rows.columns]
rows.index = pd.to_datetime(rows.pop('Time'), unit='ms')
# It trades whole units only, so that a unit here is a thousandth.
rows[['Open', 'High', 'Low', 'Close']] /= 1000
result = Backtest(rows, Cross, cash=10_000).run()
print(f'{2 * result["# Trades"]} orders')
