/**
 * Replay of a market recorded as candles: things happen only at the open and at the end of a candle.
 *
 * Order of events at one moment: fills of the candle that ends, its publication, timers and the orders they send, then
 * the open: cancels, conditional and resting orders that the open has passed, new orders as they were sent.
 * Invariant: a request sent in answer to a candle, or to the result of an open, is played at a later open than any it
 * knows of.
 */
import type { Candle } from '../../domain/candle.ts'
import { closeTimeOf, type CandleLength } from '../../domain/candle-length.ts'
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { InputError, invariant } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import type { Exchange, MarketAccess } from '../../exchange/exchange.ts'
import { EVENT_KIND, type EventQueue } from '../event-queue.ts'
import { CandleOrders } from './candle-orders.ts'
import type { CandleOpens } from './candle-opens.ts'
import { CandlePublisher } from './candle-publisher.ts'
import type { CandleTerms } from './candle-terms.ts'
import { CandleRoom, type RecordedCandle } from './recorded-candle.ts'

/** A request that is on its way to the next open. */
export interface WaitingRequest {
  /** Unix milliseconds: the first open from then on is its own. */
  readonly from: number
  readonly isCancel: boolean
  /** Executes it, at the present time. */
  readonly act: () => void
  /** Called if no further open comes. */
  readonly expire: () => void
}

/** Waits for an open that were longer than two candles. */
export interface LongWaits {
  readonly count: number
  /** Milliseconds. */
  readonly longestMs: number
}

/**
 * When a conditional order may act inside a candle: before the open fills anything, before the completed candle fills
 * anything, and after all its fills.
 */
export type CandleStage = 'open' | 'body' | 'ended'

/** Acts inside candles, synchronously. The candle object is reused after the call. */
export type CandleActor = (stage: CandleStage, candle: RecordedCandle) => void

/** Listener of a market recorded as candles. The candle object is valid during the call only. */
export interface CandleListener {
  /** Called before the open does anything. */
  onOpen(candle: Pick<RecordedCandle, 'time' | 'open'>): void
  /** Called before a completed candle fills anything. */
  onCandle(candle: RecordedCandle, endsAt: number): void
}

export interface CandleMarketParts {
  readonly exchange: Exchange
  readonly symbol: string
  readonly queue: EventQueue
  readonly opens: CandleOpens
  readonly terms: CandleTerms
  /** Emits the events of the market. */
  readonly report: (events: readonly ExchangeEvent[]) => void
  /** Called after the fills of a candle's end were emitted. */
  readonly onEnd: () => void
  /** The market data changed. */
  readonly onChange: (time: number) => void
}

const LONG_WAIT_CANDLES = 2
const NONE: readonly WaitingRequest[] = []

export class CandleMarket {
  readonly orders: CandleOrders
  readonly listeners: CandleListener[] = []
  readonly actors: CandleActor[] = []
  readonly intervalMs: number
  readonly isAligned: boolean
  /** Candles have no common length: each closes when the next one opens. */
  readonly closesAtNext: boolean
  readonly zone: string | undefined
  readonly #parts: CandleMarketParts
  readonly #book: MarketAccess
  readonly #publisher: CandlePublisher
  #waiting: WaitingRequest[] = []
  #endsAt = Number.NEGATIVE_INFINITY
  #longWaits: LongWaits = { count: 0, longestMs: 0 }
  #isEnding = false
  /** The candle that was read and not yet opened, and the one that was opened and is not yet over. */
  #next: CandleRoom | undefined
  #running: CandleRoom | undefined
  /** Room of a completed candle, for reuse. */
  #spare: CandleRoom | undefined

  constructor(parts: CandleMarketParts) {
    const { exchange, symbol, queue, terms } = parts
    this.#parts = parts
    this.intervalMs = terms.intervalMs
    this.isAligned = terms.isAligned
    this.closesAtNext = terms.closesAtNext === true
    this.zone = terms.zone
    this.#book = exchange.market(symbol)
    this.#publisher = new CandlePublisher(queue, exchange, symbol, terms.intervalMs)
    this.orders = new CandleOrders(exchange, symbol, terms)
  }

  /** Open of the running candle, in ticks; undefined between two candles. */
  get open(): number | undefined {
    return this.#running?.open
  }

  /** Unix milliseconds; undefined between two candles. */
  get openedAt(): number | undefined {
    return this.#running?.time
  }

  /** Closing time of the running candle in Unix milliseconds, if it is awaited; otherwise undefined. */
  closeOfAwaited(isAwaited: (openTime: number) => boolean): number | undefined {
    const candle = this.#running
    return candle !== undefined && isAwaited(candle.time) ? candle.end : undefined
  }

