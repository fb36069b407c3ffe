/**
 * Candles of a file in columns.
 *
 * Invariant: low <= open, close <= high, and each candle begins at least one interval after the one before.
 */
import { leastStepOf } from '../../domain/calendar.ts'
import { closeTimeOf, lengthText } from '../../domain/candle-length.ts'
import { InputError, invariant } from '../../domain/errors.ts'
import { powerOfTen } from '../../domain/fixed-point.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { SplitSteps } from '../../tape/split-steps.ts'
import type { CandleBlock } from '../../tape/tape.ts'
import { greatestDivisor } from '../../domain/greatest-divisor.ts'
import { CandleSteps } from './candle-steps.ts'
import { DecimalColumn, refineValues } from './decimal-column.ts'
import type { RowCells } from './row-cells.ts'
import { BLOCK_ROWS, type RowSink, type RowTotals, type SinkMark } from './row-sink.ts'
import type { TapeSource } from '../tape-source.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import { SORT_HINT } from './sort-hint.ts'
import { TimeColumn } from './time-column.ts'

/** Text after an error about a candle that opens before the one before it is over. */
export const EARLY_HINT = worded`: it may have been incomplete when the file was written; remove it, or pass ${setting('candleInterval')} for other candles`

const PRICES = ['open', 'high', 'low', 'close'] as const

export class CandleRows implements RowSink {
  readonly time: TimeColumn
  readonly price: DecimalColumn
  /** Volumes. */
  readonly qty: DecimalColumn
  readonly steps = new CandleSteps()
  readonly splits = new SplitSteps()
  /** The shortest time from one candle to the next, milliseconds. */
  readonly leastStep: number
  readonly #cells: RowCells
  readonly #source: TapeSource
  #block = newBlock()
  #length = 0
  #rowsBefore = 0
  #emptyCandles = 0
  #duplicates = 0
  /** The last row of the block before. */
  #edge: readonly number[] = []
  #edgePrecisions: TapePrecisions = { pricePrecision: 0, qtyPrecision: 0 }
  /** Precisions of the block. */
  #pricePrecision = 0
  #qtyPrecision = 0
  /** Time of the first row, and of the first one with volume, as the file has them. */
  #firstTime = Number.NaN
  #firstTradedTime: number | undefined
  #lastTime = -Infinity
  /** The greatest that divides the time of every row. */
  #divisor = 0

  /** @param source  its interval and precisions, if given, apply to every row */
  constructor(cells: RowCells, declaresMilliseconds: boolean, source: TapeSource) {
    this.#cells = cells
    this.#source = source
    this.time = new TimeColumn(declaresMilliseconds, source.timeUnit, source.zone)
    this.price = new DecimalColumn(source.pricePrecision)
    this.qty = new DecimalColumn(source.qtyPrecision)
    this.#pricePrecision = this.price.precision
    this.#qtyPrecision = this.qty.precision
    this.leastStep = source.sort === true ? Number.NEGATIVE_INFINITY : leastStepIn(source)
  }

  get rows(): number {
    return this.#rowsBefore + this.#length
  }

  get isFull(): boolean {
    return this.#length === BLOCK_ROWS
  }

  /** Unix milliseconds of the last row, as the file has it; -Infinity before the first. */
  get lastTime(): number {
    return this.#lastTime
  }

  get duplicates(): number {
    return this.#duplicates
  }

  mark(): SinkMark {
    return { time: this.time.mark(), price: this.price.mark(), qty: this.qty.mark() }
  }

