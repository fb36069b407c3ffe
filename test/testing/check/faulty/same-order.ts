/** Takes a refusal for an accident, and tries the same again. */
import { defineStrategy, type PlaceIntent } from 'papertape'
import { filter, map, merge, take } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'same-order',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, outcomes$, buyLimit }) =>
    merge(
      trades(symbol).pipe(
        take(3),
        map(({ price }) => buyLimit(symbol, price, '0.1')),
      ),
      outcomes$.pipe(
        filter(({ type, intent }) => type === 'refused' && intent.type !== 'cancel'),
        map(({ intent }) => intent as PlaceIntent),
      ),
    ),
})
