/**
 * Places a bid below and an offer above the last price, and replaces both every few minutes.
 *
 * Shows limit orders, tags, cancels on a timer, and how to observe your own fills.
 */
import { defineStrategy } from 'papertape'
import { ignoreElements, interval, map, merge, tap, withLatestFrom } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'limit-orders',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    qty: z.string().default('0.01').describe('quantity per order'),
    distance: z.number().positive().default(20).describe('distance from the last price, in basis points'),
    minutes: z.int().min(1).default(15).describe('time until an order is replaced, in minutes'),
  }),

  run: ({ params, market, trades, fills$, balance, buyLimit, sellLimit, cancelAll, log }) => {
    const { symbol, qty, distance, minutes } = params
    const { baseAsset, floorPrice, ceilPrice } = market(symbol)

    // An RxJS timer: in a backtest it follows the time of the tape.
    const quotes$ = interval(minutes * 60_000).pipe(
      withLatestFrom(trades(symbol)),
      map(([, { price }]) => {
        // Prices must be multiples of the tick: round the bid down and the offer up.
        const bid = buyLimit(symbol, floorPrice(price.times(1 - distance / 10_000)), qty, { tag: 'bid' })
        const offer = sellLimit(symbol, ceilPrice(price.times(1 + distance / 10_000)), qty, { tag: 'offer' })

        // Requests arrive in order: the cancel frees the locked balance before the new orders need it.
        const { available, locked } = balance(baseAsset)
        const hasSomething = available.plus(locked).greaterThanOrEqualTo(qty)
        return hasSomething ? [cancelAll(symbol), bid, offer] : [cancelAll(symbol), bid]
      }),
    )

    // `ignoreElements` makes this stream observe only: it emits no orders.
    const watch$ = fills$.pipe(
      tap((fill) => log(`${fill.tag ?? ''} filled: ${fill.side} ${fill.qty.toFixed()} at ${fill.price.toFixed()}`)),
      ignoreElements(),
    )

    return merge(quotes$, watch$)
  },
})
