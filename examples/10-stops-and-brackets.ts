/**
 * Buys a breakout with a bracket order: a stop below, a target above, whichever the price reaches first.
 *
 * Shows brackets, position sizing by risk, an entry that expires, and the conditional orders of a session.
 */
import { atr, defineStrategy, donchian, indicators } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'bracketed-breakout',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    risk: z.number().gt(0).max(0.05).default(0.005).describe('share of equity to lose at the stop'),
    stop: z.number().positive().default(2).describe('distance from the entry to the stop, in average true ranges'),
    target: z.number().positive().default(3).describe('distance from the entry to the target, in average true ranges'),
  }),

  run: ({ params, market, candles, position, openOrders, waitingOrders, riskQty, bracket, buyLimit, now }) => {
    const { symbol, risk, stop, target } = params
    const { floorPrice, ceilPrice } = market(symbol)
    const isBusy = () => position(symbol).qty.gt(0) || openOrders(symbol).length > 0 || waitingOrders(symbol).length > 0

    return candles(symbol, '15m', { empty: 'fill' }).pipe(
      indicators({ channel: donchian(20), range: atr(14) }),
      map(({ candle, channel, range }) => {
        if (isBusy() || candle.highNumber < channel.upper) return undefined
        const close = candle.closeNumber
        const exits = { stop: floorPrice(close - stop * range), target: ceilPrice(close + target * range) }
        const qty = riskQty(symbol, { stop: exits.stop, share: risk })
        if (qty.isZero()) return undefined
        // A limit slightly above the close fills immediately; the session cancels the rest after five minutes.
        const entry = buyLimit(symbol, ceilPrice(close * 1.0005), qty, { expires: now() + 5 * 60_000, tag: 'entry' })
        return bracket(entry, exits)
      }),
    )
  },
})
