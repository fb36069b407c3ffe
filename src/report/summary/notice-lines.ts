/**
 * Notices as lines: every warning whole, and as many notes as there is room for.
 */
import { printable, wrapPieces } from '../terminal-text.ts'

/** A warning, begun with `warning: `. */
export const warningLines = (warning: string, width: number): readonly string[] => wrapped('warning', warning, width)

/**
 * The first notes that fit whole, each begun with `note: `; the others are counted as `and n more notes`,
 * with the place where they can be read.
 *
 * @param maxLines  at least 1
 */
export function noteLines(notes: readonly string[], width: number, maxLines: number): readonly string[] {
  const lines: string[] = []
  for (const [index, note] of notes.entries()) {
    const left = notes.length - index
    // One line stays free for the count of those that follow.
    const room = maxLines - lines.length - (left > 1 ? 1 : 0)
    const next = wrapped('note', note, width)
    if (next.length > room) return [...lines, moreNotes(left, index > 0)]
    lines.push(...next)
  }
  return lines
}

const moreNotes = (count: number, isMore: boolean): string =>
  `${isMore ? `and ${count} more` : count} ${count === 1 ? 'note' : 'notes'}: see notices in run.json (--out)`

const wrapped = (what: string, notice: string, width: number): readonly string[] =>
  wrapPieces(`${what}: ${printable(notice).trim()}`.split(/ +/), width)
