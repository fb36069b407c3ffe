/**
 * A journal, read back from its file.
 */
import { LineReader } from '../../store/runs/line-reader.ts'
import { readJournalLine, type JournalLine } from './journal-line.ts'

/**
 * Lines that tell something of an order, read anew each time they are asked for.
 *
 * @throws {InputError} naming the line that is none of a journal, or the file when it cannot be read
 */
export const journalLines = (path: string): Iterable<JournalLine> => ({ [Symbol.iterator]: () => linesOf(path) })

function* linesOf(path: string): Generator<JournalLine, void, undefined> {
  const reader = new LineReader(path)
  try {
    let number = 1
    for (let text = reader.next(); text !== undefined; text = reader.next()) {
      const line = readJournalLine(`${path}:${number}`, text)
      if (line !== undefined) yield line
      number += 1
    }
  } finally {
    reader.close()
  }
}
