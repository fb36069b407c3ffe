/** Buys on every rise, whatever is left of the money. */
import { defineStrategy } from 'papertape'
import { filter, map, pairwise } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'unpayable',
  params: z.object({ symbol: z.string(), qty: z.string().default('20') }),
  run: ({ params: { symbol, qty }, trades, buyMarket }) =>
    trades(symbol).pipe(
      filter(({ isOwn }) => !isOwn),
      pairwise(),
      filter(([before, trade]) => trade.price.gt(before.price)),
      map(() => buyMarket(symbol, qty)),
    ),
})
