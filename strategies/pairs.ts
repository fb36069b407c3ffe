/**
 * Pairs: holds whichever of two markets is cheap relative to the other, by the z-score of their price ratio.
 *
 * Bets that the ratio of two similar markets returns to its recent average. It never sells short, so it holds one side
 * of the pair only and keeps the risk of moves that both markets share.
 */
import { CANDLE_LENGTH_NAMES, defineStrategy, zScore } from 'papertape'
import { distinctUntilChanged, filter, map, mergeMap, tap } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'pairs',

  params: z
    .object({
      symbol: z.string().describe('market to trade'),
      other: z.string().default('ETH_USD').describe('market to compare it with'),
      interval: z.enum(CANDLE_LENGTH_NAMES).default('15m').describe('length of a candle'),
      length: z.int().min(3).default(48).describe('candles in the average of the ratio'),
      enter: z.number().gt(0).default(2).describe('z-score at which it buys'),
      leave: z.number().min(0).default(0.5).describe('z-score below which it sells'),
      share: z.number().gt(0).max(1).default(0.9).describe('share of equity in the position'),
    })
    .refine(({ enter, leave }) => leave < enter, 'expected leave below enter')
    .refine(({ symbol, other }) => symbol !== other, 'expected two markets'),

  run: ({ params, market, candles, rebalance, plot }) => {
    const { symbol, other, interval, length, enter, leave, share } = params
    const [one, two] = [market(symbol).baseAsset, market(other).baseAsset]
    /** The asset to hold; undefined for no change. */
    const wanted = (distance: number): string | undefined => {
      if (distance < -enter) return one
      if (distance > enter) return two
      return Math.abs(distance) < leave ? 'none' : undefined
    }

    return candles([symbol, other], interval).pipe(
      // If one market has no candle in an interval, there is no ratio.
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
