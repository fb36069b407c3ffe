/**
 * Holds a position while the price is above its average, and nothing while it is below.
 */
import { CANDLE_LENGTH_NAMES, defineStrategy, indicators, sma } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'my-strategy',

  // Set parameters with --param length=50. The default symbol is that of the tape.
  params: z.object({
    symbol: z.string().describe('market to trade'),
    interval: z.enum(CANDLE_LENGTH_NAMES).default('1h').describe('length of a candle'),
    length: z.int().min(2).default(12).describe('candles in the average'),
    share: z.number().gt(0).max(1).default(0.5).describe('share of equity in the position'),
  }),

  // A stream of candles in, a stream of orders out. Return undefined for no order.
  run: ({ params: { symbol, interval, length, share }, candles, position, target, plot }) =>
    candles(symbol, interval).pipe(
      indicators({ average: sma(length) }, { plot }),
      map(({ candle, average }) => {
        const isHeld = !position(symbol).qty.isZero()
        if (!isHeld && candle.closeNumber > average) return target(symbol, share)
        if (isHeld && candle.closeNumber < average) return target(symbol, 0)
        return undefined
      }),
    ),
})
