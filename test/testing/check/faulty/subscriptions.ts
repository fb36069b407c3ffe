/** Compares each trade with the last one, which another subscription has set just before, or not yet. */
import { defineStrategy } from 'papertape'
import { EMPTY, filter, map, merge, mergeMap, tap } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'subscriptions',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyLimit }) => {
    let last = 0
    return merge(
      trades(symbol).pipe(
        filter(({ priceNumber }) => last > 0 && priceNumber > last),
        map(() => buyLimit(symbol, '0.01', '0.01')),
      ),
      trades(symbol).pipe(
        tap(({ priceNumber }) => (last = priceNumber)),
        mergeMap(() => EMPTY),
      ),
    )
  },
})
