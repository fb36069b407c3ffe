/**
 * Reading plan of a recording: where its rows begin, how they are split into cells, and how cells are rewritten before
 * validation.
 */
import { COMMA } from '../../domain/ascii.ts'
import type { ColumnPlan } from './column-plan.ts'

/** Cells of a row, or the reason why the line is not a row: a line of another kind in the format. */
export type Rewritten = readonly string[] | { readonly leftOut: string }

export interface Reading {
  /** Display name of the recognised format. */
  readonly dialect: string
  /** A byte of ASCII. */
  readonly delimiter: number
  /** Lines before the header, or before the first row if there is no header. */
  readonly skippedLines: number
  /** Cells may have blanks around them, which are not part of them. */
  readonly hasBlanks: boolean
  /** Undefined: found by the names in the header. */
  readonly plan?: ColumnPlan | undefined
  /** Maps the cells of a line to those of the plan; undefined if they are the same, which is the fast path. */
  readonly rewrite?: ((cells: readonly string[]) => Rewritten) | undefined
  /** Cells of a line, and the place of each cell of the plan among them, from 1; where lines are rewritten. */
  readonly width?: number | undefined
  readonly places?: readonly number[] | undefined
  /** Rows come in any order, and are put into that of time. */
  readonly isAnyOrder: boolean
  /** BASE_QUOTE, if the file or its name gives it. */
  readonly symbol?: string | undefined
  /** Converts the symbol column from another spelling, such as BTC-USD. */
  readonly spelling?: ((symbol: string) => string | undefined) | undefined
  /** Market filter of a recording of several markets, by name. */
  readonly isSymbol?: ((symbol: string) => boolean) | undefined
  /** Trades whose quantity was rounded to nothing are left out. */
  readonly mayHaveNoQty?: boolean
  /** The time that a candle has is its end. */
  readonly candleTime?: 'close' | undefined
  /** Notices for the user, in full sentences. */
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
