/**
 * Lines of a journal, read as `why` and `diff` read them.
 */
import type { JournalLine } from '../../../src/runtime/journal/journal-line.ts'
import { JournalReader } from '../../../src/runtime/journal/journal-reader.ts'

/** Without those that say nothing of an order or of the account. */
export function readJournalLines(lines: readonly string[]): readonly JournalLine[] {
  const journal = new JournalReader()
  return lines.flatMap((line, index) => journal.read(`journal:${index + 1}`, line) ?? [])
}
