/** Candle interval of a recording: given by the user, otherwise inferred from the steps between candles. */
import { isOfCalendar, monthsOf } from '../../domain/calendar.ts'
import { lengthText } from '../../domain/candle-length.ts'
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import type { CandleSteps } from '../../import/csv/candle-steps.ts'
import { splitText, type SplitSteps } from '../../tape/split-steps.ts'
import type { TapeSource } from '../../import/tape-source.ts'

/**
 * Interval in milliseconds.
 *
 * @throws {InputError} if the file does not show it, or has closing times whose opens are not known
 */
export function intervalOf(source: TapeSource, steps: CandleSteps): number {
  const interval = source.candleInterval ?? shownBy(source, steps)
  if (source.candleTime === 'close') checkCloses(source, interval, steps)
  return interval
}

function shownBy({ file, candleClose }: TapeSource, steps: CandleSteps): number {
  const interval = candleClose === 'next' ? steps.median() : steps.interval()
  if (interval === undefined) {
    throw new InputError(setting('candleInterval'), `missing candle length: ${file} has only one candle`)
  }
  if (interval !== 'irregular') return interval
  const message = 'the candles open at irregular times, so their closing times are unknown'
  const hint = worded`; pass ${setting('candleClose', 'next')} to close each candle when the next one opens, or ${setting('candleInterval')}`
  throw new InputError(file, message, { hint })
}

function checkCloses({ file, candleClose }: TapeSource, interval: number, steps: CandleSteps): void {
  if (candleClose === 'next') {
    const message = `works only with opening times, but ${file} is read with closing times`
    throw new InputError(setting('candleClose', 'next'), message)
  }
  if (monthsOf(interval) === undefined && (!isOfCalendar(interval) || steps.areMultiples(interval))) return
  const message = `candles of ${lengthText(interval)} vary in length here, so opening times do not follow from closing times`
  throw new InputError(setting('candleTime', 'close'), `${message}; ${file} needs opening times`)
}

/** Notice about steps that leave a part of a candle between them. */
export function oddStepNotice({ candleClose }: TapeSource, interval: number, steps: CandleSteps): readonly string[] {
  const odd = candleClose === 'next' ? undefined : steps.odd(interval)
  if (odd === undefined) return []
  const are = odd.count === 1 ? 'step between candles is' : 'steps between candles are'
  const first = `the first is before ${isoTime(odd.first)}`
  return [
    `${odd.count} ${are} no multiple of ${lengthText(interval)} (${first}): each candle closes ${lengthText(interval)} after it opens.`,
  ]
}

/** Notice about prices not adjusted for splits. */
export function splitNotice({ first, count }: SplitSteps): readonly string[] {
  if (first === undefined) return []
  const more = count === 1 ? '' : `, and ${count - 1} times more`
  const step = `At ${isoTime(first.time)} the price jumps like a split of ${splitText(first)}${more}`
  return [`${step}: if it is a split, use adjusted prices; otherwise holdings change value overnight.`]
}
