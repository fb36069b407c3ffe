/** Notices about a recording of books in full sentences: what was left out or moved, its reach, its gaps. */
import { isoTime } from '../../../domain/time.ts'
import type { Notices } from '../../../tape/notices.ts'
import { spellingNotice } from '../../../import/formats/symbols.ts'
import type { BookFacts } from '../../tapes/blocks/stored-book.ts'
import type { BookTally } from '../book-tally.ts'
import { MOVED } from '../matching-order.ts'

const MOVES = new Set<string>(Object.values(MOVED))

/** Descriptions as used in the tally. */
const BEFORE_SNAPSHOT = ['frames before the first snapshot', 'rows before the first snapshot'] as const

/** Maximum of gaps listed with their places. */
const MAX_PLACES = 3

/**
 * Notices about the whole recording.
 *
 * @param market  name in the recording; undefined if it has none
 */
export function readingNotices(tally: BookTally, symbol: string, market: string | undefined): Notices {
  const counts = [...tally.counts]
  const moved = counts.filter(([what]) => MOVES.has(what))
  const seen = counts.filter(([what]) => !MOVES.has(what))
  return {
    warnings: [],
    notes: [
      ...(market === undefined || market === symbol ? [] : [spellingNotice(market, symbol)]),
      ...(moved.length > 0 ? [`Sorted by the time of the exchange: ${listed(moved)}.`] : []),
      ...(seen.length > 0 ? [`Counted while reading: ${listed(seen)}.`] : []),
    ],
  }
}

const listed = (counts: readonly (readonly [string, number])[]): string =>
  counts.map(([what, count]) => `${what} (${count})`).join(', ')

/** Notices about a recording without a book. */
export const noSnapshotNotices = ({ counts }: BookTally): readonly string[] =>
  BEFORE_SNAPSHOT.some((what) => counts.has(what))
    ? [
        'It has changes of a book but no snapshot to start from, so the book is not used. If it continues another file, give that file first.',
      ]
    : []

const REPORTS_ORDERS = 'It has the id of every order, so the queue ahead of your orders is known, not estimated.'

/** Notices about the book only. */
export function depthNotices({ reach, levels, reportsOrders }: BookFacts, tally: BookTally): Notices {
  const notes = [...(reportsOrders ? [REPORTS_ORDERS] : []), ...reachNotices(reach, levels, tally)]
  return { warnings: gapNotices(tally), notes }
}

/** Notices about an imported book; the others were reported when it was imported. */
export function storedNotices({ reach, levels, reportsOrders, gapCount }: BookFacts): Notices {
  const are = gapCount === 1 ? 'is a gap' : `are ${gapCount} gaps`
  return {
    warnings:
      gapCount === 0 ? [] : [`There ${are} in the book; after a gap the book is unknown until the next snapshot.`],
    notes: [
      ...(reportsOrders ? [REPORTS_ORDERS] : []),
      ...(reach === 'snapshots' ? [`The book has only the best ${levels} of each side, as snapshots.`] : []),
    ],
  }
}

function reachNotices(reach: BookFacts['reach'], levels: number, { reportsEachChange }: BookTally): readonly string[] {
  if (reach !== 'snapshots') return []
  const top = `The book has only the best ${levels} of each side`
  return reportsEachChange
    ? [`${top}, at each change.`]
    : [`${top}.`, 'The book has only snapshots; changes between two snapshots are unknown.']
}

function gapNotices({ gapCount, gaps }: BookTally): readonly string[] {
  if (gapCount === 0) return []
  const places = gaps.slice(0, MAX_PLACES).map(({ where, time, why }) => `${where} (${isoTime(time)}: ${why})`)
  const more = gapCount > places.length ? `, and ${gapCount - places.length} more` : ''
  const are = gapCount === 1 ? 'is a gap' : `are ${gapCount} gaps`
  return [
    `There ${are} in the book; after a gap the book is unknown until the next snapshot: ${places.join('; ')}${more}.`,
  ]
}
