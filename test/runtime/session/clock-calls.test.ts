/**
 * `every` and `daily` in a backtest, and in a live loop whose machine sleeps.
 */
import { ignoreElements, merge, switchMap, take, tap, timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { clockCalls } from '../../../src/runtime/session/clock-calls.ts'
import { EVENT_KIND, EventQueue } from '../../../src/simulation/event-queue.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import { memoryTape } from '../../simulation/rig/memory-tape.ts'
import { runStrategy } from '../rig/run-strategy.ts'

const HOUR = 3_600_000

async function logged(run: (context: StrategyContext<unknown>) => Observable<unknown>): Promise<readonly string[]> {
  const { logs, result } = await runStrategy(
    { run: (context) => run(context).pipe(ignoreElements()) },
    {
      tapes: [
        memoryTape([
          [HOUR / 2, 100, 1],
          [HOUR, 101, 1],
          [5 * HOUR, 102, 1],
        ]),
      ],
    },
  )
  expect(result.failure).toBeUndefined()
  return logs.map(([time, text]) => `${time / HOUR} ${text}`)
}

it('are reported at the boundary, behind trades and candles of that millisecond', async () => {
  const texts = await logged(({ every, daily, trades, candles, log }) =>
    merge(
      every('1h').pipe(tap((time) => log(`every ${time / HOUR}`))),
      daily('03:00', 'Europe/Berlin').pipe(tap((time) => log(`daily ${time / HOUR}`))),
      trades('BTC_USD').pipe(tap(() => log('trade'))),
      candles('BTC_USD', '1h').pipe(tap(() => log('candle'))),
      candles('BTC_USD', '30m', { empty: 'fill' }).pipe(tap(() => log('half'))),
    ),
  )
  expect(texts.filter((text) => !/^[34]/.test(text))).toEqual([
    ...['0.5 trade', '1 trade', '1 candle', '1 half', '1 every 1', '1.5 half'],
    ...['2 candle', '2 half', '2 daily 2', '2 every 2', '2.5 half', '5 trade', '5 half', '5 every 5'],
  ])
})

it('one that is left and taken up again receives each boundary once', async () => {
  const texts = await logged(({ every, log }) =>
    timer(0, HOUR / 3).pipe(
      switchMap(() => every('1h')),
      tap((time) => log(`${time / HOUR}`)),
      take(3),
    ),
  )
  expect(texts).toEqual(['1 1', '2 2', '3 3'])
})

describe('when the machine has slept', () => {
  it('the newest boundary is reported at once, and then each one at its time', () => {
    const queue = new EventQueue(HOUR / 2)
    const reported: string[] = []
    const { every } = clockCalls({
      now: () => queue.now(),
      at: (time, action) => void queue.schedule(Math.max(time, queue.now()), EVENT_KIND.timer, action, true),
    })
    every('1h').subscribe((time) => reported.push(`${queue.now() / HOUR}: ${time / HOUR}`))
    queue.runNext()
    queue.jump(3 * HOUR + HOUR / 4)
    queue.runNext()
    queue.runNext()
    expect(reported).toEqual(['1: 1', '4.25: 4', '5: 5'])
  })

  it('what follows the calendar happens first, in the order of its times, and waits stay as long', () => {
    const queue = new EventQueue(0)
    const happened: string[] = []
    const note = (name: string) => () => void happened.push(`${name} at ${queue.now()}`)
    queue.schedule(10, EVENT_KIND.timer, note('wait'))
    queue.schedule(40, EVENT_KIND.candle, note('second candle'))
    queue.schedule(30, EVENT_KIND.candle, note('first candle'))
    queue.schedule(500, EVENT_KIND.candle, note('candle to come'))
    queue.jump(100)
    while (queue.nextTime < Infinity) queue.runNext()
    expect(happened).toEqual(['first candle at 100', 'second candle at 100', 'wait at 110', 'candle to come at 500'])
  })
})
