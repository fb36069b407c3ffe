/** A recorded market as a value: columns in blocks, oldest first. */
import type { DepthBlock } from './depth-block.ts'
import type { MarkedGap } from './gap-marks.ts'
import type { NoticeList } from './notices.ts'
import type { QuoteBlock } from './quote-block.ts'

/** Unix milliseconds, `from` inclusive, `to` exclusive; without them, the tape's own beginning and end. */
export interface TapeWindow {
  readonly from?: number
  readonly to?: number
}

/** Aggressor of a recorded trade. */
export const SIDE_UNKNOWN = 0
/** A buyer crossed to a resting sell order. */
export const SIDE_BUY = 1
/** A seller crossed to a resting buy order: `isBuyerMaker`. */
export const SIDE_SELL = 2

/** Maximum of rows per block of any kind; only a larger frame of a book exceeds it, in a block of its own. */
export const MAX_BLOCK_ROWS = 65_536

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
   * 1 for a print whose trade conditions exclude it from price formation, else 0; undefined for a tape without
   * conditions.
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
  /** Lots; 0 for a candle without trades. */
  readonly volume: Float64Array
  /** Closing time, Unix milliseconds; without it, each candle closes one interval after it opens. */
  readonly end?: Float64Array
}

/** Recorded rows of either kind. */
export type RecordedBlock = TapeBlock | CandleBlock

/** Blocks of tapes of any kind in a replay. */
export type PlayedBlock = RecordedBlock | DepthBlock | QuoteBlock

export const isCandleBlock = (block: PlayedBlock): block is CandleBlock => 'open' in block
export const isDepthBlock = (block: PlayedBlock): block is DepthBlock => 'flags' in block
export const isQuoteBlock = (block: PlayedBlock): block is QuoteBlock => 'bid' in block

/** A file of gaps, as it was read. */
export interface GapFileInfo {
  /** File next to the tape, relative to the name given by the user. */
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
  /** True if the aggressor of each trade is recorded; false for candles. */
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
  /** Decimal volume assumed for each candle of a file without volumes; undefined otherwise. */
  readonly statedVolume?: string
  /** The gap file next to the tape, if there is one. */
  readonly gaps?: GapFileInfo
}

/** A tape that can be read more than once. Its prices and quantities are in the precisions of `info`. */
export interface Tape {
  readonly info: TapeInfo
  /** Gaps marked by the recorder; undefined if there are no marks, so that gaps are guessed from the ids. */
  readonly gaps?: readonly MarkedGap[] | undefined
  /**
   * @param window  rows outside it may be left out, in whole blocks
   * @throws {InputError} at the invalid row, also if it has changed since the first pass
   */
  blocks(window?: TapeWindow): AsyncIterable<RecordedBlock>
}
