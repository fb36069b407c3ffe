/** Keeps the highest price of all times in its module, beyond the end of a run. */
import { defineStrategy } from 'papertape'
import { filter, map } from 'rxjs'
import { z } from 'zod'

let highest = 0

export default defineStrategy({
  name: 'memory',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyMarket }) =>
    trades(symbol).pipe(
      filter(({ priceNumber }) => {
        const isNew = priceNumber > highest
        highest = Math.max(highest, priceNumber)
        return isNew
      }),
      map(() => buyMarket(symbol, '0.01')),
    ),
})
