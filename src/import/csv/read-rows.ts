/**
 * One pass over the text of a file: each row is read by the fastest reader that reads it correctly.
 *
 * Plain rows are scanned from their bytes; unusual rows are split at their delimiters; from the first row with a quote
 * inside a cell on, csv-parse reads everything. All readers give the same values and the same errors.
 */
import { CARRIAGE_RETURN, LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import type { CsvRecords } from './csv-records.ts'
import type { RecordIntake } from './row-intake.ts'
import type { RowScanner } from './row-scanner.ts'
import type { RowSink } from './row-sink.ts'
import { splitLine } from './split-line.ts'
import { lineFault, soundLength } from './whole-lines.ts'

const BLANK = ['']

/** Reads lines without quotes inside of cells: plain rows from their bytes, any other line split at its delimiters. */
class PlainLines {
  readonly #intake: RecordIntake
  readonly #delimiter: string
  #scanner: RowScanner | undefined
  #nextLine = 1

  constructor(intake: RecordIntake) {
    this.#intake = intake
    this.#delimiter = String.fromCharCode(intake.reading.delimiter)
  }

  /** Number of the first line that was not read. */
  get nextLine(): number {
    return this.#nextLine
  }

  /**
   * Yields the sink whenever its block is full.
   *
   * @param lines  valid text, whole lines
   * @returns      start of the first line that needs another reader; the length of the text if there is none
   */
  *read(lines: Buffer): Generator<RowSink, number, undefined> {
    const { hasBlanks } = this.#intake.reading
    let at = 0
    while (at < lines.length) {
      const { sink } = this.#intake
      if (sink?.isFull === true) yield sink
      const text = this.#passBlanks(lines, at)
      if (text > at) {
        at = text
        continue
      }
      const next = this.#scan(lines, at)
      if (next === at) {
        const end = lines.indexOf(LINE_FEED, at)
        const line = lines.subarray(at, lines[end - 1] === CARRIAGE_RETURN ? end - 1 : end).toString()
        const cells = splitLine(line, this.#delimiter, hasBlanks)
        if (cells === undefined) break
        this.#intake.add(cells, this.#nextLine, line)
        this.#nextLine += 1
        at = end + 1
      } else {
        at = next
      }
    }
    return at
  }

  /** Skips empty lines and returns the start of the next other line. */
  #passBlanks(lines: Buffer, start: number): number {
    const first = this.#nextLine
    let at = start
    for (let end = endOfBlank(lines, at); end > at; end = endOfBlank(lines, at)) {
      at = end
      this.#nextLine += 1
    }
    // Consecutive empty lines count as the first of them.
    if (at > start) this.#intake.add(BLANK, first)
    return at
  }

  /** Scans as many plain rows as possible and returns the start of the first other one. */
  #scan(lines: Buffer, start: number): number {
    this.#scanner ??= this.#intake.scanner()
    const { sink } = this.#intake
    if (this.#scanner === undefined || sink === undefined || this.#intake.isOver) return start
    const before = sink.rows
    const next = this.#scanner.scan(lines, start)
    this.#nextLine += sink.rows - before
    return next
  }
}

/** Start of the line after an empty one; `at` itself for any other line. */
function endOfBlank(lines: Buffer, at: number): number {
  if (lines[at] === LINE_FEED) return at + 1
  return lines[at] === CARRIAGE_RETURN && lines[at + 1] === LINE_FEED ? at + 2 : at
}

/** `csv`: csv-parse reads from the first line on, which is what the fast ways are held against. */
export type ReadingWay = 'fast' | 'csv'

/**
 * Yields the sink whenever its block is full, and at the end; it must be emptied before going on.
 *
 * @param lines  pieces of whole lines, as from `wholeLines`
 * @throws {InputError} at the first row that is wrong
 */
export async function* readRows(
  file: string,
  lines: AsyncIterable<Buffer>,
  intake: RecordIntake,
  way: ReadingWay = 'fast',
): AsyncGenerator<RowSink, void, undefined> {
  const plain = new PlainLines(intake)
  let csv = way === 'csv' ? await csvRecords(file, 1, intake) : undefined
  for await (const piece of lines) {
    const sound = piece.subarray(0, soundLength(piece))
    const at = csv === undefined ? yield* plain.read(sound) : 0
    if (at < sound.length) {
      csv ??= await csvRecords(file, plain.nextLine, intake)
      yield* csv.read(sound.subarray(at), intake)
    }
    const fault = lineFault(piece, sound.length)
    if (fault !== undefined) {
      if (csv !== undefined) yield* csv.end(intake, false)
      throw new InputError(`${file}:${(csv ?? plain).nextLine}`, fault)
    }
  }
  if (csv !== undefined) yield* csv.end(intake, true)
  intake.end()
  if (intake.sink !== undefined) yield intake.sink
}

/** Loads csv-parse, which most files do without. */
async function csvRecords(file: string, firstLine: number, { reading }: RecordIntake): Promise<CsvRecords> {
  const { CsvRecords } = await import('./csv-records.ts')
  return new CsvRecords(file, firstLine, reading)
}
