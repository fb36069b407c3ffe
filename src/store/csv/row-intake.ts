/**
 * Takes the records of a file one by one: the first says what the columns are, the others go to the sink that fits them.
 *
 * Invariant: every record has as many cells as the first, and no blank line has a row after it.
 */
import { InputError, invariant } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { assetsOfSymbol } from '../../domain/market.ts'
import { CandleRows } from './candle-rows.ts'
import { CandleScanner } from './candle-scanner.ts'
import { planColumns, type ColumnPlan } from './column-plan.ts'
import { RowCells } from './row-cells.ts'
import type { RowScanner } from './row-scanner.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import type { TapeSource } from '../tape-source.ts'
import { TradeRows } from './trade-rows.ts'
import { TradeScanner } from './trade-scanner.ts'

const PRINTABLE = /^[ -~]*$/

export class RowIntake {
  readonly #source: TapeSource
  #plan: ColumnPlan | undefined
  #cells: RowCells | undefined
  #sink: TradeRows | CandleRows | undefined
  #symbolCell: string | undefined
  #blankLine: number | undefined

  constructor(source: TapeSource) {
    this.#source = source
  }

  /** Undefined before the first record. */
  get sink(): TradeRows | CandleRows | undefined {
    return this.#sink
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
   * @throws {InputError} when it is wrong
   */
  add(record: readonly string[], line: number): void {
    if (record.length === 1 && record[0] === '') {
      this.#blankLine ??= line
      return
    }
    if (this.#blankLine !== undefined) {
      throw new InputError(this.#place(this.#blankLine), 'expected a row, got a blank line')
    }
    if (this.#plan !== undefined) {
      this.#addRow(record, line)
      return
    }
    const plan = planColumns(this.#source.file, record, this.#source.columns)
    this.#begin(plan)
    if (!plan.hasHeader) this.#addRow(record, line)
  }

  /** A faster way for rows that are plain, once a row has shown that there may be some. */
  scanner(): RowScanner | undefined {
    const rows = this.#sink
    const plan = this.#plan
    if (plan === undefined || rows === undefined || rows.rows === 0) return undefined
    const { form } = rows.time
    const symbol = this.#symbolCell ?? ''
    if (form === undefined || !PRINTABLE.test(symbol)) return undefined
    if (rows instanceof CandleRows) return new CandleScanner(rows, plan.fields, form, symbol)
    const arePlainIds = rows.ids === undefined || rows.ids.form === 'number'
    return arePlainIds ? new TradeScanner(rows, plan.fields, form, symbol) : undefined
  }

  /** To be called after the last record. @throws {InputError} when there was no row */
  end(): void {
    const { file } = this.#source
    if (this.#sink === undefined) throw new InputError(file, 'expected CSV, got only blank lines')
    if (this.#sink.rows === 0) throw new InputError(file, 'expected a row, got only a header')
  }

  #begin(plan: ColumnPlan): void {
    const { file, symbol } = this.#source
    if (symbol === undefined && !plan.fields.includes('symbol')) {
      throw new InputError(setting('tapes'), `expected a symbol for ${file}: write SYMBOL=${file}`, {
        hint: worded` or give ${setting('symbol')}`,
      })
    }
    const cells = new RowCells(file, plan.fields)
    const Rows = plan.kind === 'trades' ? TradeRows : CandleRows
    this.#plan = plan
    this.#cells = cells
    this.#sink = new Rows(cells, plan.declaresMilliseconds, this.#source)
  }

  #addRow(record: readonly string[], line: number): void {
    const cells = this.#cells
    const columns = this.#plan?.fields.length
    invariant(cells !== undefined && columns !== undefined, 'a row comes after the plan of its columns')
    if (record.length !== columns) {
      const where = `${this.#place(line)}:${Math.min(record.length, columns) + 1}`
      throw new InputError(where, `expected ${columns} columns, got ${record.length}`)
    }
    cells.load(record, line)
    if (cells.has('symbol')) this.#checkSymbol(cells)
    this.#sink?.addRow()
  }

  #checkSymbol(cells: RowCells): void {
    const symbol = cells.text('symbol')
    if (this.#symbolCell === undefined) {
      if (this.#source.symbol === undefined) assetsOfSymbol(cells.place('symbol'), symbol)
      this.#symbolCell = symbol
    }
    if (symbol !== this.#symbolCell)
      throw cells.error('symbol', `'${escapedExcerpt(this.#symbolCell)}' as in the first row`)
  }

  #place(line: number): string {
    return `${this.#source.file}:${line}`
  }
}
