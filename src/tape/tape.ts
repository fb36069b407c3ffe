/**
 * A recorded market as a value: columns in blocks, oldest first.
 */
import type { DepthBlock } from './depth-block.ts'
import type { MarkedGap } from './gap-marks.ts'
import type { NoticeList } from './notices.ts'
import type { QuoteBlock } from './quote-block.ts'

/** Unix milliseconds, `from` inclusive, `to` exclusive; without them, the tape's own beginning and end. */
export interface TapeWindow {
  readonly from?: number
  readonly to?: number
}

/** The aggressor of a recorded trade, as the tape tells it. */
export const SIDE_UNKNOWN = 0
/** A buyer crossed to a resting sell order. */
export const SIDE_BUY = 1
/** A seller crossed to a resting buy order: `isBuyerMaker`. */
export const SIDE_SELL = 2

/**
 * Rows of a block at most, whatever they are; only a frame of a book that is larger has more, in a block of its own.
 */
export const MOST_BLOCK_ROWS = 65_536

/** Recorded trades in columns; only the first `length` entries of each count. */
export interface TapeBlock {
  readonly length: number
  /** Unix milliseconds, never decreasing. */
  readonly time: Float64Array
  /** Ticks. */
  readonly price: Float64Array
  /** Lots. */
  readonly qty: Float64Array
  /** SIDE_UNKNOWN, SIDE_BUY or SIDE_SELL. */
  readonly side: Uint8Array
  /**
   * 1 for a print whose conditions say that it forms no price, else 0; not there for a tape that tells no conditions.
   */
  readonly isDoubtful?: Uint8Array
  /** The recorded ids: safe integers in a Float64Array, other ids as text; undefined for a tape without. */
  readonly ids: Float64Array | readonly string[] | undefined
}

/** Recorded candles in columns; only the first `length` entries of each count. */
export interface CandleBlock {
  readonly length: number
  /** Opening time, Unix milliseconds, increasing. */
  readonly time: Float64Array
  /** Ticks; low <= open, close <= high. */
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  /** Lots; 0 for a candle in which nothing was traded. */
  readonly volume: Float64Array
  /** Closing time, Unix milliseconds; without it, each candle closes one interval after it opens. */
  readonly end?: Float64Array
}

/** Recorded rows of either kind. */
export type RecordedBlock = TapeBlock | CandleBlock

/** What is played of tapes of any kind. */
export type PlayedBlock = RecordedBlock | DepthBlock | QuoteBlock

export const isCandleBlock = (block: PlayedBlock): block is CandleBlock => 'open' in block
export const isDepthBlock = (block: PlayedBlock): block is DepthBlock => 'flags' in block
export const isQuoteBlock = (block: PlayedBlock): block is QuoteBlock => 'bid' in block

/** A file of gaps, as it was read. */
export interface GapFileInfo {
  /** Beside the tape, as the user named that. */
  readonly file: string
  /** Lower-case hex SHA-256 of the file's bytes. */
  readonly sha256: string
  /** Gaps that it marks. */
  readonly count: number
}

/** Description of a tape, as a first pass over its source found it. */
export interface TapeInfo extends NoticeList {
  readonly symbol: string
  readonly kind: 'trades' | 'candles'
  /** The file as the user named it. */
  readonly file: string
  /** Lower-case hex SHA-256 of the file's bytes. */
  readonly sha256: string
  /** Rows of the file: trades or candles. */
  readonly rows: number
  /** Candles without volume, which yield no trade. */
  readonly emptyCandles: number
  /** Unix milliseconds of the first trade, and of the last one or the end of the last candle. */
  readonly from: number
  readonly to: number
  readonly pricePrecision: number
  readonly qtyPrecision: number
  /** Rows that need as many decimals of a price, or of a quantity, as any row of the file. */
  readonly rowsAtPricePrecision: number
  readonly rowsAtQtyPrecision: number
  /** The aggressor of each trade is told; false for candles. */
  readonly hasSides: boolean
  /** Some trade has conditions, so that one without them is known to be regular; false for candles. */
  readonly hasConditions: boolean
  /** Length of a candle, of months their mean; only for candles. */
  readonly intervalMs?: number
  /** Candles have no common length: each closes when the next one opens, only the last one after `intervalMs`. */
  readonly closesAtNext?: boolean
  /**
   * Every candle opens at a multiple of its length, so that coarser ones can be made of them exactly; only for candles.
   */
  readonly isAligned?: boolean
  /** Volume that each candle is taken to have, a decimal, where the file has no volumes; only for such candles. */
  readonly statedVolume?: string
  /** The file of gaps beside the tape; only where there is one. */
  readonly gaps?: GapFileInfo
}

/** A tape that can be read more than once. Its prices and quantities are in the precisions of `info`. */
export interface Tape {
  readonly info: TapeInfo
  /**
   * Where rows are missing, as whoever recorded it has marked; undefined where nobody has, so that it is guessed from
   * the ids.
   */
  readonly gaps?: readonly MarkedGap[] | undefined
  /**
   * @param window  rows outside of it may be left out, as far as whole blocks of them are
   * @throws {InputError} at the row that is wrong, also when it has changed since the first pass
   */
  blocks(window?: TapeWindow): AsyncIterable<RecordedBlock>
}
