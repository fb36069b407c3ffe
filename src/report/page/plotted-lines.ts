/**
 * Plotted lines of a run, from plots.csv.
 *
 * Invariant: the rows that are scanned in place, of which there may be millions, give the lines that parsing their
 * fields gives.
 */
import { csvTable } from '../run/csv-table.ts'
import { plotBlocks } from '../run/plot-blocks.ts'
import { PLOTS_HEADER } from '../run/run-files.ts'
import type { Line } from './page-data.ts'
import { LineThinner } from './thinned-line.ts'

/** Text of plots.csv, from the beginning at each call, in pieces of whole lines. */
export type PlotPieces = () => Iterable<string>

/**
 * The same for plot-blocks.csv.
 *
 * @param pieces  its text
 */
export function plottedBlocks(where: string, pieces: PlotPieces, most = Infinity): ReadonlyMap<string, Line> {
  const found: { name: string; count: number }[] = []
  for (const { line, name, count } of plotBlocks(where, pieces())) {
    found[line] = { name, count: (found[line]?.count ?? 0) + count }
  }
  const lines = found.map(({ count }) => new LineThinner(count, most))
  for (const { line, read, exact } of plotBlocks(where, pieces())) {
    const [times, values] = read()
    let texts = 0
    times.forEach((time, index) => {
      const value = values[index] ?? Number.NaN
      lines[line]?.add(time, shown(Number.isNaN(value) ? Number(exact[texts++]) : value))
    })
  }
  return new Map(lines.map(({ line }, index) => [found[index]?.name ?? '', line]))
}

/** @param index  of the line among the names */
type OnPlot = (index: number, time: number, value: number) => void

/**
 * Reads the file twice, so that no more than the points that are kept is in memory.
 *
 * @param where  name of plots.csv, for errors
 * @param most   maximum number of points of a line
 * @returns lines by name, in order of first value
 */
export function plottedLines(where: string, pieces: PlotPieces, most = Infinity): ReadonlyMap<string, Line> {
  const scanner = new PlotScanner()
  const isScanned = scanner.scan(pieces, () => undefined)
  const { names, counts } = isScanned ? scanner : countsIn(where, pieces)
  const lines = counts.map((count) => new LineThinner(count, most))
  const onPlot: OnPlot = (index, time, value) => lines[index]?.add(time, value)
  if (isScanned) scanner.scan(pieces, onPlot)
  else parse(where, pieces, names, onPlot)
  return new Map(lines.map(({ line }, index) => [names[index] ?? '', line]))
}

function countsIn(where: string, pieces: PlotPieces): { readonly names: string[]; readonly counts: number[] } {
  const names: string[] = []
  const counts: number[] = []
  parse(where, pieces, names, (index) => (counts[index] = (counts[index] ?? 0) + 1))
  return { names, counts }
}

/** Reads rows of any form. @param names  of the lines; new ones are appended */
function parse(where: string, pieces: PlotPieces, names: string[], onPlot: OnPlot): void {
  for (const row of csvTable(where, [...pieces()].join(''))) {
    const known = names.indexOf(row('name'))
    const index = known === -1 ? names.push(row('name')) - 1 : known
    onPlot(index, Number(row('time')), shown(Number(row('value'))))
  }
}

/** Significant digits of a value in a chart. */
const SHOWN = 9
const POWERS = Array.from({ length: SHOWN + 1 }, (_, exponent) => 10 ** exponent)
/** The integers of so many digits. */
const [MIN_SHOWN, MAX_SHOWN] = [10 ** (SHOWN - 1), 10 ** SHOWN]
/** Digits whose value is exact in a double. */
const EXACT_DIGITS = 15
const [ZERO, NINE, DOT, MINUS, LINE_FEED] = [0x30, 0x39, 0x2e, 0x2d, 0x0a]

/** Reads rows without quotes. */
class PlotScanner {
  /** Names of the lines in order of their first value: most rows come in that order. */
  readonly names: string[] = []
  /** Points of each line. */
  counts: number[] = []
  readonly #fields: string[] = []
  #csv = ''
  #at = 0

