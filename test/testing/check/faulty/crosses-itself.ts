/** Quotes both sides around each trade, and leaves the old quotes where they are. */
import { defineStrategy } from 'papertape'
import { auditTime, map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'crosses-itself',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, market, trades, balance, buyLimit, sellLimit }) =>
    trades(symbol).pipe(
      auditTime(2_500),
      map(({ price }) => {
        const { baseAsset, quoteAsset, floorPrice, ceilPrice } = market(symbol)
        const [bid, ask] = [floorPrice(price.times('0.999')), ceilPrice(price.times('1.001'))]
        return [
          ...(balance(quoteAsset).available.gt(bid) ? [buyLimit(symbol, bid, '0.5')] : []),
          ...(balance(baseAsset).available.gt('0.5') ? [sellLimit(symbol, ask, '0.5')] : []),
        ]
      }),
    ),
})
