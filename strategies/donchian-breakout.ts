/**
 * Donchian breakout: buys when a candle closes above its recent high, and follows the rise with a trailing stop.
 *
 * Bets on trends: a new high is more often the start of a move than its end. Most breakouts fail and lose about the
 * same share of equity each; the few that continue must pay for them. A position without a stop (held before the start,
 * or its stop was refused) is sold.
 */
import { atr, CANDLE_LENGTH_NAMES, defineStrategy, donchian, indicators, type Intent } from 'papertape'
import { exhaustMap, filter, ignoreElements, map, merge, pairwise, startWith, take } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'donchian-breakout',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    interval: z.enum(CANDLE_LENGTH_NAMES).default('15m').describe('length of a candle'),
    length: z.int().min(2).default(20).describe('candles in the channel'),
    trail: z.number().gt(0).default(3).describe('distance of the trailing stop, in average true ranges'),
    risk: z.number().gt(0).max(1).default(0.01).describe('share of equity to lose at the stop'),
  }),

  run: ({
    params,
    candles,
    orders$,
    outcomes$,
    position,
    waitingOrders,
    riskQty,
    bracket,
    buyMarket,
    target,
    plot,
  }) => {
    const { symbol, interval, length, trail, risk } = params
    const isHeld = (): boolean => !position(symbol).qty.isZero()
    const hasStop = (): boolean => waitingOrders(symbol).length > 0

    /** Blocks other buys until this one is filled, cancelled or refused: in flight it has no position and no stop. */
    const once = (buy: Intent) => {
      const ended$ = orders$.pipe(
        filter(({ side, status }) => side === 'BUY' && (status === 'FILLED' || status === 'CANCELLED')),
      )
      const failed$ = outcomes$.pipe(filter(({ type }) => type === 'refused' || type === 'absent'))
      return merge(ended$, failed$).pipe(take(1), ignoreElements(), startWith(buy))
    }

    const candles$ = candles(symbol, interval)
    const enter$ = candles$.pipe(
      indicators({ channel: donchian(length), range: atr(length) }),
      pairwise(),
      map(([before, { candle, range }]) => {
        plot('upper', before.channel.upper)
        plot('range', range)
        if (isHeld() || hasStop() || candle.closeNumber <= before.channel.upper) return undefined
        const distance = trail * range
        const qty = riskQty(symbol, { stop: candle.closeNumber - distance, share: risk })
        return qty.isZero() ? undefined : bracket(buyMarket(symbol, qty), { trail: { distance } })
      }),
      filter((intent) => intent !== undefined),
      exhaustMap(once),
    )
    const unprotected$ = candles$.pipe(map(() => (isHeld() && !hasStop() ? target(symbol, 0) : undefined)))
    return merge(enter$, unprotected$)
  },
})
