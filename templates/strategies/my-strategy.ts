/**
 * In the market while the price is above its average, out of it while it is below.
 */
import { CANDLE_LENGTH_NAMES, defineStrategy, indicators, sma } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'my-strategy',

  // What a run may set, as in --param length=50. The symbol is that of the tape unless it is said.
  params: z.object({
    symbol: z.string().describe('market to trade'),
    interval: z.enum(CANDLE_LENGTH_NAMES).default('1h').describe('length of a candle'),
    length: z.int().min(2).default(12).describe('candles in the average'),
    share: z.number().gt(0).max(1).default(0.5).describe('share of the equity that a buy takes'),
  }),

  // A stream of candles in, a stream of orders out. What it answers with undefined is no order.
  run: ({ params: { symbol, interval, length, share }, candles, position, target }) =>
    candles(symbol, interval).pipe(
      indicators({ average: sma(length) }),
      map(({ candle, average }) => {
        const isHeld = !position(symbol).qty.isZero()
        if (!isHeld && candle.closeNumber > average) return target(symbol, share)
        if (isHeld && candle.closeNumber < average) return target(symbol, 0)
        return undefined
      }),
    ),
})
