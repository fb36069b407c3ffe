"""Sequences of orders and what must come of them: python3 make-sequences.py > sequences.jsonl

An order book of its own, in lists that are sorted for every order: price, then time, at the resting order's price. It shares nothing with
the exchange and nothing with its twin. The numbers come from a generator that is written out here, so that every Python makes the same file.
"""

import json

SEQUENCES, STEPS, MIDDLE = 30, 18, 1250


class Chance:
    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % count

    def pick(self, items):
        return items[self.below(len(items))]


class Book:
    def __init__(self):
        self.orders = []  # all that came, in the order in which they came

    def resting(self, side):
        found = [o for o in self.orders if o["side"] == side and o["state"] == "accepted"]
        return sorted(found, key=lambda o: (-o["price"] if side == "buy" else o["price"], o["place"]))

    def met_by(self, side, price):
        good = lambda o: price is None or (o["price"] <= price if side == "buy" else o["price"] >= price)
        return [o for o in self.resting("sell" if side == "buy" else "buy") if good(o)]

    def submit(self, name, side, price, qty, tif):
        met = self.met_by(side, price)
        order = dict(id=name, side=side, price=price, left=qty, state="accepted", place=len(self.orders))
        trades = []
        if tif != "FOK" or sum(o["left"] for o in met) >= qty:
            for maker in met:
                traded = min(maker["left"], order["left"])
                if traded == 0:
                    break
                maker["left"] -= traded
                order["left"] -= traded
                trades.append(dict(maker=maker["id"], taker=name, price=maker["price"], qty=traded))
                if maker["left"] == 0:
                    maker["state"] = "complete"
        if order["left"] == 0:
            order["state"] = "complete"
        elif tif != "GTC":
            order["state"] = "cancelled"
        self.orders.append(order)
        return order, trades

    def levels(self, side):
        prices = list(dict.fromkeys(o["price"] for o in self.resting(side)))
        at = lambda price: [o for o in self.resting(side) if o["price"] == price]
        return [dict(price=p, orders=len(at(p)), qty=sum(o["left"] for o in at(p))) for p in prices]


def checks(book, fills):
    for plural, one, side in (("bids", "bid", "buy"), ("asks", "ask", "sell")):
        resting, levels = book.resting(side), book.levels(side)
        yield dict(check="resting_order_count", side=plural, n=len(resting))
        if resting:
            yield dict(check="first_in_queue", side=plural, id=resting[0]["id"])
        for index, level in enumerate(levels[:3]):
            yield dict(check="level", side=one, index=index, **level)
    yield dict(check="fills_since_prev_check_scope", fills=fills)


def sequence(seed):
    chance, book, steps, fills = Chance(seed), Book(), [], {}
    # In some, few prices make long queues; in others, many make a book to sweep.
    reach, most = chance.pick([2, 3, 8]), chance.pick([5, 40, 400])
    for number in range(STEPS):
        side = chance.pick(["buy", "sell"])
        kind = chance.pick(["rest"] * 5 + ["cross"] * 3 + ["market", "IOC", "FOK", "cancel", "cancel"])
        if kind == "cancel" and any(o["tif"] == "GTC" for o in book.orders):
            order = chance.pick([o for o in book.orders if o["tif"] == "GTC"])
            if order["state"] == "accepted":
                order["state"] = "cancelled"
            steps.append(dict(op="cancel", id=order["id"], expect_status=order["state"], expect_remaining=order["left"]))
        else:
            away = chance.below(reach) + (0 if kind == "cross" else 1)
            toward = -1 if (side == "buy") == (kind in ("rest", "cancel")) else 1
            price, qty = MIDDLE + toward * away, chance.below(most) + 1
            is_market = kind == "market" and book.met_by(side, None)
            tif = kind if kind in ("IOC", "FOK") else "IOC" if is_market else "GTC"
            name = f"{side}{number}"
            order, trades = book.submit(name, side, None if is_market else price, qty, tif)
            order["tif"] = tif
            for trade in trades:
                for party in (trade["maker"], trade["taker"]):
                    qty_before, cost_before = fills.get(party, (0, 0))
                    fills[party] = (qty_before + trade["qty"], cost_before + trade["qty"] * trade["price"])
            steps.append(dict(op="submit", id=name, side=side, type="market" if is_market else "limit",
                              price=order["price"], qty=qty, tif=tif, expect_trades=trades,
                              expect_status=order["state"], expect_remaining=order["left"]))
        if number % 6 == 5 or number == STEPS - 1:
            told = [dict(order=o, filled_qty=q, filled_cost=c) for o, (q, c) in fills.items()]
            steps.extend(checks(book, told))
            fills = {}
    return dict(id=f"seed {seed}", steps=steps)


for seed in range(1, SEQUENCES + 1):
    print(json.dumps(sequence(seed), separators=(",", ":")))
