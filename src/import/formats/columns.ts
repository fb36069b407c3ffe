/** Columns of a recording put to the fields of its rows, and the reading that this makes. */
import type { ColumnPlan } from '../csv/column-plan.ts'
import type { Field, RowKind } from '../csv/field.ts'
import type { Reading, Rewritten } from '../csv/reading.ts'

/** A field of the rows, and its column. */
export interface Source {
  readonly field: Field
  /** From 0. */
  readonly column: number
  /** Makes the cell of the field out of that of the column; a text that it does not know it leaves as it is. */
  readonly edit?: ((text: string, cells: readonly string[]) => string) | undefined
}

export interface Columns {
  readonly dialect: string
  readonly kind: RowKind
  readonly hasHeader: boolean
  readonly sources: readonly Source[]
  /** The header of the time says that it is in milliseconds. */
  readonly declaresMilliseconds?: boolean
  /** Cells of a line. */
  readonly width: number
  /** Names of those that are not used. */
  readonly ignored?: readonly string[]
  /** The reason for which a line is no row; undefined for a row. */
  readonly leaveOut?: ((cells: readonly string[]) => string | undefined) | undefined
  readonly isAnyOrder?: boolean
  readonly symbol?: string | undefined
  readonly spelling?: Reading['spelling']
  readonly candleTime?: 'close' | undefined
  readonly mayHaveNoQty?: boolean
  readonly notices?: readonly string[]
}

export interface Frame {
  readonly delimiter: string
  readonly skippedLines: number
  readonly hasBlanks: boolean
}

/** The fast way where every cell is read as it is. */
export function readingOf(columns: Columns, { delimiter, skippedLines, hasBlanks }: Frame): Reading {
  const { kind, hasHeader, sources, width, leaveOut, ignored = [] } = columns
  const isPlain = leaveOut === undefined && sources.every(({ edit }) => edit === undefined)
  const fields = isPlain
    ? Array.from({ length: width }, (_, at) => sources.find(({ column }) => column === at)?.field)
    : sources.map(({ field }) => field)
  const plan: ColumnPlan = {
    kind,
    fields,
    hasHeader,
    declaresMilliseconds: columns.declaresMilliseconds === true,
    ignored,
  }
  return {
    dialect: columns.dialect,
    delimiter: delimiter.charCodeAt(0),
    skippedLines,
    hasBlanks,
    plan,
    isAnyOrder: columns.isAnyOrder === true,
    symbol: columns.symbol,
    spelling: columns.spelling,
    candleTime: columns.candleTime,
    mayHaveNoQty: columns.mayHaveNoQty === true,
    notices: columns.notices ?? [],
    ...(!isPlain && {
      width,
      places: sources.map(({ column }) => column + 1),
      rewrite: (cells: readonly string[]): Rewritten => {
        const leftOut = leaveOut?.(cells)
        if (leftOut !== undefined) return { leftOut }
        return sources.map(({ column, edit }) => {
          const text = cells[column] ?? ''
          return edit === undefined ? text : edit(text, cells)
        })
      },
    }),
  }
}
