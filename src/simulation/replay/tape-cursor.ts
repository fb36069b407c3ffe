/**
 * Position of a replay in the rows of its tapes. Each row passes the outlier filter, and is played as a trade or as a
 * quarantined print.
 *
 * Rows come in time order, a stretch at a time; only reading the next stretch is asynchronous.
 */
import { invariant, InvariantError } from '../../domain/errors.ts'
import type { TapeRun } from '../../tape/merge.ts'
import type { DepthBlock } from '../../tape/depth-block.ts'
import type { QuoteBlock } from '../../tape/quote-block.ts'
import {
  isCandleBlock,
  isDepthBlock,
  isQuoteBlock,
  SIDE_UNKNOWN,
  type CandleBlock,
  type PlayedBlock,
  type TapeBlock,
} from '../../tape/tape.ts'
import { CandleRoom } from '../candles/recorded-candle.ts'
import type { SimulatedMarkets } from '../simulated-markets.ts'
import { openChannel, playGap, playRow, type OpenChannel } from './play-row.ts'
import type { GapListener, TapeChannel } from './tape-channel.ts'

export interface TapeCursorParts {
  /** Stretches of runs; between two of them the player waits for the tapes. */
  readonly stretches: AsyncIterable<Iterable<TapeRun<PlayedBlock>>>
  /** One channel per tape. */
  readonly channels: readonly TapeChannel[]
  /** Added to the time of every row; default: 0. */
  readonly shiftMs?: number
  readonly onGap?: GapListener | undefined
}

/**
 * The next rows of one tape, with the values that are constant over them.
 *
 * A class, because every row reads it: spread objects have many hidden classes, and are slow to read.
 */
export class OpenRun implements TapeRun<PlayedBlock> {
  readonly tape: number
  readonly block: PlayedBlock
  readonly start: number
  readonly end: number
  readonly followsOthers: boolean
  readonly channel: OpenChannel
  /** The block of the run: it has rows of one kind. */
  readonly trades: TapeBlock | undefined
  readonly candles: CandleBlock | undefined
  readonly depth: DepthBlock | undefined
  readonly quotes: QuoteBlock | undefined
  /** It has frames or quotes. */
  readonly isOfBook: boolean
  /** Undefined for a tape without integer ids. */
  readonly ids: Float64Array | undefined

  constructor({ tape, block, start, end, followsOthers }: TapeRun<PlayedBlock>, channel: OpenChannel) {
    this.tape = tape
    this.block = block
    this.start = start
    this.end = end
    this.followsOthers = followsOthers
    this.channel = channel
    this.candles = isCandleBlock(block) ? block : undefined
    this.depth = isDepthBlock(block) ? block : undefined
    this.quotes = isQuoteBlock(block) ? block : undefined
    this.trades = isCandleBlock(block) || isDepthBlock(block) || isQuoteBlock(block) ? undefined : block
    this.isOfBook = this.depth !== undefined || this.quotes !== undefined
    this.ids = this.trades?.ids instanceof Float64Array ? this.trades.ids : undefined
  }
}

export class TapeCursor {
  readonly #stretches: AsyncIterator<Iterable<TapeRun<PlayedBlock>>>
  readonly #channels: readonly OpenChannel[]
  readonly #shiftMs: number
  readonly #onGap: GapListener | undefined
  #runs: Iterator<TapeRun<PlayedBlock>> = [][Symbol.iterator]()
  #run: OpenRun | undefined
  #row = 0
  readonly #candle = new CandleRoom()

  constructor(simulated: SimulatedMarkets, { stretches, channels, shiftMs = 0, onGap }: TapeCursorParts) {
    this.#stretches = stretches[Symbol.asyncIterator]()
    this.#channels = channels.map((channel) => openChannel(simulated, channel))
    this.#shiftMs = shiftMs
    this.#onGap = onGap
  }

  /** The run of the next row; undefined when more has to be read first. */
  get run(): OpenRun | undefined {
    return this.#run
  }

  /** The next row of the run. */
  get row(): number {
    return this.#row
  }

