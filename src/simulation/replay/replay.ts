/**
 * Replays recorded tapes into a simulated market at full speed: one loop over rows and event queue in time order.
 *
 * Purpose: the loop of every backtest.
 * Invariants: at one moment recorded trades come first, then queued events in the order of the event queue. That order
 * depends on the rows and the settings alone, never on the speed of disk or machine.
 * Known limitation: one thread plays all markets of a run.
 * Complexity: constant per row between two queued events. Everything is synchronous except reading blocks and, if the
 * listener requests it, a turn of the event loop after an event.
 * Source: docs/architecture.md, how a recorded trade is processed and the order of events at one timestamp.
 */
import type { TapeRun } from '../../tape/merge.ts'
import type { PlayedBlock } from '../../tape/tape.ts'
import type { EventQueue } from '../event-queue.ts'
import type { SimulatedMarkets } from '../simulated-markets.ts'
import type { GapListener, TapeChannel } from './tape-channel.ts'
import { TapeCursor, type OpenRun } from './tape-cursor.ts'

/** Watches a replay from outside. */
export interface ReplayListener {
  /** True when the replay is to end before the tapes do. */
  stopped(): boolean
  /** Called around each stretch that runs without a pause. */
  enter(): void
  leave(): void
  /** Does such a stretch; without it, it is simply done. */
  readonly within?: ((stretch: () => void) => void) | undefined
  /** If true after an event, the replay awaits `turn()`. */
  wantsTurn(): boolean
  turn(): Promise<void>
  readonly onGap: GapListener
  /** `rows` rows of the tapes were played in all. */
  onProgress(rows: number, time: number): void
}

const PROGRESS_ROWS = 4096

export class Replay {
  readonly #simulated: SimulatedMarkets
  readonly #queue: EventQueue
  readonly #channels: readonly TapeChannel[]
  readonly #listener: ReplayListener
  #rows = 0
  /** Row count at which progress is reported next. */
  #reportedFrom = PROGRESS_ROWS

  /** @param channels  one for each tape */
  constructor(simulated: SimulatedMarkets, channels: readonly TapeChannel[], listener: ReplayListener) {
    this.#simulated = simulated
    this.#queue = simulated.queue
    this.#channels = channels
    this.#listener = listener
  }

  /**
   * Plays every run, then queued events up to `end`.
   *
   * @param stretches  of runs; between two of them the replay waits for the tapes
   * @param end        Unix milliseconds; later events do not happen
   */
  async play(stretches: AsyncIterable<Iterable<TapeRun<PlayedBlock>>>, end: number): Promise<void> {
    const listener = this.#listener
    const cursor = new TapeCursor(this.#simulated, { stretches, channels: this.#channels, onGap: listener.onGap })
    try {
      while (await cursor.read()) {
        await this.#playWhile(
          () => cursor.run !== undefined,
          () => this.#playRows(cursor),
        )
        if (listener.stopped()) return
      }
    } finally {
      await cursor.close()
    }
    await this.#playWhile(
      () => this.#queue.nextTime <= end,
      () => this.#runQueue(end),
    )
    listener.onProgress(this.#rows, end)
  }

  /** Runs queued events up to `end` without a pause. */
  drain(end: number): void {
    this.#together(() => {
      while (this.#queue.nextTime <= end) this.#queue.runNext()
    })
  }

  /** Runs stretches that have no pause in them, until nothing is left or the listener stops it. */
  async #playWhile(isLeft: () => boolean, stretch: () => void): Promise<void> {
    while (isLeft() && !this.#listener.stopped()) {
      this.#together(stretch)
      if (this.#listener.wantsTurn()) await this.#listener.turn()
    }
  }

  #together(stretch: () => void): void {
    const { within } = this.#listener
    this.#listener.enter()
    try {
      if (within === undefined) stretch()
      else within(stretch)
    } finally {
      this.#listener.leave()
    }
  }

  /** Plays the rows read so far, with the queued events due before each. */
  #playRows(cursor: TapeCursor): void {
    for (let { run } = cursor; run !== undefined; run = cursor.run) {
      cursor.moveTo(this.#playRun(cursor, run, cursor.row))
      if (this.#isPaused()) return
    }
  }

  /** Plays rows of a run from `first` on. Returns the row to go on with. */
  #playRun(cursor: TapeCursor, run: OpenRun, first: number): number {
    const queue = this.#queue
    let row = first
    while (row < run.end) {
      const time = cursor.timeOf(run, row)
      if (queue.nextTime < time) queue.runNext()
      else {
        const next = cursor.play(run, row, time, queue.nextTime)
        this.#rows += next - row
        row = next
        if (this.#rows >= this.#reportedFrom) this.#reportProgress(time)
      }
      if (this.#isPaused()) break
    }
    return row
  }

  #reportProgress(time: number): void {
    this.#reportedFrom = this.#rows + PROGRESS_ROWS
    this.#listener.onProgress(this.#rows, time)
  }

  #runQueue(end: number): void {
    while (this.#queue.nextTime <= end) {
      this.#queue.runNext()
      if (this.#isPaused()) return
    }
  }

  #isPaused(): boolean {
    return this.#listener.wantsTurn() || this.#listener.stopped()
  }
}
