/**
 * Profit of the round trips of a run by market, side, tag, and the weekday and hour in UTC at which they were opened.
 *
 * Invariant: each trip is in one row of each table, and the profits of a table add up to that of all trips, exactly.
 */
import { Decimal, ZERO } from '../../domain/decimal.ts'
import { InputError } from '../../domain/errors.ts'
import { DAY_MS, HOUR_MS, isoTime } from '../../domain/time.ts'
import { assetsOfSymbol } from '../../domain/market.ts'
import { csvTable } from '../run/csv-table.ts'
import { readableChange, readablePercent, readableSigned } from '../readable.ts'
import type { PageTable, TripGroups } from './page-data.ts'
import { signTone } from './run-tables.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
/** 1970 began on a Thursday. */
const FIRST_WEEKDAY = 3
const NO_TAG = 'no tag'
const DECIMAL = /^-?\d+(?:\.\d+)?$/

interface Trip {
  readonly symbol: string
  readonly side: string
  readonly openedAt: number
  readonly profit: Decimal
  readonly return: number
  readonly tags: string
}

interface Group {
  count: number
  won: number
  profit: Decimal
  returns: number
}

const weekdayOf = (time: number): number => (Math.floor(time / DAY_MS) + FIRST_WEEKDAY) % 7

/** Name of a grouping, name of the group of a trip, and its place among the groups. */
const GROUPINGS: readonly (readonly [name: string, group: (trip: Trip) => string, place: (trip: Trip) => number])[] = [
  ['Market', ({ symbol }) => symbol, () => 0],
  ['Side', ({ side }) => (side === 'BUY' ? 'long' : 'short'), () => 0],
  ['Tag', ({ tags }) => (tags === '' ? NO_TAG : tags.replaceAll(';', ', ')), () => 0],
  ['Weekday', ({ openedAt }) => WEEKDAYS[weekdayOf(openedAt)] ?? '', ({ openedAt }) => weekdayOf(openedAt)],
  [
    'Hour',
    ({ openedAt }) => `${isoTime(openedAt).slice(11, 13)}:00`,
    ({ openedAt }) => Math.floor((openedAt % DAY_MS) / HOUR_MS),
  ],
]

/**
 * @param csv        trades.csv
 * @param decimals   of amounts in the quote asset
 * @returns the groupings with more than one group; by market only if profits are in several assets
 * @throws {InputError} for a profit that is no decimal number
 */
export function tripGroups(where: string, csv: string, decimals: number | undefined): TripGroups {
  const trips = Array.from(csvTable(where, csv), (row): Trip => {
    const [symbol, side, tags] = [row('symbol'), row('side'), row('tags')]
    if (!DECIMAL.test(row('profit'))) throw new InputError(where, `expected a profit, found '${row('profit')}'`)
    const [profit, openedAt] = [new Decimal(row('profit')), Date.parse(row('opened_at'))]
    return { symbol, side, tags, openedAt, profit, return: Number(row('return')) }
  })
  const quotes = new Set(trips.map(({ symbol }) => assetsOfSymbol(where, symbol).quoteAsset))
  return GROUPINGS.slice(0, quotes.size > 1 ? 1 : GROUPINGS.length).flatMap(([name, groupOf, placeOf]) => {
    const places = new Map(trips.map((trip) => [groupOf(trip), placeOf(trip)]))
    if (places.size < 2) return []
    const groups = grouped(trips, groupOf)
    const names = [...groups.keys()].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0) || (a < b ? -1 : 1))
    return [{ name, table: tableOf(name, names, groups, decimals) }]
  })
}

function grouped(trips: readonly Trip[], groupOf: (trip: Trip) => string): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  for (const trip of trips) {
    const name = groupOf(trip)
    const group = groups.get(name) ?? { count: 0, won: 0, profit: ZERO, returns: 0 }
    groups.set(name, group)
    group.count += 1
    if (trip.profit.greaterThan(0)) group.won += 1
    group.profit = group.profit.plus(trip.profit)
    group.returns += trip.return
  }
  return groups
}

function tableOf(
  name: string,
  names: readonly string[],
  groups: ReadonlyMap<string, Group>,
  decimals: number | undefined,
): PageTable {
  const rows = names.map((key, place) => {
    const { count, won, profit, returns } = groups.get(key) ?? { count: 0, won: 0, profit: ZERO, returns: 0 }
    const [winRate, meanReturn, exact] = [won / count, returns / count, profit.toFixed()]
    return {
      cells: [
        key,
        String(count),
        readablePercent(winRate),
        readableSigned(exact, Infinity),
        readableChange(meanReturn),
      ],
      order: [place, count, winRate, Number(exact), meanReturn],
      tone: signTone(exact),
    }
  })
  const cut = decimals === undefined ? {} : { decimals: Object.fromEntries(names.map((key) => [key, decimals])) }
  return {
    columns: [
      { key: 'group', label: name, kind: 'text', definition: '' },
      { key: 'trips', label: 'Round trips', kind: 'number', definition: '' },
      { key: 'winRate', label: 'Win rate', kind: 'number', definition: 'Share of them with a profit' },
      { key: 'profit', label: 'Profit', kind: 'number', definition: 'Sum of their profits, net of fees', ...cut },
      { key: 'return', label: 'Mean return', kind: 'number', definition: 'Mean of their returns' },
    ],
    rows,
  }
}
