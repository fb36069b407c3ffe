/** Holds bitcoin while its 10-hour average is above its 30-hour average, otherwise dollars. */
import { defineStrategy, indicators, sma } from 'papertape'
import { distinctUntilChanged, map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'two-averages',
  params: z.object({}),
  run: ({ candles, target }) =>
    candles('BTC_USD', '1h').pipe(
      indicators({ fast: sma(10), slow: sma(30) }),
      map(({ fast, slow }) => (fast > slow ? 0.9 : 0)),
      distinctUntilChanged(),
      map((share) => target('BTC_USD', share)),
    ),
})
