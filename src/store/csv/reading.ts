/**
 * A way to read a recording: where its rows begin, how they are cut into cells, and what is done to the cells before
 * they are looked at.
 */
import { COMMA } from '../../domain/ascii.ts'
import type { ColumnPlan } from './column-plan.ts'

/** The cells of a row, or the reason why it is none: a kind of line that the format has beside its rows. */
export type Rewritten = readonly string[] | { readonly leftOut: string }

export interface Reading {
  /** For people: the format that was recognised. */
  readonly dialect: string
  /** A byte of ASCII. */
  readonly delimiter: number
  /** Lines before the header, or before the first row where there is none. */
  readonly skippedLines: number
  /** Cells may have blanks around them, which are not part of them. */
  readonly hasBlanks: boolean
  /** Undefined: found by the names in the header. */
  readonly plan?: ColumnPlan | undefined
  /** Makes the cells of the plan out of those of a line; undefined where they are the same, which is the fast way. */
  readonly rewrite?: ((cells: readonly string[]) => Rewritten) | undefined
  /** Cells of a line, and the place of each cell of the plan among them, from 1; where lines are rewritten. */
  readonly width?: number | undefined
  readonly places?: readonly number[] | undefined
  /** Rows come in any order, and are put into that of time. */
  readonly isAnyOrder: boolean
  /** BASE_QUOTE, where the file or its name tells it. */
  readonly symbol?: string | undefined
  /** The symbol column is told in another spelling, such as BTC-USD. */
  readonly spelling?: ((symbol: string) => string | undefined) | undefined
  /** Of a recording of several markets: whether a row of the market that is named so is wanted. */
  readonly isSymbol?: ((symbol: string) => boolean) | undefined
  /** Trades whose quantity was rounded to nothing are left out. */
  readonly mayHaveNoQty?: boolean
  /** The time that a candle has is its end. */
  readonly candleTime?: 'close' | undefined
  /** For the user, in full sentences. */
  readonly notices: readonly string[]
}

/** The columns are found by their header, and are separated by commas. */
export const PLAIN_READING: Reading = {
  dialect: 'CSV with a header',
  delimiter: COMMA,
  skippedLines: 0,
  hasBlanks: false,
  isAnyOrder: false,
  notices: [],
}
