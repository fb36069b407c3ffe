/**
 * Replays recorded tapes into a simulated market at the pace of its clock, through its event queue: a trade happens
 * when market time reaches it.
 *
 * At one moment recorded trades come first, as in a backtest. Reading a block is asynchronous, and market time stands
 * still until it is read (`awaited`), so that results do not depend on disk speed.
 */
import type { BookTape } from '../../tape/book-tape.ts'
import { mergeTapes } from '../../tape/merge.ts'
import type { PlayedBlock } from '../../tape/tape.ts'
import { EVENT_KIND, type EventQueue } from '../event-queue.ts'
import type { SimulatedMarkets } from '../simulated-markets.ts'
import { channelsOf, type GapListener, type PlayedTape } from './tape-channel.ts'
import { TapeCursor } from './tape-cursor.ts'

export interface PacedReplayOptions {
  readonly tapes: readonly PlayedTape[]
  /** Recorded books and quotes of their markets; default: none. */
  readonly books?: readonly BookTape[] | undefined
  /** Added to the time of every recorded trade. */
  readonly shiftMs: number
  /** The tapes cannot be read any further; nothing more of them is played. */
  readonly onError: (error: unknown) => void
  readonly onGap?: GapListener | undefined
}

export class PacedReplay {
  readonly #queue: EventQueue
  readonly #cursor: TapeCursor
  readonly #onError: (error: unknown) => void
  #awaited: Promise<void> | undefined
  #isOver = false

  constructor(simulated: SimulatedMarkets, { tapes, books = [], shiftMs, onError, onGap }: PacedReplayOptions) {
    this.#queue = simulated.queue
    const stretches = mergeTapes<PlayedBlock>([...tapes.map(({ tape }) => tape), ...books])
    this.#cursor = new TapeCursor(simulated, { stretches, channels: channelsOf(tapes, books), shiftMs, onGap })
    this.#onError = onError
  }

  /** Puts the first trade into the queue. */
  async begin(): Promise<void> {
    this.#read()
    await this.#awaited
  }

  /** Resolves when the tape continues; undefined if it is not blocked. */
  readonly awaited = (): Promise<void> | undefined => this.#awaited

  /** True when the last trade was played. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Closes the files. */
  async close(): Promise<void> {
    this.#isOver = true
    await this.#awaited
    await this.#cursor.close()
  }

  #read(): void {
    this.#awaited = this.#readOn()
      .catch((error: unknown) => {
        this.#isOver = true
        this.#onError(error)
      })
      .then(() => {
        this.#awaited = undefined
      })
  }

  async #readOn(): Promise<void> {
    if (await this.#cursor.read()) this.#schedule()
    else this.#isOver = true
  }

  /** Time of the next row; undefined if more has to be read first. */
  #nextTime(): number | undefined {
    const { run, row } = this.#cursor
    return run === undefined ? undefined : this.#cursor.timeOf(run, row)
  }

  #schedule(): void {
    if (this.#isOver) return
    const time = this.#nextTime()
    if (time === undefined) this.#read()
    else {
      this.#queue.schedule(time, EVENT_KIND.data, () => {
        this.#play(time)
      })
    }
  }

  /** Plays every row of a moment that has been read. */
  #play(time: number): void {
    if (this.#isOver) return
    const cursor = this.#cursor
    for (let { run } = cursor; run !== undefined && this.#nextTime() === time; run = cursor.run) {
      cursor.moveTo(cursor.play(run, cursor.row, time, time))
    }
    this.#schedule()
  }
}
