/**
 * Buys when the best levels hold far more bids than asks, and sells when the imbalance reverses.
 *
 * Shows a recorded order book: `depth` streams its best levels, `quotes` the mid price, and `book` estimates the cost
 * of an order.
 */
import { Decimal, defineStrategy, type MarketLevel } from 'papertape'
import { map, withLatestFrom } from 'rxjs'
import { z } from 'zod'

const sumOf = (levels: readonly MarketLevel[]) => Decimal.sum(0, ...levels.map(({ qty }) => qty)).toNumber()

export default defineStrategy({
  name: 'book-imbalance',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    qty: z.string().default('0.05').describe('quantity per order'),
    levels: z.int().min(1).default(5).describe('price levels counted per side'),
    lean: z.number().gt(0).max(1).default(0.5).describe('minimum imbalance to act: (bids - asks) / (bids + asks)'),
    most: z.number().positive().default(2).describe('maximum cost of a buy above the mid price, in basis points'),
  }),

  run: ({ params, depth, quotes, book, position, buyMarket, sellMarket, plot }) => {
    const { symbol, qty, levels, lean, most } = params

    return depth(symbol, { levels, every: '3s' }).pipe(
      withLatestFrom(quotes(symbol)),
      map(([{ bids, asks }, { mid }]) => {
        const [bid, ask] = [sumOf(bids), sumOf(asks)]
        const imbalance = (bid - ask) / (bid + ask)
        plot('imbalance', imbalance)

        if (!position(symbol).qty.isZero()) {
          return imbalance < -lean ? sellMarket(symbol, position(symbol).qty) : undefined
        }
        // Expected slippage, before the order is sent.
        const { averagePrice } = book(symbol).costOf('BUY', qty)
        if (mid === undefined || averagePrice === undefined) return undefined
        const paid = averagePrice.div(mid).minus(1).times(10_000)
        return imbalance > lean && paid.lt(most) ? buyMarket(symbol, qty) : undefined
      }),
    )
  },
})