  /** True while the fills of a candle's end are emitted: listeners receive them before the candle. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  get longWaits(): LongWaits {
    return this.#longWaits
  }

  /** Candles that somebody watches and that are not over yet. */
  get runningCandles(): number {
    return this.#publisher.running(this.#endsAt > this.#parts.queue.now())
  }

  /** Calls `onClose` at the end of every candle. @param interval  that of the tape, or a listed multiple of it */
  watch(interval: CandleLength, onClose: (candle: Candle) => void): void {
    this.#publisher.watch(interval, onClose)
  }

  /** Closing time of a candle that has a fixed length. @param openTime  Unix milliseconds */
  closeOf(openTime: number): number {
    return closeTimeOf(openTime, this.intervalMs)
  }

  /** Lets a request wait for the first open from its time on that was not played yet. */
  submit(request: WaitingRequest): void {
    this.#waiting.push(request)
  }

  /**
   * Plays a candle of the tape at its time. It is copied.
   *
   * @param file    of the tape, as named by the user
   * @param endsAt  its closing time, Unix milliseconds
   * @throws {InputError} when it begins before the previous one has ended
   */
  record(candle: RecordedCandle, file: string, endsAt = this.closeOf(candle.time)): void {
    const { queue, opens, symbol } = this.#parts
    const { time } = candle
    if (time < this.#endsAt) {
      const ends = `where that of ${symbol} before it ends`
      const expected = `expected a candle from ${isoTime(this.#endsAt)} on, ${ends}, got one at ${isoTime(time)}`
      throw new InputError(file, expected)
    }
    if (candle.volume === 0) return
    this.#endsAt = endsAt
    const next = this.#spare ?? new CandleRoom()
    this.#spare = undefined
    next.write(candle, endsAt)
    this.#next = next
    opens.add(time, this.#onOpen)
    queue.enter(this.#endsAt, EVENT_KIND.candle, this.#onEnd)
  }

  /** Expires waiting requests: there are no more candles, so they have no open. */
  expire(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { expire } of waiting) expire()
  }

  // Shared by all candles: one candle's open happens before the next row is read, and its end before the next open.
  readonly #onOpen = (): void => {
    const candle = this.#next
    invariant(candle !== undefined, 'a candle opens once')
    this.#running = candle
    this.#next = undefined
    this.#open(candle)
  }

  readonly #onEnd = (): void => {
    const candle = this.#running
    invariant(candle !== undefined, 'a candle ends once')
    this.#running = undefined
    this.#end(candle)
    this.#spare = candle
  }

  #open(candle: RecordedCandle): void {
    this.orders.begin(candle)
    const arrived = this.#arrivedUntil(candle.time)
    for (const { isCancel, act } of arrived) if (isCancel) act()
    for (const listener of this.listeners) listener.onOpen(candle)
    this.#letAct('open', candle)
    this.#parts.report(this.orders.open(candle))
    for (const { isCancel, act } of arrived) if (!isCancel) act()
  }

  #letAct(stage: CandleStage, candle: RecordedCandle): void {
    for (const act of this.actors) act(stage, candle)
  }

  #arrivedUntil(time: number): readonly WaitingRequest[] {
    // Never the list itself, to which what the open does may add.
    if (this.#waiting.length === 0) return NONE
    const arrived = this.#waiting.filter(({ from }) => from <= time)
    this.#waiting = this.#waiting.filter(({ from }) => from > time)
    for (const { from } of arrived) this.#noteWait(time - from)
    return arrived
  }

  #noteWait(waitedMs: number): void {
    if (waitedMs <= LONG_WAIT_CANDLES * this.intervalMs) return
    const { count, longestMs } = this.#longWaits
    this.#longWaits = { count: count + 1, longestMs: Math.max(longestMs, waitedMs) }
  }

  #end(candle: CandleRoom): void {
    const endsAt = candle.end
    for (const listener of this.listeners) listener.onCandle(candle, endsAt)
    this.#book.enterCandle(endsAt - 1, candle.open, candle.high, candle.low, candle.close, candle.volume)
    this.#isEnding = true
    this.#letAct('body', candle)
    this.#parts.report(this.orders.fill(candle, endsAt))
    this.#parts.onEnd()
    if (this.actors.length > 0) {
      this.#letAct('ended', candle)
      this.#parts.onEnd()
    }
    this.#isEnding = false
    this.orders.end(candle, endsAt)
    this.#publisher.publish(candle)
    this.#parts.onChange(endsAt)
  }
}
