/** Remembers, where no fresh load reaches, the prices of each tape that it has seen, and trades on what comes next. */
import { defineStrategy } from 'papertape'
import { filter, map } from 'rxjs'
import { z } from 'zod'

const SEEN = Symbol.for('test.memory-beyond')
const seen: Map<number, number> = ((globalThis as Record<symbol, unknown>)[SEEN] ??= new Map()) as Map<number, number>

export default defineStrategy({
  name: 'memory-beyond',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, buyMarket }) => {
    let before = 0
    return trades(symbol).pipe(
      filter(({ createdAt, priceNumber }) => {
        const next = seen.get(createdAt)
        seen.set(before, priceNumber)
        before = createdAt
        return next !== undefined && next > priceNumber
      }),
      map(() => buyMarket(symbol, '0.01')),
    )
  },
})
