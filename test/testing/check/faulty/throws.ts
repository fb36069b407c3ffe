/** Throws when a trade is far below the one before. */
import { defineStrategy } from 'papertape'
import { filter, map, pairwise } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'throws',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyLimit }) =>
    trades(symbol).pipe(
      pairwise(),
      filter(([before, trade]) => trade.priceNumber < before.priceNumber * 0.97),
      map(([before, { price }]) => {
        if (price.lt(before.price.times('0.93'))) throw new Error(`a fall that nobody thought of`)
        return buyLimit(symbol, price, '0.01')
      }),
    ),
})
