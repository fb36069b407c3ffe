/** Runs on candles of an hour, recorded or made of trades: in when one closes high, out when one closes low. */
import { defineStrategy } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'candles-only',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, market, candles, balance, buyMarket, sellMarket }) => {
    const { baseAsset, quoteAsset, affordableQty, floorQty } = market(symbol)
    return candles(symbol, '1h').pipe(
      map(({ open, close }) => {
        const money = balance(quoteAsset).available.times('0.5')
        const qty = close.gt(open) ? affordableQty(money, close) : floorQty(balance(baseAsset).available)
        if (qty.isZero()) return []
        return [close.gt(open) ? buyMarket(symbol, qty) : sellMarket(symbol, qty)]
      }),
    )
  },
})
