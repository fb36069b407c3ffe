/** Looks for a price on its grid, and does not find it when the market has fallen below its first trade. */
import { defineStrategy } from 'papertape'
import { map, scan } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'endless-loop',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, market }) =>
    trades(symbol).pipe(
      scan(
        ([first, found], { priceNumber }) => {
          let level = first === 0 ? priceNumber : found
          while (Math.abs(level - priceNumber) > market(symbol).tickSize.toNumber()) {
            level = level < 1_000_000 ? level + market(symbol).tickSize.toNumber() : first
          }
          return [first === 0 ? priceNumber : first, level] as const
        },
        [0, 0] as readonly [first: number, found: number],
      ),
      map(() => []),
    ),
})
