/**
 * Lines of a journal, read as `why` and `diff` read them.
 */
import type { JournalLine } from '../../../src/runtime/journal/journal-line.ts'
import { JournalReader } from '../../../src/runtime/journal/journal-reader.ts'

/** Without those that say nothing of an order or of the account. @param isOwn  true to read them without checks */
export function readJournalLines(lines: readonly string[], isOwn = false): readonly JournalLine[] {
  const journal = new JournalReader(isOwn)
  return lines.flatMap((line, index) => journal.read(`journal:${index + 1}`, line) ?? [])
}
