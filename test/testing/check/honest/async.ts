/** Waits for a promise before each order, and buys once a fall while it has nothing. */
import { defineStrategy } from 'papertape'
import { concatMap, filter, pairwise } from 'rxjs'
import { z } from 'zod'

const thought = async <T>(value: T): Promise<T> => {
  await Promise.resolve()
  return value
}

export default defineStrategy({
  name: 'async',
  async: true,
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, market, trades, balance, openOrders, buyLimit }) => {
    const { baseAsset, quoteAsset, affordableQty } = market(symbol)
    let isBusy = false
    return trades(symbol).pipe(
      pairwise(),
      filter(([before, { price }]) => !isBusy && price.lt(before.price)),
      filter(() => balance(baseAsset).available.isZero() && openOrders(symbol).length === 0),
      concatMap(async ([, { price }]) => {
        isBusy = true
        const qty = await thought(affordableQty(balance(quoteAsset).available.div(2), price))
        return qty.isZero() ? [] : [buyLimit(symbol, price, qty)]
      }),
    )
  },
})
