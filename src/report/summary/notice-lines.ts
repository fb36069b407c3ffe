/**
 * Notices, wrapped whole where there is room.
 */
import { cutToWidth, printable, wrapPieces } from '../terminal-text.ts'

/**
 * The first notices that fit, each begun with `note: `; the others are counted as `and n more notices`. The first one
 * is always shown, cut when it is too long.
 *
 * @param maxLines  at least 2
 */
export function noticeLines(notices: readonly string[], width: number, maxLines: number): string[] {
  const lines: string[] = []
  for (const [index, notice] of notices.entries()) {
    const left = notices.length - index
    // One line stays free for the count of those that follow.
    const room = maxLines - lines.length - (left > 1 ? 1 : 0)
    const wrapped = wrapPieces(`note: ${printable(notice).trim()}`.split(/ +/), width)
    if (wrapped.length <= room) lines.push(...wrapped)
    else if (index > 0) return [...lines, moreNotices(left)]
    else return [...cutLines(wrapped, room, width), ...(left > 1 ? [moreNotices(left - 1)] : [])]
  }
  return lines
}

const moreNotices = (count: number): string => `and ${count} more ${count === 1 ? 'notice' : 'notices'}`

const cutLines = (lines: readonly string[], room: number, width: number): string[] => [
  ...lines.slice(0, room - 1),
  cutToWidth(lines.slice(room - 1).join(' '), width),
]
