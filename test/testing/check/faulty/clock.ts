/** Trades on weekdays alone, by the clock of the machine on which it was loaded. */
import { defineStrategy } from 'papertape'
import { filter, map } from 'rxjs'
import { z } from 'zod'

const TODAY = new Date().getUTCDay()

export default defineStrategy({
  name: 'clock',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, candles, buyMarket }) =>
    candles(symbol, '1m').pipe(
      filter(({ close, open }) => TODAY > 0 && TODAY < 6 && close.gt(open)),
      map(() => buyMarket(symbol, '0.01')),
    ),
})
