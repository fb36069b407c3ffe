/** Buys or sells a little by chance, from the seed of the run, every ten seconds; cancels what rests. */
import { defineStrategy } from 'papertape'
import { interval, map, switchMap, take } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'by-chance',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, market, trades, balance, openOrders, random, buyLimit, sellLimit, cancelAll }) => {
    const { baseAsset, quoteAsset, affordableQty, floorQty, floorPrice } = market(symbol)
    const drawn = (price: ReturnType<typeof floorPrice>, isBuy: boolean) => {
      const money = balance(quoteAsset).available.times('0.1')
      const qty = isBuy ? affordableQty(money, price) : floorQty(balance(baseAsset).available.times('0.1'))
      if (qty.isZero()) return []
      return [isBuy ? buyLimit(symbol, price, qty) : sellLimit(symbol, price, qty)]
    }
    return trades(symbol).pipe(
      take(1),
      switchMap(({ price: first }) =>
        interval(10_000).pipe(
          map(() => random()),
          map((chance) =>
            openOrders(symbol).length > 0
              ? [cancelAll(symbol)]
              : drawn(floorPrice(first.times(0.9 + chance / 5)), chance < 0.5),
          ),
        ),
      ),
    )
  },
})
