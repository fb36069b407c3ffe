/**
 * One pass over the text of a file: each row is read by the fastest reader that reads it correctly.
 *
 * Plain rows are scanned from their bytes; unusual rows are split at their delimiters; from the first row with a quote
 * inside a cell on, csv-parse reads everything. All readers give the same values and the same errors.
 */
import { InputError } from '../../domain/errors.ts'
import type { CsvRecords } from './csv-records.ts'
import { PlainLines } from './plain-lines.ts'
import type { RowIntake } from './row-intake.ts'
import type { RowSink } from './row-sink.ts'
import { lineFault, soundLength } from './whole-lines.ts'

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
  intake: RowIntake,
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
async function csvRecords(file: string, firstLine: number, { reading }: RowIntake): Promise<CsvRecords> {
  const { CsvRecords } = await import('./csv-records.ts')
  return new CsvRecords(file, firstLine, reading)
}
