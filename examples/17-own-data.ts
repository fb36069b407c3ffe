/**
 * Holds the market while an index of the mood is low, and nothing while it is high.
 *
 * Shows `series`: your own data as a stream next to the market data. A row arrives at its timestamp, never before.
 */
import { defineStrategy } from 'papertape'
import { map, withLatestFrom } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'mood',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    low: z.number().default(30).describe('value of the index below which it buys'),
    high: z.number().default(70).describe('value of the index above which it sells'),
  }),

  run: ({ params: { symbol, low, high }, candles, series, target, plot }) =>
    candles(symbol, '1h').pipe(
      withLatestFrom(series('mood', ['value'])),
      map(([, row]) => {
        const value = Number(row.value)
        plot('mood', value)
        if (value < low) return target(symbol, 0.5)
        return value > high ? target(symbol, 0) : undefined
      }),
    ),
})
