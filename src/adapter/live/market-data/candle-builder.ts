/**
 * Builds the candles of one market and interval from its trades and emits each once, when it is closed.
 *
 * A candle closes when a trade after its end arrives (before that trade is emitted), or `closeAfterMs` after its end. A
 * trade exactly at its end is emitted before the candle, as in a backtest. A candle with missing trades (it began
 * before the subscription, or has a gap) is read from the service; if the service does not serve its interval, it is
 * aggregated from its newest trades, or skipped if those do not reach back.
 *
 * Invariant: candles are emitted in the order of their times.
 * Known limitation: a trade that arrives after its candle was emitted is not included; it is counted and reported as a
 * warning.
 */
import { ALL_CANDLE_INTERVALS, type Candle, type CandleInterval, candleOpenTime } from '../../../domain/candle.ts'
import { type Clock, isoTime } from '../../../domain/time.ts'
import { RunningCandle } from '../../../exchange/statistics/running-candle.ts'
import type { WireTrade } from '../../../wire/wire-trade.ts'
import { LATE_MS, type LiveTime, type LiveTimer } from '../live-time.ts'
import {
  type CandleRange,
  type CandleReads,
  candlesOf,
  isServed,
  MAX_CANDLES,
  readCandleRange,
} from './candle-repair.ts'
import type { GapKind } from './trade-sequence.ts'

interface Slot {
  /** Undefined until they are known. */
  candles: readonly Candle[] | undefined
  readonly then?: () => void
}

/**
 * Ordered delivery of candles: known ones immediately, those that must be read first in their place.
 *
 * Actions to run after a delivery keep their place in the queue.
 */
class CandleSlots {
  readonly #onCandle: (candle: Candle) => void
  #slots: Slot[] = []

  constructor(onCandle: (candle: Candle) => void) {
    this.#onCandle = onCandle
  }

  add(candle: Candle): void {
    if (this.#slots.length === 0) this.#onCandle(candle)
    else this.#slots.push({ candles: [candle] })
  }

  /** Reserves a place for candles that are not known yet. @returns fills it, once */
  reserve(): (candles: readonly Candle[]) => void {
    const slot: Slot = { candles: undefined }
    this.#slots.push(slot)
    return (candles) => {
      slot.candles = candles
      this.#drain()
    }
  }

  /** Runs `action` once everything queued by now was emitted. */
  after(action: () => void): void {
    if (this.#slots.length === 0) action()
    else this.#slots.push({ candles: [], then: action })
  }

  #drain(): void {
    for (;;) {
      const [{ candles, then } = {}] = this.#slots
      if (candles === undefined) return
      for (const candle of candles) this.#onCandle(candle)
      then?.()
      // Removed only now: emitting may queue more.
      this.#slots.shift()
    }
  }
}

/** Closed candles kept for `history`. */
const MAX_HISTORY = 500
const MAX_TRIES = 5
const FIRST_RETRY_MS = 1_000

export interface CandleBuilderOptions {
  readonly symbol: string
  readonly interval: CandleInterval
  readonly closeAfterMs: number
  readonly time: LiveTime
  /** The exchange's clock. */
  readonly clock: Clock
  readonly reads: CandleReads
  /** Calls an action once every trade that has happened by now was emitted. */
  readonly whenWhole: (action: () => void) => void
  readonly onCandle: (candle: Candle) => void
  readonly onWarning: (message: string) => void
}

interface EarlierCandles {
  /** Unix milliseconds. */
  readonly since: number
  readonly candles: readonly Candle[]
}

interface AwaitedEnd {
  readonly time: number
  readonly action: () => void
}

export class CandleBuilder {
  readonly #options: CandleBuilderOptions
  readonly #intervalMs: number
  readonly #slots: CandleSlots
  #running = new RunningCandle()
  /** Closed candle that has also received a trade exactly at its end. */
  #sealed = new RunningCandle()
  /** End of the newest closed candle that was emitted or is about to be. */
  #reportedTo = Number.NEGATIVE_INFINITY
  /** End of the newest candle that was closed at the beginning. */
  #beganAt = Number.NEGATIVE_INFINITY
  /** Time range of candles that may lack trades. */
  #doubt: CandleRange | undefined
  #timer: LiveTimer | undefined
  /** Awaited ends of candles, earliest first. */
  #awaited: readonly AwaitedEnd[] = []
  #history: readonly Candle[] = []
  /** Candles from before the beginning. */
  #earlier: EarlierCandles = { since: Number.POSITIVE_INFINITY, candles: [] }
  #late = 0
  #isClosed = false

