/** Buys the second market when the first one rises, as long as there is money; never sells. */
import { defineStrategy } from 'papertape'
import { combineLatest, distinctUntilChanged, filter, map, pairwise } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'two-markets',
  params: z.object({ first: z.string().default('BTC_USD'), second: z.string().default('ETH_USD') }),
  limits: { position: '1000000' },
  run: ({ params: { first, second }, market, tickers, trades, balance, buyMarket }) => {
    const { quoteAsset, affordableQty } = market(second)
    return combineLatest([trades(first), tickers(second)]).pipe(
      map(([{ price }, { lastPrice }]) => ({ price, lastPrice })),
      distinctUntilChanged((one, two) => one.price.eq(two.price)),
      pairwise(),
      filter(([one, two]) => two.price.gt(one.price)),
      map(([, { lastPrice }]) => {
        const qty = affordableQty(balance(quoteAsset).available.times('0.2'), lastPrice)
        return qty.isZero() ? [] : [buyMarket(second, qty)]
      }),
    )
  },
})
