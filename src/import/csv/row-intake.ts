/**
 * Takes the records of a file one by one: the first says what the columns are, the others go to the sink that fits
 * them.
 *
 * Invariant: every record has as many cells as the first, and no blank line has a row after it.
 */
import { InputError, invariant } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { assetsOfSymbol } from '../../domain/market.ts'
import { CandleRows } from './candle-rows.ts'
import { CandleScanner } from './candle-scanner.ts'
import { planColumns, type ColumnPlan } from './column-plan.ts'
import type { BadRows } from './bad-rows.ts'
import { PLAIN_READING, type Reading } from './reading.ts'
import { RowCells } from './row-cells.ts'
import type { RowScanner } from './row-scanner.ts'
import type { RowSink } from './row-sink.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import type { TapeSource } from '../tape-source.ts'
import { TradeRows } from './trade-rows.ts'
import { TradeScanner } from './trade-scanner.ts'

const PRINTABLE = /^[ -~]*$/
const NOTHING = /^0+(?:\.0*)?$/

export type OnRow = (time: number, line: number, text: string) => void

/** Receiver of the records of a file, one by one, and of its end. */
export interface RecordIntake extends Pick<RowIntake, 'reading' | 'isOver' | 'scanner' | 'add' | 'end'> {
  /** Undefined before the first record, and for a receiver that collects no rows. */
  readonly sink: RowSink | undefined
}

export class RowIntake {
  readonly reading: Reading
  readonly #source: TapeSource
  readonly #bad: BadRows | undefined
  #plan: ColumnPlan | undefined
  #cells: RowCells | undefined
  #sink: TradeRows | CandleRows | undefined
  #symbolCell: string | undefined
  #blankLine: number | undefined
  readonly #leftOut = new Map<string, number>()
  readonly #onRow: OnRow | undefined

  /**
   * @param bad    collects invalid rows instead of stopping at the first
   * @param onRow  called for each valid candle: its time in the file, Unix milliseconds, its line number and text
   */
  constructor(source: TapeSource, reading: Reading = PLAIN_READING, bad?: BadRows, onRow?: OnRow) {
    this.#onRow = onRow
    this.#source = source
    this.reading = reading
    this.#bad = bad
  }

  /** Counts of lines that are not rows, by description. */
  get leftOut(): ReadonlyMap<string, number> {
    return this.#leftOut
  }

  /** Undefined before the first record. */
  get sink(): TradeRows | CandleRows | undefined {
    return this.#sink
  }

  /** Values that were rounded on the user's request. */
  get roundedCells(): number {
    return this.#cells?.roundedCells ?? 0
  }

  get plan(): ColumnPlan | undefined {
    return this.#plan
  }

  /** The text of the symbol column; undefined without one. */
  get symbolCell(): string | undefined {
    return this.#symbolCell
  }

  /** True after a blank line, which only other blank lines may follow. */
  get isOver(): boolean {
    return this.#blankLine !== undefined
  }

