/** Looks on, says what it sees, and wants nothing. */
import { defineStrategy } from 'papertape'
import { ignoreElements, merge, tap } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'never-trades',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades, gaps, portfolio, log }) =>
    merge(trades(symbol), gaps(symbol)).pipe(
      tap(() => log(portfolio().equity.toFixed())),
      ignoreElements(),
    ),
})
