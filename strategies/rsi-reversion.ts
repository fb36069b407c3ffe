/**
 * RSI mean reversion: buys after a fast fall, and sells once the price has recovered.
 *
 * Bets that markets overshoot: after many down moves, up moves are more likely. That holds in markets that swing around
 * a price and loses in one that keeps falling, so a stop closes losing positions.
 */
import { CANDLE_LENGTH_NAMES, defineStrategy, indicators, rsi } from 'papertape'
import { map, pairwise } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'rsi-reversion',

  params: z
    .object({
      symbol: z.string().describe('market to trade'),
      interval: z.enum(CANDLE_LENGTH_NAMES).default('15m').describe('length of a candle'),
      length: z.int().min(2).default(14).describe('candles in the RSI'),
      oversold: z.number().gt(0).lt(100).default(30).describe('RSI below which it buys'),
      recovered: z.number().gt(0).lt(100).default(55).describe('RSI above which it sells'),
      stop: z.number().gt(0).lt(100).default(5).describe('loss at which it sells, in percent of the average cost'),
      share: z.number().gt(0).max(1).default(0.9).describe('share of equity in the position'),
    })
    .refine(({ oversold, recovered }) => oversold < recovered, 'expected oversold below recovered'),

  run: ({ params, candles, position, target, plot }) => {
    const { symbol, interval, length, oversold, recovered, stop, share } = params

    return candles(symbol, interval).pipe(
      indicators({ strength: rsi(length) }, { plot }),
      pairwise(),
      map(([before, { candle, strength }]) => {
        const { qty, averagePrice } = position(symbol)
        // One buy per fall: a position that was stopped out is not bought back while the fall continues.
        const isNew = before.strength >= oversold && strength < oversold
        if (qty.isZero()) return isNew ? target(symbol, share) : undefined
        const isLost = averagePrice !== undefined && candle.close.lt(averagePrice.times(1 - stop / 100))
        return isLost || strength > recovered ? target(symbol, 0) : undefined
      }),
    )
  },
})
