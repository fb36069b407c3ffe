/**
 * A journal, read back from its file.
 */
import { LineReader } from '../../store/runs/line-reader.ts'
import type { JournalLine } from './journal-line.ts'
import { JournalReader } from './journal-reader.ts'

/**
 * Lines that tell something of an order, read anew each time they are asked for.
 *
 * @throws {InputError} naming the line that is none of a journal, or the file when it cannot be read
 */
export const journalLines = (path: string): Iterable<JournalLine> => ({ [Symbol.iterator]: () => linesOf(path) })

/**
 * The same of a journal whose writer may have been killed in the middle of its last line.
 *
 * @param onCut  told of a last line that is not whole, which is left out
 */
export const keptJournalLines = (path: string, onCut: () => void): Iterable<JournalLine> => ({
  [Symbol.iterator]: () => linesOf(path, onCut),
})

/** The same of a journal that was read, as a whole. @param where  names it, for errors */
export function* journalLinesIn(where: string, text: string): Generator<JournalLine, void, undefined> {
  const journal = new JournalReader()
  let number = 1
  for (let start = 0; start < text.length; number += 1) {
    const end = text.indexOf('\n', start) + 1 || text.length
    const line = journal.read(`${where}:${number}`, text.slice(start, end))
    if (line !== undefined) yield line
    start = end
  }
}

function* linesOf(path: string, onCut?: () => void): Generator<JournalLine, void, undefined> {
  const reader = new LineReader(path)
  const journal = new JournalReader()
  try {
    let number = 1
    for (let text = reader.next(); text !== undefined; text = reader.next()) {
      if (onCut !== undefined && isCut(text)) {
        onCut()
        return
      }
      const line = journal.read(`${path}:${number}`, text)
      if (line !== undefined) yield line
      number += 1
    }
  } finally {
    reader.close()
  }
}

/** No beginning of an object is JSON, so that a last line which is JSON lacks no more than its line feed. */
function isCut(text: string): boolean {
  if (text.endsWith('\n')) return false
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}
