/**
 * Plays recorded tapes into a simulated market: one loop over the tapes' rows and the event queue, in the order of time.
 *
 * At one moment recorded trades come first, then what is in the queue. All is synchronous but the reading of blocks and, when the
 * watcher asks for it, a turn of the event loop after an event.
 */
import { invariant } from '../domain/errors.ts'
import type { TapeRun } from '../tape/merge.ts'
import { SIDE_SELL, SIDE_UNKNOWN, type TapeBlock } from '../tape/tape.ts'
import type { TickRule } from '../tape/tick-rule.ts'
import type { GapDetector } from './gap-detector.ts'
import type { RecordedTrade } from './liquidity/liquidity-model.ts'
import type { SimulatedMarket } from './simulated-market.ts'

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
  /** A recorded trade of a market is about to be played. */
  onRecorded(symbol: string, trade: RecordedTrade): void
  /** Something is missing from the tape of a market before the trade that comes next. */
  onGap(symbol: string, time: number): void
  /** `rows` recorded trades were played in all. */
  onProgress(rows: number, time: number): void
}

/** Where the rows of a tape go. Tapes of one market share the rule and the detector. */
export interface TapeChannel {
  readonly symbol: string
  readonly tickRule: TickRule
  readonly gapDetector: GapDetector
}

const PROGRESS_ROWS = 4096

export class Replay {
  readonly #market: SimulatedMarket
  readonly #channels: readonly TapeChannel[]
  readonly #watcher: ReplayWatcher
  #rows = 0

  /** @param channels  one for each tape */
  constructor(market: SimulatedMarket, channels: readonly TapeChannel[], watcher: ReplayWatcher) {
    this.#market = market
    this.#channels = channels
    this.#watcher = watcher
  }

  /**
   * Plays every run, then what is in the queue up to `end`.
   *
   * @param end  Unix milliseconds; what would happen later does not
   */
  async play(runs: AsyncIterable<TapeRun>, end: number): Promise<void> {
    for await (const run of runs) {
      for (let row = run.start; row < run.end && !this.#watcher.stopped();) {
        row = this.#together(() => this.#playRows(run, row))
        await this.#pause()
      }
      if (this.#watcher.stopped()) return
    }
    while (this.#market.queue.nextTime <= end && !this.#watcher.stopped()) {
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
      while (this.#market.queue.nextTime <= end) this.#market.queue.runNext()
    })
  }

  /** Runs a stretch that has no pause in it. */
  #together<T>(stretch: () => T): T {
    this.#watcher.enter()
    try {
      return stretch()
    } finally {
      this.#watcher.leave()
    }
  }

  async #pause(): Promise<void> {
    if (this.#watcher.wantsTurn()) await this.#watcher.turn()
  }

  /** Plays rows from `first` on, with what is due before them. Returns the row to go on with. */
  #playRows({ tape, block, end }: TapeRun, first: number): number {
    const watcher = this.#watcher
    const { queue } = this.#market
    let row = first
    while (row < end) {
      const time = block.time[row] ?? 0
      if (queue.nextTime < time) queue.runNext()
      else {
        this.#record(tape, block, row, time)
        row += 1
      }
      if (watcher.wantsTurn() || watcher.stopped()) break
    }
    return row
  }

  #runQueue(end: number): void {
    const { queue } = this.#market
    while (queue.nextTime <= end) {
      queue.runNext()
      if (this.#watcher.wantsTurn() || this.#watcher.stopped()) return
    }
  }

  #record(tape: number, block: TapeBlock, row: number, time: number): void {
    const channel = this.#channels[tape]
    const price = block.price[row]
    const qty = block.qty[row]
    invariant(channel !== undefined && price !== undefined && qty !== undefined, 'a row is in its block and its tape')
    const { symbol, tickRule, gapDetector } = channel
    if (gapDetector.next(tape, time, integerId(block, row))) this.#gap(symbol, time)
    const isBuyerMaker = tickRule.next(price, block.side[row] ?? SIDE_UNKNOWN) === SIDE_SELL
    const candleTime = block.candleTime?.[row]
    const trade =
      candleTime === undefined ? { time, price, qty, isBuyerMaker } : { time, price, qty, isBuyerMaker, candleTime }
    this.#watcher.onRecorded(symbol, trade)
    this.#market.record(symbol, trade)
    this.#rows += 1
    if (this.#rows % PROGRESS_ROWS === 0) this.#watcher.onProgress(this.#rows, time)
  }

  #gap(symbol: string, time: number): void {
    this.#market.gap(symbol)
    this.#watcher.onGap(symbol, time)
  }
}

const integerId = ({ ids }: TapeBlock, row: number): number | undefined =>
  ids instanceof Float64Array ? ids[row] : undefined
