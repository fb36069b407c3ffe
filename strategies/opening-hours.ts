/**
 * Opening hours: holds a market between two times of the day, and nothing outside of them.
 *
 * It believes that a session has a direction, as many have between the opening of an exchange and its close, and that the hours without
 * it carry risk for nothing. The times are those of a time zone, so that they move with its summer time. What could not be sold at
 * the close, because the market was halted or nobody was there to sell it, is sold as soon as it can be.
 */
import { CANDLE_LENGTH_NAMES, defineStrategy } from 'papertape'
import { EMPTY, filter, map, merge, of, startWith, switchMap, takeUntil } from 'rxjs'
import { z } from 'zod'

const time = z.string().regex(/^\d\d:\d\d(:\d\d)?$/, 'expected a time such as 09:30')

export default defineStrategy({
  name: 'opening-hours',

  params: z
    .object({
      symbol: z.string().describe('market to trade'),
      opens: time.default('09:30').describe('time of day at which it buys'),
      closes: time.default('16:00').describe('time of day at which it sells all'),
      zone: z.string().default('America/New_York').describe('time zone of both'),
      weekends: z.boolean().default(false).describe('true to trade on Saturdays and Sundays, too'),
      interval: z.enum(CANDLE_LENGTH_NAMES).default('1m').describe('candle after which a sale is tried again'),
      share: z.number().gt(0).max(1).default(0.9).describe('share of the equity that it holds'),
    })
    .refine(({ opens, closes }) => opens !== closes, 'expected two times'),

  run: ({ params, daily, candles, position, target, now }) => {
    const { symbol, opens, closes, zone, weekends, interval, share } = params
    const [openings$, closes$] = [daily(opens, zone), daily(closes, zone)]
    const weekday = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short' })
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' })
    const isTraded = (at: number): boolean => weekends || !weekday.format(at).startsWith('S')
    const isOpen = (at: number): boolean => {
      const [isOpened, isClosed] = [clock.format(at) >= opens, clock.format(at) >= closes]
      return isTraded(at) && (opens < closes ? isOpened && !isClosed : isOpened || !isClosed)
    }
    const opens$ = openings$.pipe(filter(isTraded))
    // A session that begins outside of the hours may find what an earlier one could not sell.
    const begins$ = isOpen(now()) ? EMPTY : of(now())

    const enter$ = opens$.pipe(map(() => target(symbol, share)))
    const leave$ = merge(begins$, closes$).pipe(
      switchMap(() => candles(symbol, interval).pipe(startWith(undefined), takeUntil(opens$))),
      map(() => (position(symbol).qty.isZero() ? undefined : target(symbol, 0))),
    )
    return merge(enter$, leave$)
  },
})
