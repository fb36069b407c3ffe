/**
 * Plays recorded tapes into a simulated market: one loop over the tapes' rows and the event queue, in the order of time.
 *
 * At one moment recorded trades come first, then what is in the queue. All is synchronous but the reading of blocks and, when the
 * watcher asks for it, a turn of the event loop after an event.
 */
import { invariant } from '../../domain/errors.ts'
import type { TapeRun } from '../../tape/merge.ts'
import { SIDE_SELL, SIDE_UNKNOWN, type TapeBlock } from '../../tape/tape.ts'
import type { TickRule } from '../../tape/tick-rule.ts'
import type { EventQueue } from '../event-queue.ts'
import type { GapDetector } from './gap-detector.ts'
import type { RecordedMarket } from '../recorded-market.ts'
import type { SimulatedMarkets } from '../simulated-markets.ts'

/** Watches a replay from outside. */
export interface ReplayWatcher {
  /** True when the replay is to end before the tapes do. */
  stopped(): boolean
  /** Called around each stretch that runs without a pause. */
  enter(): void
  leave(): void
  /** When true after an event, the replay waits for `turn()`. */
  wantsTurn(): boolean
  turn(): Promise<void>
  /** Something is missing from the tape of a market before the trade that comes next. */
  onGap(symbol: string, time: number): void
  /** `rows` recorded trades were played in all. */
  onProgress(rows: number, time: number): void
}

/** Hears of the recorded trades of one market, each before it is played. */
export interface RecordedListener {
  /** @param candleTime  opening time of the candle that it was made of; undefined for one that was recorded as a trade */
  onRecorded(time: number, price: number, qty: number, isBuyerMaker: boolean, candleTime: number | undefined): void
}

/** Where the rows of a tape go. Tapes of one market share all of it. */
export interface TapeChannel {
  readonly symbol: string
  readonly tickRule: TickRule
  readonly gapDetector: GapDetector
  readonly listener: RecordedListener
}

/** A channel with its market, looked up once. */
interface OpenChannel extends TapeChannel {
  readonly market: RecordedMarket
}

const PROGRESS_ROWS = 4096

export class Replay {
  readonly #queue: EventQueue
  readonly #channels: readonly OpenChannel[]
  readonly #watcher: ReplayWatcher
  #rows = 0

  /** @param channels  one for each tape */
  constructor(simulated: SimulatedMarkets, channels: readonly TapeChannel[], watcher: ReplayWatcher) {
    this.#queue = simulated.queue
    this.#channels = channels.map((channel) => ({ ...channel, market: simulated.market(channel.symbol) }))
    this.#watcher = watcher
  }

  /**
   * Plays every run, then what is in the queue up to `end`.
   *
   * @param stretches  of runs; between two of them the replay waits for the tapes
   * @param end        Unix milliseconds; what would happen later does not
   */
  async play(stretches: AsyncIterable<Iterable<TapeRun>>, end: number): Promise<void> {
    for await (const runs of stretches) {
      await this.#playStretch(new RowPosition(runs))
      if (this.#watcher.stopped()) return
    }
    while (this.#queue.nextTime <= end && !this.#watcher.stopped()) {
      this.#together(() => {
        this.#runQueue(end)
      })
      await this.#pause()
    }
    this.#watcher.onProgress(this.#rows, end)
  }

  /** Lets what is in the queue up to `end` happen, without a pause. */
  drain(end: number): void {
    this.#together(() => {
      while (this.#queue.nextTime <= end) this.#queue.runNext()
    })
  }

  async #playStretch(position: RowPosition): Promise<void> {
    while (position.run !== undefined && !this.#watcher.stopped()) {
      this.#together(() => {
        this.#playUntilPause(position)
      })
      await this.#pause()
    }
  }

  /** Runs a stretch that has no pause in it. */
  #together(stretch: () => void): void {
    this.#watcher.enter()
    try {
      stretch()
    } finally {
      this.#watcher.leave()
    }
  }

  async #pause(): Promise<void> {
    if (this.#watcher.wantsTurn()) await this.#watcher.turn()
  }

  #playUntilPause(position: RowPosition): void {
    for (let { run } = position; run !== undefined; run = position.run) {
      position.moveTo(this.#playRows(run, position.row))
      if (this.#isPaused()) return
    }
  }

  /** Plays rows from `first` on, with what is due before them. Returns the row to go on with. */
  #playRows({ tape, block, end }: TapeRun, first: number): number {
    const queue = this.#queue
    const channel = this.#channels[tape]
    invariant(channel !== undefined, 'a tape has a channel')
    const ids = block.ids instanceof Float64Array ? block.ids : undefined
    let row = first
    while (row < end) {
      const time = block.time[row] ?? Number.NaN
      if (queue.nextTime < time) queue.runNext()
      else {
        const isGap = channel.gapDetector.next(tape, time, ids === undefined ? Number.NaN : (ids[row] ?? Number.NaN))
        if (isGap) this.#gap(channel, time)
        this.#record(channel, block, row, time)
        row += 1
      }
      if (this.#isPaused()) break
    }
    return row
  }

  #runQueue(end: number): void {
    while (this.#queue.nextTime <= end) {
      this.#queue.runNext()
      if (this.#isPaused()) return
    }
  }

  #isPaused(): boolean {
    return this.#watcher.wantsTurn() || this.#watcher.stopped()
  }

  #record({ tickRule, listener, market }: OpenChannel, block: TapeBlock, row: number, time: number): void {
    const price = block.price[row]
    const qty = block.qty[row]
    invariant(price !== undefined && qty !== undefined, 'a row is in its block')
    const isBuyerMaker = tickRule.next(price, block.side[row] ?? SIDE_UNKNOWN) === SIDE_SELL
    const candleTime = block.candleTime?.[row]
    listener.onRecorded(time, price, qty, isBuyerMaker, candleTime)
    market.record(time, price, qty, isBuyerMaker, candleTime)
    this.#rows += 1
    if (this.#rows % PROGRESS_ROWS === 0) this.#watcher.onProgress(this.#rows, time)
  }

  #gap({ market, symbol }: OpenChannel, time: number): void {
    market.crowd.gap()
    this.#watcher.onGap(symbol, time)
  }
}

/** Where in a stretch of runs the replay is: `run` is undefined at its end. */
class RowPosition {
  run: TapeRun | undefined
  row = 0
  readonly #runs: Iterator<TapeRun>

  constructor(runs: Iterable<TapeRun>) {
    this.#runs = runs[Symbol.iterator]()
    this.#next()
  }

  /** Goes on to a row of the run, or to the next run after its last one. */
  moveTo(row: number): void {
    this.row = row
    if (row === this.run?.end) this.#next()
  }

  #next(): void {
    const next = this.#runs.next()
    this.run = next.done === true ? undefined : next.value
    this.row = this.run?.start ?? 0
  }
}
