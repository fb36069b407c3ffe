/**
 * plot-blocks.csv: the plotted values of a run that has too many of them for plots.csv, one row per block of values of
 * a line. Writing a number as text takes more time than computing it.
 *
 * A block is base64 of little-endian doubles: the times, unless they are a fixed step apart, then the values. A value
 * that no double has exactly is NaN there; its text is in `exact`, where such texts are separated by spaces. Names are
 * percent-encoded, so that no field needs quotes.
 */
import { endianness } from 'node:os'
import { InputError } from '../../domain/errors.ts'
import { numberText, plotRowOf, type PlotPoint, type PlotRow } from '../../runtime/session/plot-commands.ts'
import { csvRow } from './csv-row.ts'

const BLOCK_VALUES = 4_096
const DOUBLE_BYTES = 8

export const PLOT_BLOCKS_HEADER = csvRow(['line', 'name', 'from_ms', 'step_ms', 'values', 'exact', 'block'])
const FIELDS = 7

const isSwapped = endianness() === 'BE'

function base64(values: Float64Array): string {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  return (isSwapped ? Buffer.from(bytes).swap64() : bytes).toString('base64')
}

/** Values of one line that are not in a row yet. */
class OpenBlock {
  readonly #line: number
  readonly #name: string
  /** Times, then values. */
  readonly #columns = new Float64Array(2 * BLOCK_VALUES)
  #exact: string[] = []
  #count = 0

  constructor(line: number, name: string) {
    this.#line = line
    this.#name = encodeURIComponent(name)
  }

  /** @returns the row of a full block; otherwise an empty text */
  add(time: number, value: PlotPoint['value']): string {
    const number = Number(value)
    const isExact = number === value || numberText(number) === value
    this.#columns[this.#count] = time
    this.#columns[BLOCK_VALUES + this.#count] = isExact ? number : Number.NaN
    if (!isExact) this.#exact.push(String(value))
    this.#count += 1
    return this.#count === BLOCK_VALUES ? this.row() : ''
  }

  /** @returns an empty text for a block without values */
  row(): string {
    const count = this.#count
    if (count === 0) return ''
    const times = this.#columns.subarray(0, count)
    const step = stepOf(times)
    const values = base64(this.#columns.subarray(BLOCK_VALUES, BLOCK_VALUES + count))
    const block = step === undefined ? `${base64(times)} ${values}` : values
    const row = `${this.#line},${this.#name},${times[0]},${step ?? ''},${count},${this.#exact.join(' ')},${block}\n`
    this.#count = 0
    this.#exact = []
    return row
  }
}

/** Undefined if the times are not a fixed step apart. */
function stepOf(times: Float64Array): number | undefined {
  const from = times[0] ?? 0
  const step = (times[1] ?? from) - from
  return times.every((time, index) => time === from + index * step) ? step : undefined
}

/** Rows of plot-blocks.csv. */
export class PlotBlocks {
  readonly #blocksByName = new Map<string, OpenBlock>()

  /** @returns rows that are complete now */
  add({ time, name, value }: PlotPoint): string {
    let block = this.#blocksByName.get(name)
    if (block === undefined) {
      block = new OpenBlock(this.#blocksByName.size, name)
      this.#blocksByName.set(name, block)
    }
    return block.add(time, value)
  }

  /** @returns the other rows */
  finish(): string {
    return Array.from(this.#blocksByName.values(), (block) => block.row()).join('')
  }
}

/** A block as read. */
export interface PlotBlock {
  /** Number of the line in order of first value, from 0. */
  readonly line: number
  readonly name: string
  readonly count: number
  /** Decodes the times, in Unix milliseconds, and the values. */
  readonly read: () => readonly [times: Float64Array, values: Float64Array]
  /** Texts of the values that are NaN, in their order. */
  readonly exact: readonly string[]
}

/**
 * @param where   name of plot-blocks.csv, for errors
 * @param pieces  its text, in pieces of whole rows
 * @throws {InputError} for a row that is not one of a block
 */
export function* plotBlocks(where: string, pieces: Iterable<string>): Generator<PlotBlock> {
  let row = 0
  for (const piece of pieces) {
    for (const text of piece.trimEnd().split('\n')) {
      row += 1
      if (row > 1) yield blockOf(`${where}:${row}`, text)
      else if (`${text}\n` !== PLOT_BLOCKS_HEADER) throw new InputError(where, 'has an unexpected header')
    }
  }
}

function blockOf(where: string, text: string): PlotBlock {
  const fields = text.split(',')
  const [line = '', name = '', from = '', step = '', values = '', exact = '', block = ''] = fields
  const count = Number(values)
  const isOne = fields.length === FIELDS && [line, values].every((each) => /^\d+$/.test(each)) && count <= BLOCK_VALUES
  const columns = isOne ? block.split(' ').map(doublesIn) : []
  const sizes = step === '' ? [count, count] : [count]
  if (count === 0 || columns.length !== sizes.length || columns.some(({ length }) => length !== count)) {
    throw new InputError(where, 'is not a block of plotted values')
  }
  const read = (): readonly [Float64Array, Float64Array] => {
    const [first = new Float64Array(), second] = columns
    const times = new Float64Array(count).map((_, index) => Number(from) + index * Number(step))
    return second === undefined ? [times, first] : [first, second]
  }
  return {
    line: Number(line),
    name: nameOf(where, name),
    count,
    read,
    exact: exact === '' ? [] : exact.split(' '),
  }
}

function nameOf(where: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new InputError(where, `its name is not percent-encoded: '${text}'`, { cause })
  }
}

function doublesIn(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64')
  const values = new Float64Array(Math.floor(bytes.length / DOUBLE_BYTES))
  const copied = Buffer.from(values.buffer)
  bytes.copy(copied)
  if (isSwapped) copied.swap64()
  return values
}

/** The plotted values of blocks, block by block. */
export function* plotRowsOf(blocks: Iterable<PlotBlock>): Generator<PlotRow> {
  for (const { name, read, exact } of blocks) {
    const [times, values] = read()
    let texts = 0
    for (const [index, time] of times.entries()) {
      const value = values[index] ?? Number.NaN
      yield plotRowOf({ time, name, value: Number.isNaN(value) ? (exact[texts++] ?? '') : value })
    }
  }
}
