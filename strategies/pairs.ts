/**
 * Pairs: holds the one of two markets that is cheap against the other, by the z-score of the ratio of their prices.
 *
 * It believes that two markets of one kind keep their ratio: when it is far from its recent average, it comes back. Nothing is sold short
 * here, so that it holds one side of the pair only, and what both markets do together stays with it.
 */
import { CANDLE_LENGTH_NAMES, defineStrategy, zScore } from 'papertape'
import { distinctUntilChanged, filter, map, mergeMap, tap } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'pairs',

  params: z
    .object({
      symbol: z.string().describe('market to trade'),
      other: z.string().default('ETH_USD').describe('market that it is held against'),
      interval: z.enum(CANDLE_LENGTH_NAMES).default('15m').describe('length of a candle'),
      length: z.int().min(3).default(48).describe('candles in the average of the ratio'),
      enter: z.number().gt(0).default(2).describe('distance from the average at which it buys, in deviations'),
      leave: z.number().min(0).default(0.5).describe('distance within which it sells, in deviations'),
      share: z.number().gt(0).max(1).default(0.9).describe('share of the equity in a position'),
    })
    .refine(({ enter, leave }) => leave < enter, 'expected leave below enter')
    .refine(({ symbol, other }) => symbol !== other, 'expected two markets'),

  run: ({ params, market, candles, rebalance, plot }) => {
    const { symbol, other, interval, length, enter, leave, share } = params
    const [one, two] = [market(symbol).baseAsset, market(other).baseAsset]
    /** The asset to hold; undefined to stay as it is. */
    const wanted = (distance: number): string | undefined => {
      if (distance < -enter) return one
      if (distance > enter) return two
      return Math.abs(distance) < leave ? 'none' : undefined
    }

    return candles([symbol, other], interval).pipe(
      // An interval in which one of them was not traded has no ratio.
      mergeMap(({ candles: [a, b] }) => (a && b ? [a.closeNumber / b.closeNumber] : [])),
      zScore(length),
      tap((distance) => plot('distance', distance)),
      map(wanted),
      filter((asset) => asset !== undefined),
      distinctUntilChanged(),
      map((asset) => rebalance({ [one]: asset === one ? share : 0, [two]: asset === two ? share : 0 })),
    )
  },
})
