/**
 * Channels from the rows of a recorded tape to its market, and to those who hear of them.
 */
import type { BookTape } from '../../tape/book-tape.ts'
import type { Tape, TapeInfo } from '../../tape/tape.ts'
import { TickRule } from '../../tape/tick-rule.ts'
import { GapMarks } from '../../tape/gap-marks.ts'
import { GapDetector } from '../../tape/gap-detector.ts'
import { PrintFilter, type PrintFilterMode } from '../../tape/print-filter.ts'

/** Hears of the recorded trades of one market that are believed, each before it is played. */
export interface RecordedListener {
  onRecorded(time: number, price: number, qty: number, isBuyerMaker: boolean): void
}

/** A gap in the tapes of a market, found before the trade that comes next. */
export interface ReplayGap {
  readonly symbol: string
  /** Unix milliseconds of the rows before and behind it, as they are played. */
  readonly from: number
  readonly to: number
}

/** Hears of a gap before the trade behind it. */
export type GapListener = (gap: ReplayGap) => void

/** Where the rows of a tape go. Tapes of one market share all of it but the file. */
export interface TapeChannel {
  readonly symbol: string
  /** As the user named it. */
  readonly file: string
  readonly tickRule: TickRule
  readonly gapDetector: GapDetector
  /** Of the file alone; undefined where nobody has marked its gaps. */
  readonly marks: GapMarks | undefined
  readonly judge: PrintFilter
  readonly listener?: RecordedListener | undefined
}

/** A recorded market that is played. */
export interface PlayedTape {
  readonly tape: Tape
  /** Milliseconds without a trade that are no gap. */
  readonly longestSilenceMs: number
  /** Default: `auto`. */
  readonly believe?: PrintFilterMode | undefined
  /** Ticks, by which prints are judged; default: 1. */
  readonly spread?: number | undefined
  readonly listener?: RecordedListener | undefined
}

/**
 * One channel for each tape, then one for each recorded book; tapes of one market share what the first of them has.
 */
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

/** Of a market that no trades were recorded of as well. */
type ChannelParts = Omit<PlayedTape, 'tape'> & { readonly tape: { readonly info: Pick<TapeInfo, 'symbol' | 'file'> } }

const channelOf = ({ tape, longestSilenceMs, believe = 'auto', spread = 1, listener }: ChannelParts): TapeChannel => ({
  symbol: tape.info.symbol,
  file: tape.info.file,
  tickRule: new TickRule(),
  gapDetector: new GapDetector(longestSilenceMs),
  marks: undefined,
  judge: new PrintFilter(believe, spread),
  listener,
})

const marksOf = ({ tape }: PlayedTape): GapMarks | undefined =>
  tape.gaps === undefined ? undefined : new GapMarks(tape.gaps)
