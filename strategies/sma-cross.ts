/**
 * Moving average crossover: buys when the fast average of the closes rises above the slow one, sells all when it falls
 * below.
 *
 * A file to copy and change: first the parameters, then one function from streams to orders.
 */
import { CANDLE_LENGTH_NAMES, crossing, defineStrategy, indicators, sma, type Decimal, type Intent } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'sma-cross',

  params: z
    .object({
      symbol: z.string().describe('market to trade'),
      interval: z.enum(CANDLE_LENGTH_NAMES).default('1m').describe('length of a candle'),
      fast: z.int().min(1).default(10).describe('candles in the fast average'),
      slow: z.int().min(2).default(30).describe('candles in the slow average'),
      fraction: z.number().gt(0).max(1).default(0.95).describe('share of the available cash per buy'),
    })
    .refine(({ fast, slow }) => fast < slow, { path: ['fast'], message: 'expected fast to be smaller than slow' }),

  run: ({ params, market, candles, balance, buyMarket, sellMarket, plot }) => {
    const { symbol, interval, fast, slow, fraction } = params
    const { baseAsset, quoteAsset, affordableQty, floorQty } = market(symbol)

    const buy = (price: Decimal): readonly Intent[] => {
      const qty = affordableQty(balance(quoteAsset).available.times(fraction), price)
      return qty.isZero() ? [] : [buyMarket(symbol, qty)]
    }

    const sellAll = (): readonly Intent[] => {
      const qty = floorQty(balance(baseAsset).available)
      return qty.isZero() ? [] : [sellMarket(symbol, qty)]
    }

    return candles(symbol, interval).pipe(
      indicators({ fast: sma(fast), slow: sma(slow) }, { plot }),
      crossing((averages) => averages.fast - averages.slow),
      map(({ direction, candle }) => (direction === 'up' ? buy(candle.close) : sellAll())),
    )
  },
})
