/**
 * Rests a bid below and an offer above the last price, and moves both after a while.
 *
 * Shows limit orders, tags, cancelling on a timer, and listening to one's own fills.
 */
import { defineStrategy } from 'papertape'
import { ignoreElements, interval, map, merge, tap, withLatestFrom } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'limit-orders',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    qty: z.string().default('0.01').describe('quantity of an order'),
    distance: z.number().positive().default(20).describe('from the last price, in basis points'),
    minutes: z.int().min(1).default(15).describe('how long an order rests'),
  }),

  run: ({ params, market, trades, fills$, balance, buyLimit, sellLimit, cancelAll, log }) => {
    const { symbol, qty, distance, minutes } = params
    const { baseAsset, floorPrice, ceilPrice } = market(symbol)

    // A timer of RxJS: in a backtest it follows the time of the tape.
    const quotes$ = interval(minutes * 60_000).pipe(
      withLatestFrom(trades(symbol)),
      map(([, { price }]) => {
        // A price must fit the market's ticks, and nothing is rounded for you: away from the last price, on purpose.
        const bid = buyLimit(symbol, floorPrice(price.times(1 - distance / 10_000)), qty, { tag: 'bid' })
        const offer = sellLimit(symbol, ceilPrice(price.times(1 + distance / 10_000)), qty, { tag: 'offer' })

        // Requests arrive in their order, so what the old quotes lock is free when the new ones come.
        const { available, locked } = balance(baseAsset)
        const hasSomething = available.plus(locked).greaterThanOrEqualTo(qty)
        return hasSomething ? [cancelAll(symbol), bid, offer] : [cancelAll(symbol), bid]
      }),
    )

    // It only watches: nothing that it emits is an order.
    const watch$ = fills$.pipe(
      tap((fill) => log(`${fill.tag ?? ''} filled: ${fill.side} ${fill.qty.toFixed()} at ${fill.price.toFixed()}`)),
      ignoreElements(),
    )

    return merge(quotes$, watch$)
  },
})
