/**
 * Opening hours: holds a market between two times of the day, and nothing outside of them.
 *
 * It believes that a session has a direction, as many have between the opening of an exchange and its close, and that the hours without
 * it carry risk for nothing. The times are those of a time zone, so that they move with its summer time. What could not be sold at
 * the close, because the market was halted, is sold as soon as it can be.
 */
import { CANDLE_INTERVAL_NAMES, defineStrategy } from 'papertape'
import { filter, map, merge, startWith, switchMap, takeUntil } from 'rxjs'
import { z } from 'zod'

const time = z.string().regex(/^\d\d:\d\d(:\d\d)?$/, 'expected a time such as 09:30')

export default defineStrategy({
  name: 'opening-hours',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    opens: time.default('09:30').describe('time of day at which it buys'),
    closes: time.default('16:00').describe('time of day at which it sells all'),
    zone: z.string().default('America/New_York').describe('time zone of both'),
    weekends: z.boolean().default(false).describe('true to trade on Saturdays and Sundays, too'),
    interval: z.enum(CANDLE_INTERVAL_NAMES).default('1m').describe('candle after which a sale is tried again'),
    share: z.number().gt(0).max(1).default(0.9).describe('share of the equity that it holds'),
  }),

  run: ({ params, daily, candles, position, target }) => {
    const { symbol, opens, closes, zone, weekends, interval, share } = params
    const weekday = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short' })
    const isTraded = (at: number): boolean => weekends || !weekday.format(at).startsWith('S')
    const opens$ = daily(opens, zone).pipe(filter(isTraded))

    const enter$ = opens$.pipe(map(() => target(symbol, share)))
    const leave$ = daily(closes, zone).pipe(
      switchMap(() => candles(symbol, interval).pipe(startWith(undefined), takeUntil(opens$))),
      map(() => (position(symbol).qty.isZero() ? undefined : target(symbol, 0))),
    )
    return merge(enter$, leave$)
  },
})
