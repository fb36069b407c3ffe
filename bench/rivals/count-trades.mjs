/** Counts the trades of a market. */
import { defineStrategy } from 'papertape'
import { ignoreElements, tap } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'count-trades',
  params: z.object({ symbol: z.string().describe('market to read') }),
  run: ({ trades, params }) => {
    let count = 0
    return trades(params.symbol).pipe(
      tap(() => (count += 1)),
      ignoreElements(),
    )
  },
})
