/**
 * Tapes on one line: `100 101x2 - 99 (98 97) 1m 99.5`.
 *
 * Each word is one time step. A price is a trade, with its quantity after it as `x2`, and its aggressor before it as
 * `b` (buyer) or `s` (seller). `-` is a step without a trade; parentheses group trades at one moment; a length such as
 * `1m` passes without a trade. A candle is its close, or `open/high/low/close`, and takes one interval.
 */
import { InputError } from '../../domain/errors.ts'
import type { TestCandle, TestTrade } from './tape-rows.ts'

/** 2024-01-01T00:00:00Z. */
export const START = 1_704_067_200_000

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const WORD = /\(|\)|[^\s()]+/g
const NUMBER = String.raw`\d+(?:\.\d+)?`
const TRADE = new RegExp(`^([bs]?)(${NUMBER})(?:x(${NUMBER}))?$`)
const CANDLE = new RegExp(`^(${NUMBER})(?:/(${NUMBER})/(${NUMBER})/(${NUMBER}))?(?:x(${NUMBER}))?$`)
const LENGTH = /^(\d+)(ms|s|m|h|d)$/

/** Times of a tape that is written on one line. */
export interface TapeTextOptions {
  /** Time of the first entry, Unix milliseconds; default: 2024-01-01T00:00:00Z. */
  readonly start?: number
  /** Milliseconds from one entry to the next; default: 1000 for trades, 60000 for candles. */
  readonly stepMs?: number
}

/**
 * Trades from a text such as `100 101x2 - b99 (98 97) 1m 99.5`.
 *
 * @throws {InputError} naming the word that cannot be read
 */
export function tradesOf(text: string, { start = START, stepMs = 1_000 }: TapeTextOptions = {}): readonly TestTrade[] {
  const trades: TestTrade[] = []
  let time = start
  let isTogether = false
  for (const [word] of text.matchAll(WORD)) {
    if (word === '(' || word === ')') {
      if ((word === '(') === isTogether) throw new InputError('tape', `unexpected '${word}' in '${text}'`)
      isTogether = word === '('
      if (!isTogether) time += stepMs
      continue
    }
    const pause = pauseOf(word, stepMs)
    if (pause === undefined) trades.push(tradeOf(word, time))
    if (!isTogether) time += pause ?? stepMs
  }
  if (isTogether) throw new InputError('tape', `expected ) behind ( in '${text}'`)
  return trades
}

/**
 * Candles from a text of closes such as `100 101 - 99`, or of `open/high/low/close`. A candle with only a
 * close opens at the previous close.
 *
 * @throws {InputError} naming the word that cannot be read
 */
export function candlesOf(
  text: string,
  { start = START, stepMs = 60_000 }: TapeTextOptions = {},
): readonly TestCandle[] {
  const candles: TestCandle[] = []
  let time = start
  for (const [word] of text.matchAll(WORD)) {
    const pause = pauseOf(word, stepMs)
    if (pause === undefined) candles.push(candleOf(word, time, candles.at(-1)?.close))
    time += pause ?? stepMs
  }
  return candles
}

/** Milliseconds without a trade; undefined for a row. */
function pauseOf(word: string, stepMs: number): number | undefined {
  if (word === '-') return stepMs
  const [, count, unit] = LENGTH.exec(word) ?? []
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

function tradeOf(word: string, time: number): TestTrade {
  const [, side, price, qty] = TRADE.exec(word) ?? []
  if (price === undefined) {
    throw new InputError('tape', `expected a price such as 100, 100x2 or b100, - or a length such as 1m, got '${word}'`)
  }
  return {
    time,
    price,
    ...(qty !== undefined && { qty }),
    ...(side !== '' && { side: side === 'b' ? ('BUY' as const) : ('SELL' as const) }),
  }
}

function candleOf(word: string, time: number, before: string | undefined): TestCandle {
  const [, first, high, low, last, volume] = CANDLE.exec(word) ?? []
  if (first === undefined) {
    throw new InputError('tape', `expected a close such as 100, or 100/105/98/101, - or a length, got '${word}'`)
  }
  const more = volume === undefined ? {} : { volume }
  if (high !== undefined && low !== undefined && last !== undefined) {
    return { time, open: first, high, low, close: last, ...more }
  }
  const open = before ?? first
  const isUp = Number(first) >= Number(open)
  return { time, open, high: isUp ? first : open, low: isUp ? open : first, close: first, ...more }
}