  /**
   * Reads the next stretch after the last one has been played.
   *
   * @returns false when there is none
   * @throws {InputError} what the tapes throw
   */
  async read(): Promise<boolean> {
    const next = await this.#stretches.next()
    if (next.done === true) return false
    this.#runs = next.value[Symbol.iterator]()
    this.#nextRun()
    return true
  }

  /** Unix milliseconds at which a row happens. */
  timeOf({ block }: OpenRun, row: number): number {
    return (block.time[row] ?? Number.NaN) + this.#shiftMs
  }

  /**
   * Plays a row of the run; of a book, a frame and the following ones that have no other effect. The cursor does not
   * move: the caller counts the rows and moves it once, which is faster.
   *
   * @param upTo  Unix milliseconds, not before the row: later rows are not played
   * @returns the next row
   */
  play(run: OpenRun, row: number, time: number, upTo: number): number {
    if (run.isOfBook) return this.#playBook(run, row, upTo)
    const { channel, candles } = run
    if (candles !== undefined) {
      const { market, file } = channel
      invariant(market.candles !== undefined, 'candles are played into a market of candles')
      const end = candles.end?.[row]
      const endsAt = end === undefined ? market.candles.closeOf(time) : end + this.#shiftMs
      readCandle(candles, row, time, this.#candle)
      market.candles.record(this.#candle, file, endsAt)
      return row + 1
    }
    if (this.#isBehindGap(run, row, time)) playGap(channel, time, this.#onGap)
    this.#printFilter(run, row, time)
    return row + 1
  }

  /** Moves to a row of the run, or to the next run after its last one. */
  moveTo(row: number): void {
    this.#row = row
    if (row === this.#run?.end) this.#nextRun()
  }

  /** Closes the files. */
  async close(): Promise<void> {
    await this.#stretches.return?.()
  }

  #playBook({ channel, depth, quotes, end }: OpenRun, row: number, upTo: number): number {
    const { bookPlayer } = channel.market
    if (bookPlayer === undefined) throw new InvariantError(`the book of ${channel.symbol} has no place in its market`)
    if (depth !== undefined) return bookPlayer.playFrames(depth, row, end, upTo, this.#shiftMs)
    return quotes === undefined ? end : bookPlayer.playQuotes(quotes, row, end, upTo, this.#shiftMs)
  }

  #nextRun(): void {
    const next = this.#runs.next()
    this.#run = next.done === true ? undefined : this.#opened(next.value)
    this.#row = this.#run?.start ?? 0
  }

  #opened(run: TapeRun<PlayedBlock>): OpenRun {
    const channel = this.#channels[run.tape]
    invariant(channel !== undefined, 'a tape has a channel')
    return new OpenRun(run, channel)
  }

  /** Marked gaps take precedence over gaps guessed from ids. */
  #isBehindGap({ channel, tape, ids, followsOthers }: OpenRun, row: number, time: number): boolean {
    const { gapDetector, marks } = channel
    const isKnown = marks?.isBefore(time - this.#shiftMs) ?? false
    const id = ids === undefined || marks !== undefined ? Number.NaN : (ids[row] ?? Number.NaN)
    return gapDetector.next(tape, time, id, followsOthers) || isKnown
  }

  #printFilter({ channel, trades }: OpenRun, row: number, time: number): void {
    invariant(trades !== undefined, 'a run of trades')
    const price = trades.price[row]
    const qty = trades.qty[row]
    invariant(price !== undefined && qty !== undefined, 'a row is in its block')
    playRow(channel, time, price, qty, trades.side[row] ?? SIDE_UNKNOWN, doubtOf(trades, row))
  }
}

/** Doubt from the trade conditions of a print; undefined if there are none. */
const doubtOf = ({ isDoubtful }: TapeBlock, row: number): boolean | undefined =>
  isDoubtful === undefined ? undefined : isDoubtful[row] === 1

/** @param time  of its open, in replay time */
function readCandle(
  { open, high, low, close, volume }: CandleBlock,
  row: number,
  time: number,
  into: CandleRoom,
): void {
  into.time = time
  into.open = open[row] ?? Number.NaN
  into.high = high[row] ?? Number.NaN
  into.low = low[row] ?? Number.NaN
  into.close = close[row] ?? Number.NaN
  into.volume = volume[row] ?? Number.NaN
}
