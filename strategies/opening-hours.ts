/**
 * Opening hours: holds a market between two times of day, and nothing outside them.
 *
 * Bets that a session has a direction, and that the hours outside it only add risk. The times follow a time zone,
 * including daylight saving time. A position that could not be sold at the close (trading halt, no buyers) is sold as
 * soon as possible.
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
      closes: time.default('16:00').describe('time of day at which it sells everything'),
      zone: z.string().default('America/New_York').describe('time zone of both times'),
      weekends: z.boolean().default(false).describe('also trade on Saturdays and Sundays'),
      interval: z.enum(CANDLE_LENGTH_NAMES).default('1m').describe('candles after which a failed sale is retried'),
      share: z.number().gt(0).max(1).default(0.9).describe('share of equity in the position'),
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
    // A session that starts outside the hours may hold what an earlier one could not sell.
    const begins$ = isOpen(now()) ? EMPTY : of(now())

    const enter$ = opens$.pipe(map(() => target(symbol, share)))
    const leave$ = merge(begins$, closes$).pipe(
      switchMap(() => candles(symbol, interval).pipe(startWith(undefined), takeUntil(opens$))),
      map(() => (position(symbol).qty.isZero() ? undefined : target(symbol, 0))),
    )
    return merge(enter$, leave$)
  },
})
