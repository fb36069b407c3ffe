/**
 * Holds the market with the highest return, and nothing while no market rises.
 *
 * Shows candles of several markets together, and `rebalance`, which orders the difference to a target allocation.
 */
import { defineStrategy } from 'papertape'
import { bufferCount, map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'strongest-market',

  params: z.object({
    hours: z.int().min(2).default(24).describe('lookback in hours'),
    share: z.number().gt(0).max(1).default(0.9).describe('share of the equity in the strongest market'),
  }),

  run: ({ params: { hours, share }, markets, candles, rebalance, plot }) => {
    const symbols = markets.map(({ symbol }) => symbol)

    // One row per hour with each market's candle, or undefined. `zip` would misalign them at the first missing candle.
    return candles(symbols, '1h', { empty: 'fill' }).pipe(
      bufferCount(hours + 1, 1),
      map((rows) => {
        const rises = markets.map(({ symbol, baseAsset }, index) => {
          const [before, now] = [rows[0]?.candles[index], rows.at(-1)?.candles[index]]
          const rise = before && now ? now.closeNumber / before.closeNumber - 1 : -Infinity
          if (Number.isFinite(rise)) plot(symbol, rise)
          return { baseAsset, rise }
        })
        const strongest = rises.toSorted((a, b) => b.rise - a.rise)[0]
        const shares = rises.map((each) => [each.baseAsset, each === strongest && each.rise > 0 ? share : 0] as const)
        return rebalance(Object.fromEntries(shares), { drift: 0.05 })
      }),
    )
  },
})
