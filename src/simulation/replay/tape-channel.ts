/** Channels from the rows of a recorded tape to its market and its listeners. */
import type { BookTape } from '../../tape/book-tape.ts'
import type { Tape, TapeInfo } from '../../tape/tape.ts'
import { TickRule } from '../../tape/tick-rule.ts'
import { GapMarks } from '../../tape/gap-marks.ts'
import { GapDetector } from '../../tape/gap-detector.ts'
import { PrintFilter, type PrintFilterMode } from '../../tape/print-filter.ts'

/** Receives the accepted recorded trades of one market, each before it is played. */
export interface RecordedListener {
  onRecorded(time: number, price: number, qty: number, isBuyerMaker: boolean): void
}

/** A gap in the tapes of a market, found before the trade that comes next. */
export interface ReplayGap {
  readonly symbol: string
  /** Replay times of the rows before and after the gap, Unix milliseconds. */
  readonly from: number
  readonly to: number
}

/** Called with a gap before the trade after it. */
export type GapListener = (gap: ReplayGap) => void

/** Destination of a tape's rows. Tapes of one market share everything except the file. */
export interface TapeChannel {
  readonly symbol: string
  /** File name as the user gave it. */
  readonly file: string
  readonly tickRule: TickRule
  readonly gapDetector: GapDetector
  /** Gap marks of the file; undefined if it has none. */
  readonly marks: GapMarks | undefined
  readonly printFilter: PrintFilter
  readonly listener?: RecordedListener | undefined
}

/** A recorded market that is played. */
export interface PlayedTape {
  readonly tape: Tape
  /** Milliseconds without a trade that are no gap. */
  readonly longestSilenceMs: number
  /** Default: `auto`. */
  readonly filterMode?: PrintFilterMode | undefined
  /** Spread in ticks for the outlier filter; default: 1. */
  readonly spread?: number | undefined
  readonly listener?: RecordedListener | undefined
}

/** One channel per tape, then one per recorded book; tapes of one market share the settings of the first. */
export function channelsOf(tapes: readonly PlayedTape[], books: readonly BookTape[] = []): readonly TapeChannel[] {
  const channels = new Map<string, TapeChannel>()
  const ofTapes = tapes.map((tape) => {
    const { symbol, file } = tape.tape.info
    const channel = channels.get(symbol) ?? channelOf(tape)
    channels.set(symbol, channel)
    return { ...channel, file, marks: marksOf(tape) }
  })
  const ofBooks = books.map(({ info: { symbol, file } }) => {
    const channel = channels.get(symbol) ?? channelOf({ tape: { info: { symbol, file } }, longestSilenceMs: Infinity })
    channels.set(symbol, channel)
    return { ...channel, file, marks: undefined }
  })
  return [...ofTapes, ...ofBooks]
}

/** Also fits a market without recorded trades. */
type ChannelParts = Omit<PlayedTape, 'tape'> & { readonly tape: { readonly info: Pick<TapeInfo, 'symbol' | 'file'> } }

const channelOf = ({
  tape,
  longestSilenceMs,
  filterMode = 'auto',
  spread = 1,
  listener,
}: ChannelParts): TapeChannel => ({
  symbol: tape.info.symbol,
  file: tape.info.file,
  tickRule: new TickRule(),
  gapDetector: new GapDetector(longestSilenceMs),
  marks: undefined,
  printFilter: new PrintFilter(filterMode, spread),
  listener,
})

const marksOf = ({ tape }: PlayedTape): GapMarks | undefined =>
  tape.gaps === undefined ? undefined : new GapMarks(tape.gaps)