  /**
   * @param line  physical line on which the record begins, from 1
   * @param text  that line unmodified, if available
   * @throws {InputError} when it is invalid
   */
  add(record: readonly string[], line: number, text?: string): void {
    if (line <= this.reading.skippedLines) return
    if (record.length === 1 && record[0] === '') {
      this.#blankLine ??= line
      return
    }
    if (this.#blankLine !== undefined) {
      throw new InputError(this.#place(this.#blankLine), 'expected a row, got a blank line')
    }
    if (this.#plan !== undefined) {
      this.#addLine(record, line, text)
      return
    }
    const plan = this.reading.plan ?? planColumns(this.#source.file, record, this.#source.columns)
    this.#begin(plan)
    if (!plan.hasHeader) this.#addLine(record, line, text)
  }

  /** A faster way for rows that are plain, once a row has shown that there may be some. */
  scanner(): RowScanner | undefined {
    const rows = this.#sink
    const plan = this.#plan
    if (plan === undefined || rows === undefined || rows.rows === 0) return undefined
    if (this.reading.rewrite !== undefined || this.#onRow !== undefined) return undefined
    const { form } = rows.time
    const { delimiter } = this.reading
    const symbol = this.#symbolCell ?? ''
    if (form === undefined || rows.time.isLocal || !PRINTABLE.test(symbol)) return undefined
    if (rows instanceof CandleRows) return new CandleScanner(rows, plan.fields, form, symbol, delimiter)
    const arePlainIds = rows.ids === undefined || rows.ids.form === 'number'
    return arePlainIds ? new TradeScanner(rows, plan.fields, form, symbol, delimiter) : undefined
  }

  /**
   * Call after the last record.
   *
   * @throws {InputError} when there was no row
   */
  end(): void {
    const { file } = this.#source
    if (this.#sink === undefined) throw new InputError(file, 'expected CSV, got only blank lines')
    if (this.#sink.rows > 0) return
    const others = [...this.#leftOut.keys()].slice(0, 5).join(', ')
    throw new InputError(
      file,
      others === '' ? 'expected at least one row, got only a header' : `expected a row, got only ${others}`,
    )
  }

  #begin(plan: ColumnPlan): void {
    const { file } = this.#source
    const symbol = this.#source.symbol ?? this.reading.symbol
    if (symbol === undefined && !plan.fields.includes('symbol')) {
      throw new InputError(setting('tapes'), `missing symbol of ${file}: write SYMBOL=${file}`, {
        hint: worded` or pass ${setting('symbol')}`,
      })
    }
    const cells = new RowCells(file, plan.fields, this.reading.places, this.#source.precision)
    const Rows = plan.kind === 'trades' ? TradeRows : CandleRows
    this.#plan = plan
    this.#cells = cells
    this.#sink = new Rows(cells, plan.declaresMilliseconds, { ...this.#source, sort: this.reading.isAnyOrder })
  }

  #addLine(record: readonly string[], line: number, text: string | undefined): void {
    const reported = (): string => text ?? lineOf(record, String.fromCharCode(this.reading.delimiter))
    const rowsBefore = this.#sink?.rows
    this.#addOrReject(record, line, reported)
    if (this.#sink !== undefined && this.#sink.rows !== rowsBefore) this.#onRow?.(this.#sink.lastTime, line, reported())
  }

  #addOrReject(record: readonly string[], line: number, reported: () => string): void {
    if (this.#bad === undefined) {
      this.#addRow(record, line)
      return
    }
    const before = this.#sink?.mark()
    try {
      this.#addRow(record, line)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      if (before !== undefined) this.#sink?.restore(before)
      this.#bad.add(error, line, reported())
    }
  }

  #addRow(given: readonly string[], line: number): void {
    const cells = this.#cells
    const columns = this.reading.width ?? this.#plan?.fields.length
    invariant(cells !== undefined && columns !== undefined, 'a row comes after the plan of its columns')
    if (given.length !== columns) {
      const where = `${this.#place(line)}:${Math.min(given.length, columns) + 1}`
      throw new InputError(where, `expected ${columns} columns, got ${given.length}`)
    }
    const record = this.#rewritten(given)
    if (record === undefined) return
    cells.load(record, line)
    if (cells.has('symbol') && !this.#isOfSymbol(cells)) return
    if (this.reading.mayHaveNoQty === true && NOTHING.test(cells.text('qty'))) {
      this.leaveOut('trades of no quantity')
      return
    }
    this.#sink?.addRow()
  }

  /** Undefined for a line that is no row. */
  #rewritten(record: readonly string[]): readonly string[] | undefined {
    const { rewrite } = this.reading
    if (rewrite === undefined) return record
    const written = rewrite(record)
    if (!('leftOut' in written)) return written
    this.leaveOut(written.leftOut)
    return undefined
  }

  /** Counts a line that is not a row. */
  leaveOut(why: string): void {
    this.#leftOut.set(why, (this.#leftOut.get(why) ?? 0) + 1)
  }

  /** False for a row of another market than the selected one. */
  #isOfSymbol(cells: RowCells): boolean {
    const symbol = cells.text('symbol')
    const { spelling, isSymbol } = this.reading
    if (isSymbol?.(symbol) === false) {
      this.leaveOut(`rows of ${escapedExcerpt(symbol)}`)
      return false
    }
    if (this.#symbolCell === undefined) {
      if (this.#source.symbol === undefined && this.symbol === undefined) {
        assetsOfSymbol(cells.place('symbol'), spelling?.(symbol) ?? symbol)
      }
      this.#symbolCell = symbol
    }
    if (symbol !== this.#symbolCell) {
      const first = escapedExcerpt(this.#symbolCell)
      throw cells.error('symbol', `'${first}' as in the first row`, worded`; choose one with ${setting('market')}`)
    }
    return true
  }

  /** BASE_QUOTE: given by the user, by the rows, or by the file. */
  get symbol(): string | undefined {
    const reported = this.#symbolCell
    return (
      this.#source.symbol ??
      (reported === undefined ? undefined : (this.reading.spelling?.(reported) ?? reported)) ??
      this.reading.symbol
    )
  }

  #place(line: number): string {
    return `${this.#source.file}:${line}`
  }
}

/** Joins the cells to a line, with quotes where needed. */
const lineOf = (record: readonly string[], delimiter: string): string =>
  record
    .map((cell) => (cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(delimiter)
