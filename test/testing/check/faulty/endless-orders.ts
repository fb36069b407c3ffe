/** Moves its quote whenever it hears of it: the answer to the last move is what makes it move again. */
import { defineStrategy } from 'papertape'
import { filter, map, merge, take } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'endless-orders',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, market, trades, orders$, buyLimit, cancel }) => {
    const { tickSize } = market(symbol)
    return merge(
      trades(symbol).pipe(
        take(1),
        map(() => buyLimit(symbol, tickSize, '1')),
      ),
      orders$.pipe(
        filter(({ status }) => status === 'OPEN'),
        map((order) => [cancel(order), buyLimit(symbol, tickSize, '1')]),
      ),
    )
  },
})