  constructor(options: CandleBuilderOptions) {
    this.#options = options
    this.#intervalMs = ALL_CANDLE_INTERVALS[options.interval]
    this.#slots = new CandleSlots((candle) => {
      this.#history = [...this.#history.slice(1 - MAX_HISTORY), candle]
      options.onCandle(candle)
    })
  }

  /** Closed candles, oldest first: those from before the beginning, and those emitted since. */
  get history(): readonly Candle[] {
    return this.#history
  }

  /** Candles from before the beginning, oldest first: every one from `since` on. */
  get earlier(): EarlierCandles {
    return this.#earlier
  }

  /** Trades that arrived after their candle was emitted. */
  get late(): number {
    return this.#late
  }

  /**
   * Takes the trades from before the beginning. Call once.
   * @param trades  oldest first
   * @param after   all trades later than this are included
   */
  begin(trades: readonly WireTrade[], after: number): void {
    const { symbol, interval, clock, closeAfterMs } = this.#options
    for (const trade of trades) this.#add(trade)
    this.#sealed.isEmpty = true
    if (this.#running.isEmpty) return
    const { time } = this.#running
    const end = time + this.#intervalMs
    const isOver = end + closeAfterMs <= clock.now()
    const earlier = candlesOf(trades, symbol, interval).filter((candle) => isOver || candle.time < time)
    this.#history = earlier.filter((candle) => candle.time > after).slice(-MAX_HISTORY)
    this.#earlier = { since: candleOpenTime(after, this.#intervalMs) + this.#intervalMs, candles: this.#history }
    this.#reportedTo = this.#beganAt = isOver ? end : time
    if (isOver) this.#running.isEmpty = true
    else if (time <= after) this.#doubt = { from: time, to: time }
    if (!isOver) this.#closeLater()
  }

  /**
   * Reads the candles from before the beginning; for an interval that is not served, only those of known trades.
   * @param count  requested number; the service has its own maximum
   */
  async loadHistory(count = MAX_HISTORY): Promise<void> {
    const { symbol, interval, reads } = this.#options
    if (!isServed(interval)) return
    // The running one is included.
    const limit = Math.min(MAX_CANDLES, count + 1)
    const read = await reads.candles(symbol, interval, limit)
    const known = new Set(this.#history.map(({ time }) => time))
    // The last one may still be running; candles that closed since the beginning are emitted separately.
    const before = read.filter(({ time }) => !known.has(time) && time + this.#intervalMs <= this.#beganAt)
    const all = [...before, ...this.#history].sort((one, other) => one.time - other.time)
    this.#history = all.slice(-MAX_HISTORY)
    const since = read.length < limit ? Number.NEGATIVE_INFINITY : (read[0]?.time ?? Number.NEGATIVE_INFINITY)
    this.#earlier = { since, candles: all.filter((candle) => candle.time < this.#beganAt) }
  }

  /** Emits the candles that a trade of this time closes. Call before that trade is emitted. */
  closeBefore(createdAt: number): void {
    if (!this.#sealed.isEmpty && createdAt > this.#endOf(this.#sealed)) this.#close(this.#sealed)
    if (!this.#running.isEmpty && createdAt > this.#endOf(this.#running)) this.#close(this.#running)
    if (this.#awaited.length > 0) this.#settleTo(createdAt - 1)
  }

  /**
   * Calls `action` once the candles that closed by `time` were emitted, before any later trade; never within this call.
   */
  afterEnd(time: number, action: () => void): void {
    const earlier = this.#awaited.filter((awaited) => awaited.time <= time)
    this.#awaited = [...earlier, { time, action }, ...this.#awaited.slice(earlier.length)]
    this.#settleLater(time)
  }

  /** Adds a trade that was emitted. */
  trade(trade: WireTrade): void {
    const { symbol, interval, onWarning } = this.#options
    const time = candleOpenTime(trade.createdAt, this.#intervalMs)
    if (time < this.#reportedTo || (!this.#running.isEmpty && time < this.#running.time)) {
      this.#late += 1
      onWarning(
        `${symbol}: a trade arrived after its ${interval} candle of ${isoTime(time)} was emitted, which does not include it`,
      )
      return
    }
    const isNew = this.#running.isEmpty || time !== this.#running.time
    this.#add(trade)
    if (!isNew) return
    if (this.#sealed.isEmpty) this.#readDoubtBefore(time)
    this.#closeLater()
  }

  /** Trades between these times are missing, or are not proven to be complete. */
  gap(from: number, to: number, kind: GapKind = 'missing'): void {
    // Reads of trades cannot show it, and the stream was in order: the seen trades are the best source.
    if (kind === 'unproven' && !isServed(this.#options.interval)) return
    const first = Math.max(candleOpenTime(from, this.#intervalMs), this.#reportedTo)
    const last = candleOpenTime(to, this.#intervalMs)
    if (last < first) {
      const { symbol, interval, onWarning } = this.#options
      onWarning(
        `${symbol}: trades are missing in the ${interval} candle of ${isoTime(last)}, which was already emitted`,
      )
      return
    }
    const { from: begin = first, to: end = last } = this.#doubt ?? {}
    this.#doubt = { from: Math.min(begin, first), to: Math.max(end, last) }
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
  }

  #endOf(candle: RunningCandle): number {
    return candle.time + this.#intervalMs
  }

  #add({ createdAt, price, qty }: WireTrade): void {
    const time = candleOpenTime(createdAt, this.#intervalMs)
    if (this.#running.isEmpty || time !== this.#running.time) {
      const sealed = this.#running
      this.#running = this.#sealed
      this.#sealed = sealed
      this.#running.begin(time, price)
    }
    this.#running.trade(price, qty)
  }

  #closeLater(): void {
    // The timer of a sealed candle keeps running.
    if (!this.#sealed.isEmpty) return
    const end = this.#endOf(this.#running)
    this.#timer?.cancel()
    this.#timer = this.#afterClose(end, () => {
      for (const candle of [this.#sealed, this.#running]) {
        if (!candle.isEmpty && this.#endOf(candle) === end) this.#close(candle)
      }
    })
  }

  #settleLater(end: number): void {
    this.#afterClose(end, () => {
      this.#settleTo(end)
    })
  }

  /** Calls `action` `closeAfterMs` after an end of candles, once every trade up to it was emitted. */
  #afterClose(end: number, action: () => void): LiveTimer {
    const { time, clock, closeAfterMs, whenWhole } = this.#options
    const left = (): number => end + closeAfterMs - clock.now()
    const wait = (delayMs: number): LiveTimer => {
      const due = time.monotonic() + delayMs
      return time.after(delayMs, () => {
        // After a blocked event loop the trades of that time are not read yet, and are read before the next timer.
        const isLate = time.monotonic() - due > LATE_MS
        if (isLate || left() > 0) timer = wait(Math.max(isLate ? closeAfterMs : 1, left()))
        else
          whenWhole(() => {
            if (!this.#isClosed) action()
          })
      })
    }
    let timer = wait(Math.max(0, left()))
    return {
      cancel: () => {
        timer.cancel()
      },
    }
  }

  /** Every trade of the candles that end by then was emitted. */
  #settleTo(time: number): void {
    const due = this.#awaited.filter((awaited) => awaited.time <= time)
    this.#awaited = this.#awaited.slice(due.length)
    for (const { time: end, action } of due) {
      for (const candle of [this.#sealed, this.#running]) {
        if (!candle.isEmpty && this.#endOf(candle) <= end) this.#close(candle)
      }
      this.#readDoubtBefore(end)
      this.#slots.after(action)
    }
  }

  /** Emits a closed candle, after those before it that had to be read. */
  #close(candle: RunningCandle): void {
    const { time } = candle
    const finished = candle.toCandle(this.#options.symbol)
    candle.isEmpty = true
    this.#reportedTo = time + this.#intervalMs
    this.#timer?.cancel()
    if (this.#doubt === undefined || this.#doubt.from > time) this.#slots.add(finished)
    else this.#readDoubtBefore(time + this.#intervalMs)
    if (!this.#running.isEmpty) this.#closeLater()
  }

  /** Reads the doubtful intervals before a time. */
  #readDoubtBefore(time: number): void {
    if (this.#doubt === undefined || this.#doubt.from >= time) return
    const { from, to } = this.#doubt
    this.#doubt = to >= time ? { from: time, to } : undefined
    const range = { from, to: Math.min(to, time - this.#intervalMs) }
    this.#repair(range, this.#slots.reserve(), 1)
  }

  #repair(range: CandleRange, fill: (candles: readonly Candle[]) => void, attempt: number): void {
    const { symbol, interval, reads, time, clock, onWarning } = this.#options
    const lacking = `${symbol}: ${interval} candles from ${isoTime(range.from)} to ${isoTime(range.to)} are left out`
    readCandleRange(reads, symbol, interval, range, clock.now()).then(
      ({ candles, isWhole }) => {
        time.enter(() => {
          if (this.#isClosed) return
          if (!isWhole) onWarning(`${lacking} where the service no longer has their data`)
          fill(candles)
        })
      },
      (error: unknown) => {
        time.enter(() => {
          if (this.#isClosed) return
          if (attempt < MAX_TRIES) {
            time.after(FIRST_RETRY_MS * 2 ** (attempt - 1), () => this.#repair(range, fill, attempt + 1))
            return
          }
          onWarning(`${lacking}: ${error instanceof Error ? error.message : String(error)}`)
          fill([])
        })
      },
    )
  }
}
