"""lrvx: a count of trades. Arguments: trades FILE"""

import sys

import lrvx
import pandas as pd

registry = lrvx.SymbolRegistry()
btc = registry.add_symbol('sim', 'BTCUSD', tick_size=0.01)


class Count(lrvx.Strategy):
    count = 0

    def on_trade(self, ctx, trade):
        self.count += 1


rows = pd.read_csv(sys.argv[2])
strategy = Count([btc])
runner = lrvx.BacktestRunner(registry, fee_rate=0.0, initial_capital=10_000)
runner.set_strategy(strategy)
runner.run_ohlcv(rows['time'].to_numpy() * 1_000_000, rows['price'].to_numpy(), 'BTCUSD')
print(f'{strategy.count} trades')
