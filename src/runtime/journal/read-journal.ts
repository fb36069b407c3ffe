/** Reads a journal back from its file. */
import { LineReader } from '../../store/runs/line-reader.ts'
import type { JournalLine } from './journal-line.ts'
import { JournalReader } from './journal-reader.ts'

/**
 * Lines about orders, read again by each iteration.
 * @throws {InputError} naming an invalid line, or the file if it cannot be read
 */
export const journalLines = (path: string): Iterable<JournalLine> => ({ [Symbol.iterator]: () => linesOf(path) })

/**
 * The same for a journal whose writer may have been killed in its last line.
 * @param onCut  called for an incomplete last line, which is skipped
 */
export const keptJournalLines = (path: string, onCut: () => void): Iterable<JournalLine> => ({
  [Symbol.iterator]: () => linesOf(path, onCut),
})

/** The same for a complete text. @param where  names it in errors */
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

/** A prefix of an object is not valid JSON, so a last line that is valid lacks at most its line feed. */
function isCut(text: string): boolean {
  if (text.endsWith('\n')) return false
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}
