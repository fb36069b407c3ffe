/**
 * `every` and `daily` of a strategy's context: calendar times, emitted among the timers.
 *
 * Each is computed from the calendar and not from the previous one, so that nothing drifts. A machine that slept
 * through several emits only the newest when it wakes.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { closeTimeOf, lengthMsOf, openTimeOf, type CandleLength } from '../../domain/candle-length.ts'
import type { StrategyContext } from '../../strategy/context.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import { dailyTime } from '../../strategy/daily-time.ts'

type Calendar = Pick<ExchangeAdapter, 'now' | 'at'>

export function clockCalls(calendar: Calendar): Pick<StrategyContext<unknown>, 'every' | 'daily'> {
  const streams = new Map<string, HotStream<number>>()
  const streamOf = (key: string, make: () => (time: number) => number): HotStream<number> => {
    const stream = streams.get(key) ?? moments(calendar, make())
    streams.set(key, stream)
    return stream
  }
  return {
    every: (length: CandleLength) =>
      streamOf(length, () => {
        const lengthMs = lengthMsOf(length)
        return (time) => closeTimeOf(openTimeOf(time, lengthMs), lengthMs)
      }),
    daily: (clock, zone = 'UTC') => streamOf(`${clock} ${zone}`, () => dailyTime(clock, zone).after),
  }
}

/** @param after  returns the first moment after a time */
function moments(calendar: Calendar, after: (time: number) => number): HotStream<number> {
  let isSet = false
  const set = (): void => {
    if (isSet || !stream.isWatched) return
    isSet = true
    const moment = after(calendar.now())
    calendar.at(moment, () => {
      isSet = false
      if (!stream.isWatched) return
      stream.push(newestOf(moment))
      set()
    })
  }
  const newestOf = (moment: number): number => {
    const now = calendar.now()
    let newest = moment
    for (let next = after(newest); next <= now; next = after(next)) newest = next
    return newest
  }
  const stream = new HotStream<number>(set)
  return stream
}