  restore({ time, price, qty }: SinkMark): void {
    this.time.restore(time)
    // The rows before are not written back with fewer decimals.
    if (this.#pricePrecision <= price.precision) this.price.restore(price)
    if (this.#qtyPrecision <= qty.precision) this.qty.restore(qty)
  }

  addRow(): void {
    const cells = this.#cells
    const time = cells.time(this.time)
    const isAgain = time === this.#lastTime && this.#source.sort !== true
    if (!isAgain) this.#checkTime(time)
    const [open, high, low, close] = this.#prices()
    invariant(open !== undefined && high !== undefined && low !== undefined && close !== undefined, 'four prices')
    if (low > high) throw cells.error('low', 'a low price not above the high')
    if (open < low || open > high) throw cells.error('open', 'an opening price from low to high')
    if (close < low || close > high) throw cells.error('close', 'a closing price from low to high')
    // Without trades, files have a zero or an empty cell.
    const hasVolume = cells.has('volume') && cells.text('volume') !== ''
    const volume = hasVolume ? cells.units('volume', 'volume', this.qty, 0) : 0
    this.#refineBlock()
    if (isAgain) {
      this.#takeAgain([open, high, low, close, volume])
      return
    }
    this.store(time, open, high, low, close, volume, cells.line)
  }

  /** Keeps a row that is known to be right. @param line  known to who may need more decimals than the rows before */
  store(time: number, open: number, high: number, low: number, close: number, volume: number, line?: number): void {
    const block = this.#block
    const row = this.#length
    block.time[row] = time
    block.open[row] = open
    block.high[row] = high
    block.low[row] = low
    block.close[row] = close
    block.volume[row] = volume
    if (volume === 0) this.#emptyCandles += 1
    else this.#firstTradedTime ??= time
    if (Number.isNaN(this.#firstTime)) this.#firstTime = time
    this.steps.add(time)
    this.splits.add(time, open, close, this.price.precision)
    this.#alignWith(time)
    this.price.endRow(line)
    this.qty.endRow(line)
    this.#lastTime = time
    this.#length = row + 1
  }

  takeBlock(): CandleBlock {
    const { candleInterval } = this.#source
    invariant(candleInterval !== undefined, 'candles are handed on once their interval is known')
    const candles = this.currentBlock()
    this.dropBlock()
    this.#block = newBlock()
    const shift = openShiftMs(this.#source, candleInterval)
    for (let row = 0; row < candles.length; row += 1) candles.time[row] = (candles.time[row] ?? 0) + shift
    return candles
  }

  currentBlock(): CandleBlock {
    return { ...this.#block, length: this.#length }
  }

  dropBlock(): void {
    const row = this.#length - 1
    const { open, high, low, close, volume } = this.#block
    if (row >= 0) this.#edge = [open, high, low, close, volume].map((column) => column[row] ?? 0)
    this.#edgePrecisions = { pricePrecision: this.#pricePrecision, qtyPrecision: this.#qtyPrecision }
    this.#rowsBefore += this.#length
    this.#length = 0
  }

  /** @param intervalMs  length of a candle */
  totals(intervalMs: number): RowTotals {
    const shift = openShiftMs(this.#source, intervalMs)
    const { file } = this.#source
    const from = (this.#firstTradedTime ?? this.#firstTime) + shift
    if (from < 0) throw new InputError(file, 'expected candles that open from 1970 on, but the first opens before')
    return {
      rows: this.rows,
      emptyCandles: this.#emptyCandles,
      from,
      to: closeTimeOf(this.#lastTime + shift, intervalMs),
      pricePrecision: this.price.precision,
      qtyPrecision: this.qty.precision,
      rowsAtPricePrecision: this.price.rowsAtPrecision,
      rowsAtQtyPrecision: this.qty.rowsAtPrecision,
      hasSides: false,
      hasConditions: false,
      intervalMs,
      isAligned: this.#divisor % intervalMs === 0,
    }
  }

  /** The rows before may have been written with fewer decimals. */
  #refineBlock(): void {
    const { price, qty } = this
    if (price.precision === this.#pricePrecision && qty.precision === this.#qtyPrecision) return
    const { open, high, low, close, volume } = this.#block
    for (const prices of [open, high, low, close]) {
      refineValues(prices, this.#length, price.precision - this.#pricePrecision)
    }
    refineValues(volume, this.#length, qty.precision - this.#qtyPrecision)
    this.#pricePrecision = price.precision
    this.#qtyPrecision = qty.precision
  }

  #alignWith(time: number): void {
    // Most steps are the divisor itself, and dividing is slow.
    if (time - this.#lastTime !== this.#divisor) this.#divisor = greatestDivisor(this.#divisor, time)
  }

  #prices(): readonly number[] {
    const { price } = this
    const cells = this.#cells
    const decimals = PRICES.map((field) => {
      const decimal = cells.decimal(field, 'price', price, 1)
      cells.unitsOf(field, 'price', price, decimal)
      return { field, decimal }
    })
    // Each price may have refined the precision, so the units count only once all four are known.
    return decimals.map(({ field, decimal }) => cells.unitsOf(field, 'price', price, decimal))
  }

  /** Checks the time against the previous row. */
  #checkTime(time: number): void {
    const cells = this.#cells
    const step = time - this.#lastTime
    const least = this.leastStep
    if (step >= least) return
    const before = `that of the row before, in line ${cells.line - 1}`
    if (step <= 0) throw cells.error('time', `a time after ${before}`, SORT_HINT)
    const length = lengthText(this.#source.candleInterval ?? 0)
    throw cells.error('time', `a candle at least ${length} after ${before}`, EARLY_HINT)
  }

  /** A row with the time of the one before is that once more, to the last figure, or is wrong. */
  #takeAgain(figures: readonly number[]): void {
    const { open, high, low, close, volume } = this.#block
    const row = this.#length - 1
    const before = row < 0 ? this.#edge : [open, high, low, close, volume].map((column) => column[row] ?? 0)
    const prices = Number(powerOfTen(row < 0 ? this.price.precision - this.#edgePrecisions.pricePrecision : 0))
    const volumes = Number(powerOfTen(row < 0 ? this.qty.precision - this.#edgePrecisions.qtyPrecision : 0))
    if (figures.some((figure, index) => figure !== (before[index] ?? 0) * (index < PRICES.length ? prices : volumes))) {
      const other = `that of the row before, in line ${this.#cells.line - 1}, which is not the same`
      throw this.#cells.error('time', `a time after ${other}`)
    }
    this.#duplicates += 1
    this.price.skipRow()
    this.qty.skipRow()
  }
}

/** The shortest time between two candles that is accepted, milliseconds. */
function leastStepIn({ candleInterval, candleClose }: TapeSource): number {
  return candleInterval === undefined || candleClose === 'next' ? 1 : leastStepOf(candleInterval)
}

/** Added to the times of a file that has closing times, milliseconds. */
export const openShiftMs = ({ candleTime }: TapeSource, intervalMs: number): number =>
  candleTime === 'close' ? -intervalMs : 0

type Columns = Omit<CandleBlock, 'length' | 'end'>

const newBlock = (): Columns => ({
  time: new Float64Array(BLOCK_ROWS),
  open: new Float64Array(BLOCK_ROWS),
  high: new Float64Array(BLOCK_ROWS),
  low: new Float64Array(BLOCK_ROWS),
  close: new Float64Array(BLOCK_ROWS),
  volume: new Float64Array(BLOCK_ROWS),
})
