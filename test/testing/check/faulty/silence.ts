/** Throws when it hears nothing for an hour. */
import { defineStrategy } from 'papertape'
import { map, timeout } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'silence',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, trades }) =>
    trades(symbol).pipe(
      timeout({ each: 3_600_000 }),
      map(() => undefined),
    ),
})