  /** @returns false if a row has other fields than the header, or no end */
  scan(pieces: PlotPieces, onPlot: OnPlot): boolean {
    let isFirst = true
    this.counts = this.names.map(() => 0)
    for (const csv of pieces()) {
      if (csv.includes('"') || (isFirst && !csv.startsWith(PLOTS_HEADER))) return false
      this.#csv = csv
      this.#at = isFirst ? PLOTS_HEADER.length : 0
      isFirst = false
      if (!this.#scanPiece(onPlot)) return false
    }
    return true
  }

  #scanPiece(onPlot: OnPlot): boolean {
    let [index, timeField, time] = [-1, '\n', 0]
    while (this.#at < this.#csv.length) {
      // Lines plotted at one moment share their time.
      if (!this.#csv.startsWith(timeField, this.#at)) {
        timeField = this.#field()
        time = Number(timeField.slice(0, -1))
      }
      this.#at += timeField.length
      index = this.#nameAt(index + 1)
      const value = this.#value()
      if (value === undefined || timeField === '' || this.#fields[index] === '') return false
      this.counts[index] = (this.counts[index] ?? 0) + 1
      onPlot(index, time, value)
    }
    return true
  }

  /** The next field with its separator; empty if the line ends first. */
  #field(): string {
    const field = this.#csv.slice(this.#at, this.#csv.indexOf(',', this.#at) + 1)
    return field.includes('\n') ? '' : field
  }

  /** Reads a name. @param guess  where it may be in the list @returns its place there */
  #nameAt(guess: number): number {
    let index = guess < this.#fields.length ? guess : 0
    const guessed = this.#fields[index]
    if (guessed === undefined || !this.#csv.startsWith(guessed, this.#at)) {
      const field = this.#field()
      index = this.#fields.indexOf(field)
      if (index === -1) {
        index = this.#fields.push(field) - 1
        this.names.push(field.slice(0, -1))
      }
    }
    this.#at += this.#fields[index]?.length ?? 0
    return index
  }

  /** `shown` of the rest of the line, rounded while its digits are read where that is exact. */
  #value(): number | undefined {
    const [csv, from] = [this.#csv, this.#at]
    const isNegative = csv.charCodeAt(from) === MINUS
    let [at, digits, value, point] = [isNegative ? from + 1 : from, 0, 0, 0]
    for (; at < csv.length; at += 1) {
      const code = csv.charCodeAt(at)
      if (code >= ZERO && code <= NINE) {
        if (digits === EXACT_DIGITS) continue
        value = value * 10 + code - ZERO
        digits += 1
      } else if (code === DOT && point === 0 && digits > 0) point = digits
      else break
    }
    const size = csv.charCodeAt(at) === LINE_FEED ? rounded(value, digits, point) : undefined
    if (size === undefined) return this.#otherValue()
    this.#at = at + 1
    return isNegative ? -size : size
  }

  #otherValue(): number | undefined {
    const end = this.#csv.indexOf('\n', this.#at)
    const text = this.#csv.slice(this.#at, end)
    this.#at = end + 1
    return end === -1 || text.includes(',') ? undefined : shown(Number(text))
  }
}

/**
 * @param digits  of a number as an integer, without those beyond what a double holds
 * @param point   how many of them are before its decimal point
 * @returns `shown` of the number; undefined if that takes more than these digits
 */
function rounded(value: number, digits: number, point: number): number | undefined {
  if (point === 0 || point > SHOWN) return undefined
  const more = digits - SHOWN
  const scaled = more > 0 ? value / (POWERS[more] ?? 1) : value * (POWERS[-more] ?? 1)
  return scaled >= MIN_SHOWN && isClear(scaled) ? Math.round(scaled) / (POWERS[SHOWN - point] ?? 1) : undefined
}

/** The digits that a chart shows: `Number(value.toPrecision(9))`, which takes ten times as long. */
export function shown(value: number): number {
  const size = Math.abs(value)
  if (!(size >= 1 && size < MAX_SHOWN)) return Number(value.toPrecision(SHOWN))
  let unit = MIN_SHOWN
  for (let least = 10; size >= least; least *= 10) unit /= 10
  const scaled = value * unit
  return isClear(scaled) ? Math.round(scaled) / unit : Number(value.toPrecision(SHOWN))
}

/** Whether a number is farther from the middle between two integers than its digits are wrong. */
const isClear = (scaled: number): boolean => Math.abs(scaled - Math.floor(scaled) - 0.5) > 1e-5
