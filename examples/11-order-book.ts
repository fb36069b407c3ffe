/**
 * Buys when far more is bid than offered at the best prices, and sells when that has turned.
 *
 * Shows a recorded book: `depth` as a stream of its best levels, `quotes` for the spread, and `book` to ask what an order would pay.
 */
import { Decimal, defineStrategy, type MarketLevel } from 'papertape'
import { map, withLatestFrom } from 'rxjs'
import { z } from 'zod'

const sumOf = (levels: readonly MarketLevel[]) => Decimal.sum(0, ...levels.map(({ qty }) => qty)).toNumber()

export default defineStrategy({
  name: 'book-imbalance',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    qty: z.string().default('0.05').describe('quantity of an order'),
    levels: z.int().min(1).default(5).describe('price levels of a side that are counted'),
    lean: z.number().gt(0).max(1).default(0.5).describe('(bids - asks) / (bids + asks) from which it acts'),
    most: z.number().positive().default(2).describe('basis points that an order may pay beyond the middle'),
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
        // What the walk through the book costs, before it is walked.
        const { averagePrice } = book(symbol).costOf('BUY', qty)
        if (mid === undefined || averagePrice === undefined) return undefined
        const paid = averagePrice.div(mid).minus(1).times(10_000)
        return imbalance > lean && paid.lt(most) ? buyMarket(symbol, qty) : undefined
      }),
    )
  },
})
