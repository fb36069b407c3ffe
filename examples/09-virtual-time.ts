/**
 * Buys when a burst of trades has calmed down, and sells a fixed time later.
 *
 * Shows RxJS time operators, which follow the time of the market: `bufferTime`, `debounceTime` and `timer` need no
 * scheduler, and a backtest of thirty days takes a second or two.
 */
import { defineStrategy } from 'papertape'
import { bufferTime, concat, debounceTime, exhaustMap, filter, map, of, tap, timer } from 'rxjs'
import { z } from 'zod'

export default defineStrategy({
  name: 'after-the-burst',

  params: z.object({
    symbol: z.string().describe('market to trade'),
    qty: z.string().default('0.05').describe('quantity per order'),
    burst: z.int().min(1).default(12).describe('trades in ten seconds that count as a burst'),
    calm: z.number().positive().default(30).describe('seconds without a burst before it buys'),
    hold: z.number().positive().default(15).describe('minutes from buying to selling'),
  }),

  run: ({ params: { symbol, qty, burst, calm, hold }, trades, now, buyMarket, target, log }) => {
    const bursts$ = trades(symbol).pipe(
      bufferTime(10_000),
      filter((batch) => batch.length >= burst),
    )
    const calms$ = bursts$.pipe(
      debounceTime(calm * 1_000),
      tap(() => log(`calm at ${new Date(now()).toISOString()}`)),
    )
    const sale$ = timer(hold * 60_000).pipe(map(() => target(symbol, 0)))

    // `exhaustMap` ignores bursts while a position is held.
    return calms$.pipe(exhaustMap(() => concat(of(buyMarket(symbol, qty)), sale$)))
  },
})
