/**
 * Buys when the price falls `drop` basis points below its 60-minute average, and sells when it is back above it.
 */
import { defineStrategy, indicators, sma } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'buy-the-dip',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    qty: z.string().default('0.01').describe('quantity per order'),
    drop: z.number().positive().default(20).describe('buy this far below the average, in basis points'),
  }),

  // Candles that the average needs before the first order; a live session requests them from the service.
  warmup: { '1m': 60 },

  run: ({ params: { symbol, qty, drop }, market, candles, balance, buyMarket, sellMarket }) => {
    const { baseAsset } = market(symbol)

    return candles(symbol, '1m').pipe(
      indicators({ average: sma(60) }),
      map(({ average, candle }) => {
        const close = candle.closeNumber
        const isHeld = balance(baseAsset).available.greaterThanOrEqualTo(qty)
        if (!isHeld && close < average * (1 - drop / 10_000)) return buyMarket(symbol, qty)
        if (isHeld && close > average) return sellMarket(symbol, qty)
        return undefined
      }),
    )
  },
})
