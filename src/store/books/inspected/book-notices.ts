/**
 * The notices of a recording of books for its user, in full sentences: what was left out or moved, how far it reaches, where something is
 * missing.
 */
import { isoTime } from '../../../domain/time.ts'
import type { Notices } from '../../../tape/notices.ts'
import { spellingNotice } from '../../dialects/symbols.ts'
import type { BookFacts } from '../../tapes/blocks/stored-book.ts'
import type { BookTally } from '../book-tally.ts'
import { MOVED } from '../matching-order.ts'

const MOVES = new Set<string>(Object.values(MOVED))

/** As they are counted. */
const BEFORE_SNAPSHOT = ['frames before the first snapshot', 'rows before the first snapshot'] as const

/** Of gaps that are told with their places. */
const MOST_PLACES = 3

/** Of all that the recording holds. @param market  as it calls it; undefined where it tells no name */
export function readingNotices(tally: BookTally, symbol: string, market: string | undefined): Notices {
  const counts = [...tally.counts]
  const moved = counts.filter(([what]) => MOVES.has(what))
  const seen = counts.filter(([what]) => !MOVES.has(what))
  return {
    warnings: [],
    notes: [
      ...(market === undefined || market === symbol ? [] : [spellingNotice(market, symbol)]),
      ...(moved.length > 0 ? [`The time of the exchange is the order of: ${listed(moved)}.`] : []),
      ...(seen.length > 0 ? [`While it was read these were counted: ${listed(seen)}.`] : []),
    ],
  }
}

const listed = (counts: readonly (readonly [string, number])[]): string =>
  counts.map(([what, count]) => `${what} (${count})`).join(', ')

/** Of a recording that has no book. */
export const noSnapshotNotices = ({ counts }: BookTally): readonly string[] =>
  BEFORE_SNAPSHOT.some((what) => counts.has(what))
    ? [
        'It tells changes of a book, but no snapshot to begin from: the book is left out. Where it goes on from another file, name that one before it.',
      ]
    : []

const TELLS_ORDERS = 'Each order is told by its id: who of those ahead of a resting order went is known, not assumed.'

/** Of the book alone. */
export function depthNotices({ reach, levels, tellsOrders }: BookFacts, tally: BookTally): Notices {
  const notes = [...(tellsOrders ? [TELLS_ORDERS] : []), ...reachNotices(reach, levels, tally)]
  return { warnings: gapNotices(tally), notes }
}

/** Of a book that was imported: its recording has told the rest. */
export function storedNotices({ reach, levels, tellsOrders, gapCount }: BookFacts): Notices {
  const are = gapCount === 1 ? 'is a gap' : `are ${gapCount} gaps`
  return {
    warnings: gapCount === 0 ? [] : [`There ${are} in the book, behind which it is not known until the next snapshot.`],
    notes: [
      ...(tellsOrders ? [TELLS_ORDERS] : []),
      ...(reach === 'snapshots' ? [`The book is told to the best ${levels} of each side only, by snapshots.`] : []),
    ],
  }
}

function reachNotices(reach: BookFacts['reach'], levels: number, { tellsEachChange }: BookTally): readonly string[] {
  if (reach !== 'snapshots') return []
  const top = `The book is told to the best ${levels} of each side only`
  return tellsEachChange
    ? [`${top}, at each change.`]
    : [`${top}.`, 'It is told by snapshots only: between two of them nothing is known.']
}

function gapNotices({ gapCount, gaps }: BookTally): readonly string[] {
  if (gapCount === 0) return []
  const places = gaps.slice(0, MOST_PLACES).map(({ where, time, why }) => `${where} (${isoTime(time)}: ${why})`)
  const more = gapCount > places.length ? `, and ${gapCount - places.length} more` : ''
  const are = gapCount === 1 ? 'is a gap' : `are ${gapCount} gaps`
  return [
    `There ${are} in the book, behind which it is not known until the next snapshot: ${places.join('; ')}${more}.`,
  ]
}
