/**
 * A custom indicator, and a strategy that trades with it.
 *
 * Kaufman's efficiency ratio is the net change over n steps divided by the sum of all absolute changes: 1 for a
 * straight line, 0 if the price ends where it started. It is an operator like `sma`, and `indicators` combines it with
 * others.
 */
import { defineStrategy, indicator, indicators, roc } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

/** @param n  number of steps, at least 1 */
const efficiency = (n: number) =>
  indicator({
    // The first value needs n+1 inputs.
    warmup: n,
    start: () => [] as number[],
    step: (seen, { closeNumber }: { readonly closeNumber: number }) => {
      seen.push(closeNumber)
      if (seen.length > n + 1) seen.shift()
      const steps = seen.slice(1).map((value, index) => Math.abs(value - (seen[index] ?? value)))
      const way = steps.reduce((sum, step) => sum + step, 0)
      return way === 0 ? 0 : Math.abs(closeNumber - (seen[0] ?? closeNumber)) / way
    },
  })

export default defineStrategy({
  name: 'efficient-trend',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    length: z.int().min(2).default(20).describe('candles in the efficiency ratio'),
    enter: z.number().min(0).max(1).default(0.35).describe('minimum efficiency of a rise to buy'),
  }),

  run: ({ params: { symbol, length, enter }, candles, position, target, plot }) =>
    candles(symbol, '15m', { empty: 'fill' }).pipe(
      indicators({ efficiency: efficiency(length), change: roc(length) }),
      map((row) => {
        plot('efficiency', row.efficiency)
        if (!position(symbol).qty.isZero()) return row.change < 0 ? target(symbol, 0) : undefined
        return row.change > 0 && row.efficiency >= enter ? target(symbol, 0.9) : undefined
      }),
    ),
})
