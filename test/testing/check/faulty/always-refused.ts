/** Orders at a price as text, with more digits than the tick has. */
import { defineStrategy } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'always-refused',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyLimit }) =>
    trades(symbol).pipe(map(({ price }) => buyLimit(symbol, price.times('0.98765').toFixed(5), '0.01'))),
})
