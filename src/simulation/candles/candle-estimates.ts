/**
 * Estimates for a market recorded as candles: its spread, and its price range as a function of volume.
 *
 * Learns only from complete past candles. Everything is computed lazily, since most candles meet no order. Calibrated
 * on candles whose trades are known; the constants were verified at five seconds and one minute only.
 */
import { DAY_MS } from '../../domain/time.ts'
import { edgeSpread } from './edge-spread.ts'
import { CandleRoom, type RecordedCandle } from './recorded-candle.ts'

/** Candles remembered, and the minimum for a spread estimate. */
const MEMORY = 100
const MIN_CANDLES = 20
/** Candles over which range and volume are meant. */
const RECENT = 20
/** Minimum of a spread estimate, in its standard errors above zero. */
const BELIEVED_FROM = 2
/** Upper limit of the jump for candles of a day or more: the range divided by this. */
const DAILY_JUMP_PART = 50

/** Estimates at one moment. */
export interface CandleFigures {
  /** Ticks from a price to the better side of a taker's: half the spread, rounded up, 1 or more. */
  readonly halfSpread: number
  /** Mean range in ticks, and mean volume in lots, of the last candles. */
  readonly range: number
  readonly volume: number
  /** Usual jump from a close to the next open, in ticks; no integer. */
  readonly jump: number
}

export class CandleEstimates {
  readonly #intervalMs: number
  readonly #givenSpread: number | undefined
  /** Oldest first, at most twice as many as are remembered. */
  readonly #candles: CandleRoom[] = []
  /** Rooms of forgotten candles, for reuse. */
  #spare: CandleRoom[] = []
  #figures: CandleFigures | undefined
  #areFiguresNew = false
  #isSpreadGuessed = false

  /**
   * @param intervalMs   length of a candle
   * @param givenSpread  ticks; undefined to learn it
   */
  constructor(intervalMs: number, givenSpread: number | undefined) {
    this.#intervalMs = intervalMs
    this.#givenSpread = givenSpread
  }

  /** Undefined before the first candle. */
  get figures(): CandleFigures | undefined {
    if (!this.#areFiguresNew && this.#candles.length > 0) this.#figures = this.#reckon()
    this.#areFiguresNew = true
    return this.#figures
  }

  /** True when a spread was requested but neither given nor estimable: one tick was assumed. */
  get isSpreadGuessed(): boolean {
    return this.#isSpreadGuessed
  }

  /** @param endsAt  when the candle closed, Unix milliseconds */
  learn(candle: RecordedCandle, endsAt = candle.time + this.#intervalMs): void {
    const room = this.#spare.pop() ?? new CandleRoom()
    room.write(candle, endsAt)
    this.#candles.push(room)
    this.#areFiguresNew = false
    if (this.#candles.length === 2 * MEMORY) this.#spare = this.#candles.splice(0, MEMORY)
  }

  #reckon(): CandleFigures {
    const known = this.#candles.slice(-MEMORY)
    const recent = known.slice(-RECENT)
    const range = meanOf(recent, ({ high, low }) => high - low)
    const jump = usualJump(known)
    return {
      halfSpread: Math.ceil(this.#spread(known) / 2),
      range,
      volume: meanOf(recent, ({ volume }) => volume),
      jump: this.#intervalMs >= DAY_MS ? Math.min(jump, range / DAILY_JUMP_PART) : jump,
    }
  }

  #spread(known: readonly RecordedCandle[]): number {
    if (this.#givenSpread !== undefined) return this.#givenSpread
    const edge = known.length < MIN_CANDLES ? undefined : edgeSpread(known)
    if (edge !== undefined && edge.t > BELIEVED_FROM) return Math.max(1, edge.ticks)
    this.#isSpreadGuessed = true
    return 1
  }
}

const meanOf = (candles: readonly RecordedCandle[], figure: (candle: RecordedCandle) => number): number =>
  candles.reduce((sum, candle) => sum + figure(candle), 0) / candles.length

/** Volume-weighted jump: the jump in which an average tick of jumping occurred; 0 when no two candles adjoin. */
function usualJump(candles: readonly CandleRoom[]): number {
  let [sum, squares] = [0, 0]
  let before: CandleRoom | undefined
  for (const candle of candles) {
    if (before?.end === candle.time) {
      const jump = Math.abs(candle.open - before.close)
      sum += jump
      squares += jump * jump
    }
    before = candle
  }
  return sum === 0 ? 0 : squares / sum
}
