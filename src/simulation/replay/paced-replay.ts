/**
 * Plays recorded tapes into a served market, out of its event queue: a trade happens when the time of the market reaches it.
 *
 * At one moment recorded trades come first, as in a backtest. Reading a block takes an await, and until it has come the time of the
 * market stands still (`awaited`), so that what happens does not depend on how fast the disk is.
 */
import { invariant } from '../../domain/errors.ts'
import { EVENT_KIND, type EventQueue } from '../event-queue.ts'
import { GapDetector } from './gap-detector.ts'
import type { RecordedMarket } from '../recorded-market.ts'
import type { SimulatedMarkets } from '../simulated-markets.ts'
import { mergeTapes, type TapeRun } from '../../tape/merge.ts'
import { SIDE_SELL, SIDE_UNKNOWN, type Tape } from '../../tape/tape.ts'
import { TickRule } from '../../tape/tick-rule.ts'

/** A recorded market that is played. */
export interface PlayedTape {
  readonly tape: Tape
  /** Milliseconds without a trade that are no gap. */
  readonly longestSilenceMs: number
}

/** Where the rows of a tape go. Tapes of one market share it. */
interface Channel {
  readonly market: RecordedMarket
  readonly tickRule: TickRule
  readonly gapDetector: GapDetector
}

export interface ReplayFeedOptions {
  readonly tapes: readonly PlayedTape[]
  /** Added to the time of every recorded trade. */
  readonly shiftMs: number
  /** The tapes cannot be read any further; nothing more of them is played. */
  readonly onError: (error: unknown) => void
}

export class ReplayFeed {
  readonly #queue: EventQueue
  readonly #channels: readonly Channel[]
  readonly #shiftMs: number
  readonly #onError: (error: unknown) => void
  readonly #stretches: AsyncIterator<Iterable<TapeRun>>
  #runs: Iterator<TapeRun> = [][Symbol.iterator]()
  #run: TapeRun | undefined
  #row = 0
  #awaited: Promise<void> | undefined
  #isOver = false

  constructor(simulated: SimulatedMarkets, { tapes, shiftMs, onError }: ReplayFeedOptions) {
    this.#queue = simulated.queue
    this.#channels = channelsOf(simulated, tapes)
    this.#shiftMs = shiftMs
    this.#onError = onError
    this.#stretches = mergeTapes(tapes.map(({ tape }) => tape))[Symbol.asyncIterator]()
  }

  /** Puts the first trade into the queue. */
  async begin(): Promise<void> {
    this.#read()
    await this.#awaited
  }

  /** Resolves when the tape goes on; undefined when it need not be waited for. */
  readonly awaited = (): Promise<void> | undefined => this.#awaited

  /** True when the last trade was played. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Closes the files. */
  async close(): Promise<void> {
    this.#isOver = true
    await this.#awaited
    await this.#stretches.return?.()
  }

  #read(): void {
    this.#awaited = this.#nextStretch()
      .catch((error: unknown) => {
        this.#isOver = true
        this.#onError(error)
      })
      .then(() => {
        this.#awaited = undefined
      })
  }

  async #nextStretch(): Promise<void> {
    const next = await this.#stretches.next()
    if (next.done === true) {
      this.#isOver = true
      return
    }
    this.#runs = next.value[Symbol.iterator]()
    this.#nextRun()
    this.#schedule()
  }

  #nextRun(): void {
    const next = this.#runs.next()
    this.#run = next.done === true ? undefined : next.value
    this.#row = this.#run?.start ?? 0
  }

  /** When the next row happens; undefined when more has to be read first. */
  #nextTime(): number | undefined {
    const time = this.#run?.block.time[this.#row]
    return time === undefined ? undefined : time + this.#shiftMs
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
    for (let run = this.#run; run !== undefined && this.#nextTime() === time; run = this.#run) {
      this.#record(run, time)
      this.#row += 1
      if (this.#row === run.end) this.#nextRun()
    }
    this.#schedule()
  }

  #record({ tape, block }: TapeRun, time: number): void {
    const row = this.#row
    const channel = this.#channels[tape]
    const price = block.price[row]
    const qty = block.qty[row]
    invariant(channel !== undefined && price !== undefined && qty !== undefined, 'a row is in its block, of a tape')
    const { market, tickRule, gapDetector } = channel
    const id = block.ids instanceof Float64Array ? (block.ids[row] ?? Number.NaN) : Number.NaN
    if (gapDetector.next(tape, time, id)) market.crowd.gap()
    const isBuyerMaker = tickRule.next(price, block.side[row] ?? SIDE_UNKNOWN) === SIDE_SELL
    const candleTime = block.candleTime?.[row]
    const shifted = candleTime === undefined ? undefined : candleTime + this.#shiftMs
    market.record(time, price, qty, isBuyerMaker, shifted)
  }
}

function channelsOf(simulated: SimulatedMarkets, tapes: readonly PlayedTape[]): readonly Channel[] {
  const channels = new Map<string, Channel>()
  return tapes.map(({ tape: { info }, longestSilenceMs }) => {
    const channel = channels.get(info.symbol) ?? {
      market: simulated.market(info.symbol),
      tickRule: new TickRule(),
      gapDetector: new GapDetector(longestSilenceMs),
    }
    channels.set(info.symbol, channel)
    return channel
  })
}
