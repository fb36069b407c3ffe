"""hftbacktest: a count of trades, from CSV or from a file of its own. Arguments: trades|trades-own FILE"""

import sys

import numpy as np
import pandas as pd
from hftbacktest import BacktestAsset, HashMapMarketDepthBacktest
from hftbacktest.types import BUY_EVENT, EXCH_EVENT, LOCAL_EVENT, SELL_EVENT, TRADE_EVENT, event_dtype
from numba import njit

kind, file = sys.argv[1:3]
own = f'{file}.npz'


def events():
    rows = pd.read_csv(file)
    array = np.zeros(len(rows), event_dtype)
    side = np.where(rows['is_buyer_maker'], np.uint64(SELL_EVENT), np.uint64(BUY_EVENT))
    array['ev'] = side | np.uint64(TRADE_EVENT | EXCH_EVENT | LOCAL_EVENT)
    array['exch_ts'] = array['local_ts'] = rows['time'] * 1_000_000
    array['px'], array['qty'] = rows['price'], rows['qty']
    return array


@njit
def count(backtest):
    trades = 0
    while backtest.wait_next_feed(False, 10**18) == 2:
        trades += len(backtest.last_trades(0))
        backtest.clear_last_trades(0)
    return trades + len(backtest.last_trades(0))


if kind == 'prepare':
    np.savez(own, data=events())
    sys.exit()
data = own if kind == 'trades-own' else events()
asset = (
    BacktestAsset()
    .data(data)
    .linear_asset(1.0)
    .constant_order_latency(0, 0)
    .risk_adverse_queue_model()
    .no_partial_fill_exchange()
    .trading_value_fee_model(0.0, 0.0)
    .tick_size(0.01)
    .lot_size(0.001)
    .last_trades_capacity(10_000)
)
print(f'{count(HashMapMarketDepthBacktest([asset]))} trades')
