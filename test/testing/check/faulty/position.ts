/** Declares to hold one at most, counts what was filled, and forgets what is on its way. */
import { defineStrategy } from 'papertape'
import { filter, map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'position',
  params: z.object({ symbol: z.string() }),
  limits: { position: '1' },
  run: ({ params: { symbol }, trades, fills$, balance, market, buyMarket }) => {
    let held = 0
    fills$.subscribe(({ qty }) => (held += qty.toNumber()))
    return trades(symbol).pipe(
      filter(({ isOwn, price }) => !isOwn && held < 0.5 && balance(market(symbol).quoteAsset).available.gt(price)),
      map(() => buyMarket(symbol, '0.5')),
    )
  },
})
