"""vectorbt: crossing of two averages on one-minute candles, for one pair of lengths or for many. Arguments: candles|sweep FILE"""

import sys

import numpy as np
import pandas as pd
import vectorbt as vbt

kind, file = sys.argv[1:3]
close = pd.read_csv(file)['close']
pairs = [(10, 30)] if kind == 'candles' else [(fast, slow) for fast in range(2, 42) for slow in range(50, 100, 2)]
fast = vbt.MA.run(close, [pair[0] for pair in pairs], short_name='fast')
slow = vbt.MA.run(close, [pair[1] for pair in pairs], short_name='slow')
portfolio = vbt.Portfolio.from_signals(
    close, fast.ma_crossed_above(slow), fast.ma_crossed_below(slow), init_cash=10_000, size=0.95, size_type='percent',
    freq='1min',
)
# The figures of a sweep are computed when they are read.
figures = portfolio.total_return(), portfolio.sharpe_ratio(), portfolio.max_drawdown()
orders = int(np.sum(portfolio.orders.count()))
print(f'{orders} orders' if kind == 'candles' else f'{len(pairs)} points')
