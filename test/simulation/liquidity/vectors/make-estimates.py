"""Bid, ask, clip size and step of the crowd after every 500th trade of data/btc_usd.csv.gz: python3 make-estimates.py > estimates.csv

Trade by trade, as the recurrences of the model have it; it shares nothing with src and nothing with the naive estimates of the tests.
"""

import csv
import gzip
import math
import pathlib

TAPE = pathlib.Path(__file__).parents[4] / "data/btc_usd.csv.gz"
EVERY, TRADES = 500, 20_000


def nearest(value):
    return math.floor(value + 0.5)


flips, last = [], None
clip, clip_at, s1, s2 = 0, None, 0.0, 0.0
sweep_at, sweep_first, sweep_last, spans, count = None, 0, 0, 0.0, 0.0

print("trade,bid,ask,clip_size,step,spread")
with gzip.open(TAPE, "rt", newline="") as file:
    for number, row in enumerate(csv.DictReader(file), start=1):
        time, sell = int(row["time_ms"]), row["is_buyer_maker"] == "true"
        price, qty = (int(row[name].replace(".", "")) for name in ("price", "qty"))
        if last is not None and last[1] != sell:
            difference = last[0] - price if sell else price - last[0]
            if difference > 0:
                flips = (flips + [difference])[-31:]
        spread = sorted(flips)[len(flips) // 2] if flips else 1

        if clip_at == (time, price):
            clip += qty
        else:
            if clip_at is not None:
                counted = min(clip, 10 * s2 / s1) if s1 > 0 else clip
                s1 += counted - s1 / 512
                s2 += counted * counted - s2 / 512
            clip_at, clip = (time, price), qty

        if sweep_at == (time, sell):
            sweep_last = price
        else:
            if sweep_at is not None and sweep_first != sweep_last:
                spans += abs(sweep_last - sweep_first) - spans / 64
                count += 1 - count / 64
            sweep_at, sweep_first, sweep_last = (time, sell), price, price

        last = (price, sell)
        if number % EVERY == 0:
            bid, ask = (price, price + spread) if sell else (price - spread, price)
            size = max(1, nearest(s2 / s1) if s1 > 0 else clip)
            step = max(spread, nearest(spans / count)) if count > 0 else spread
            print(f"{number},{bid},{ask},{size},{step},{spread}")
        if number == TRADES:
            break
