/**
 * The status of a live process as lines that fit a screen: what needs a person comes first, lists take the room that is
 * left.
 *
 * Invariant: never more lines than the height, no line wider than the width, and no character that would move a cursor,
 * whatever a strategy or a service has written.
 */
import type { NumberedEvent } from '../../runtime/live/live-event.ts'
import type { BudgetStatus, LiveStatus, ShownOrder, StrategyStatus } from '../../runtime/live/live-status.ts'
import type { AwaitedInput } from '../../runtime/session/stream-usage.ts'
import { readableAmount, readableChange, readableCount, readableDuration } from '../readable.ts'
import { alignedNumbers } from '../aligned-numbers.ts'
import { cutToWidth, printable, textWidth } from '../terminal-text.ts'
import { eventLine, timeOfDay } from './event-text.ts'

type KeyBudget = NonNullable<LiveStatus['budget']>

/** `alarm` needs a person, `title` is above others, `dim` is there for reference. */
export type LineTone = 'plain' | 'title' | 'alarm' | 'dim'

export interface StatusLine {
  readonly text: string
  readonly tone: LineTone
}

export interface ScreenSize {
  readonly width: number
  readonly height: number
}

const plain = (text: string): StatusLine => ({ text, tone: 'plain' })
const dim = (text: string): StatusLine => ({ text, tone: 'dim' })
const alarm = (text: string): StatusLine => ({ text: `! ${text}`, tone: 'alarm' })

interface ListPart<Line> {
  readonly title: readonly Line[]
  readonly items: readonly Line[]
  /** Replaces the items that do not fit. */
  readonly more: (count: number) => Line
  /** Has priority: its title and items get room before those of the others. */
  readonly isFirst?: boolean
}

/**
 * Lists that share the rows of a screen: each gets a row before one gets two, and says how many of its items have no
 * room.
 *
 * @returns at most `rows` lines; lists without items are left out, and so are the last ones when there is no room for a
 * title and an item
 */
function shareRows<Line>(parts: readonly ListPart<Line>[], rows: number): readonly Line[] {
  const shown: { readonly part: ListPart<Line>; count: number }[] = []
  let left = rows
  for (const part of parts) {
    if (part.items.length === 0) continue
    const least = part.isFirst === true ? part.items.length : 1
    const count = Math.min(least, left - part.title.length)
    if (count < 1) break
    shown.push({ part, count })
    left -= part.title.length + count
  }
  for (let isGiven = true; left > 0 && isGiven;) {
    isGiven = false
    for (const list of shown) {
      if (left === 0 || list.count === list.part.items.length) continue
      list.count += 1
      left -= 1
      isGiven = true
    }
  }
  return shown.flatMap(({ part, count }) => [...part.title, ...itemsIn(part, count)])
}

function itemsIn<Line>({ items, more }: ListPart<Line>, count: number): readonly Line[] {
  return count >= items.length ? items : [...items.slice(0, count - 1), more(items.length - count + 1)]
}

/** @param kind  the command of the process */
export function statusLines(
  status: LiveStatus,
  { width, height }: ScreenSize,
  kind: 'live' | 'paper' = 'live',
): readonly StatusLine[] {
  const head = [
    ...headLines(status, width, kind),
    ...alarmLines(alarmsOf(status), Math.max(1, Math.floor(height / 2) - 3)),
  ]
  const lists = shareRows(listsOf(status), height - head.length)
  return [...head, ...lists]
    .slice(0, height)
    .map(({ text, tone }) => ({ text: cutToWidth(printable(text), width), tone }))
}

function headLines(status: LiveStatus, width: number, kind: string): readonly StatusLine[] {
  const { time, startedAt, baseUrl, budget } = status
  const clock = `up ${upTime(time - startedAt)}  ${timeOfDay(time)} UTC`
  const name = cutToWidth(printable(`papertape ${kind}  ${baseUrl}`), Math.max(1, width - textWidth(clock) - 2))
  const gap = ' '.repeat(Math.max(2, width - textWidth(name) - textWidth(clock)))
  return [
    { text: `${name}${gap}${clock}`, tone: 'title' },
    { text: connectionText(status), tone: isWell(status) ? 'plain' : 'alarm' },
    ...(budget === undefined ? [] : [plain(budgetsText(budget))]),
  ]
}

const isWell = ({ connection, stream }: LiveStatus): boolean => connection === 'connected' && stream !== 'lost'

function connectionText({ connection, stream, dataAt, time }: LiveStatus): string {
  const age = dataAt === undefined ? 'no market data yet' : `market data ${seconds(time - dataAt)} ago`
  const source = stream === 'polling' ? 'polling, no stream' : `stream ${stream}`
  return `${connection}   ${source}, ${age}`
}

const budgetsText = ({ general, mutations }: KeyBudget): string =>
  `budget left: ${budgetText(general)} requests, ${budgetText(mutations)} orders and cancels`

/** Shows the time of the reset only when most of the limit is used. */
function budgetText({ limit, remaining, resetInMs }: BudgetStatus): string {
  const reset = remaining < limit / 4 ? ` (reset in ${seconds(resetInMs)})` : ''
  return `${remaining} of ${limit}${reset}`
}

function alarmLines(alarms: readonly string[], most: number): readonly StatusLine[] {
  if (alarms.length <= most) return alarms.map(alarm)
  return [...alarms.slice(0, most - 1).map(alarm), alarm(`and ${alarms.length - most + 1} more`)]
}

/** Conditions that need a person, or that are out of the ordinary. */
export function alarmsOf({ strategies, halts, undecided, warnings }: LiveStatus): readonly string[] {
  return [
    ...strategies
      .filter(({ state }) => state !== 'ACTIVE')
      .map(({ owner, state, why }) => `${owner} is ${state}${why === '' ? '' : `: ${why}`}`),
    ...halts.map(({ symbol, why, reason }) => `${symbol} is halted (${why}): ${reason}`),
    ...undecided.map(
      ({ id, owner, state, symbol, side, qty, price }) =>
        `intent ${id} of ${owner} is ${state}: ${side} ${qty} ${symbol} ${price === undefined ? 'at market' : `at ${price}`}`,
    ),
    ...warnings,
  ]
}

function listsOf({ strategies, events }: LiveStatus): readonly ListPart<StatusLine>[] {
  const orders = strategies.flatMap(({ owner, openOrders }) => openOrders.map((order) => orderLine(owner, order)))
  const newest = (...types: readonly NumberedEvent['type'][]): readonly StatusLine[] =>
    events
      .filter(({ type }) => types.includes(type))
      .toReversed()
      .map((event) => plain(`  ${eventLine(event)}`))
  const part = (name: string, lines: readonly StatusLine[]): ListPart<StatusLine> => ({
    title: [plain(''), { text: name, tone: 'title' }],
    items: lines,
    more: (count) => dim(`  and ${count} more`),
  })
  const [heading, ...rows] = strategyRows(strategies)
  const waits = strategies.flatMap(({ owner, awaited = [] }) =>
    awaited.map((each) => dim(`  ${owner} waits: ${awaitedText(each)}`)),
  )
  const moved = strategies.flatMap(({ owner, quoteAsset, transfers }) => {
    if (transfers === undefined) return []
    const { count, in: came, out: went } = transfers
    return [dim(`  ${owner}: ${readableCount(count, 'transfer')}, ${came} ${quoteAsset} in, ${went} out`)]
  })
  return [
    {
      ...part(heading ?? '', [...rows.map((row) => plain(row)), ...waits, ...moved]),
      isFirst: true,
    },
    part(
      `open orders (${orders.length})`,
      orders.map((line) => plain(`  ${line}`)),
    ),
    part('last fills', newest('fill')),
    part('last refusals', newest('refusal')),
    part('last events', newest('state', 'halt', 'fault', 'warning', 'twin', 'log', 'started', 'ended')),
    part(
      'run directories',
      strategies.map(({ owner, runDirectory }) => dim(`  ${owner}  ${runDirectory}`)),
    ),
  ]
}

/** A table, its heading first. */
function strategyRows(strategies: readonly StrategyStatus[]): readonly string[] {
  const rows = [
    ['strategy', 'state', 'equity', 'change', 'position', 'orders'],
    ...strategies.map(({ owner, state, equity, quoteAsset, change, positions, openOrders, waiting }) => [
      printable(owner),
      state,
      equity === undefined ? 'not known' : `${readableAmount(equity)} ${quoteAsset}`,
      change === undefined ? '' : readableChange(change),
      positions.map(({ asset, qty }) => `${readableAmount(qty)} ${asset}`).join(', ') || 'none',
      waiting === 0 ? `${openOrders.length} open` : `${openOrders.length} open, ${waiting} waiting`,
    ]),
  ]
  const columns = (rows[0] ?? []).map((title, column) => {
    const cells = rows.map((row) => row[column] ?? '')
    if (title === 'equity' || title === 'change') return alignedNumbers(cells)
    const width = Math.max(...cells.map(textWidth))
    return cells.map((cell) => padded(cell, width))
  })
  return rows.map((_, row) => columns.map((cells) => cells[row] ?? '').join('  '))
}

/** `42 of 60 candles of BTC_USD, 1m`. */
export const awaitedText = ({ seen, needed, symbol, interval }: AwaitedInput): string =>
  `${seen} of ${needed} candles of ${symbol}, ${interval}`

const padded = (cell: string, width: number): string => `${cell}${' '.repeat(Math.max(0, width - textWidth(cell)))}`

function orderLine(owner: string, { side, qty, filledQty, symbol, price, tag, id }: ShownOrder): string {
  const filled = /[1-9]/.test(filledQty) ? `, ${readableAmount(filledQty)} filled` : ''
  const name = tag === undefined ? '' : `  ${tag}`
  return `${owner}  ${side} ${readableAmount(qty)} ${symbol} at ${readableAmount(price ?? 'market')}${filled}${name}  ${id}`
}

/** Whole minutes after the first one: precise enough for a status. */
function upTime(ms: number): string {
  const unit = ms < 60_000 ? 1_000 : 60_000
  return ms < 1_000 ? '0 s' : readableDuration(Math.floor(ms / unit) * unit)
}

const seconds = (ms: number): string => `${(Math.max(0, ms) / 1_000).toFixed(1)} s`

/**
 * The status with one line per strategy, for output that is not a terminal.
 *
 * @param isOver  true after the end, when a state means nothing
 */
export function plainStatusLines(status: LiveStatus, isOver = false): readonly string[] {
  const { time, strategies } = status
  const connection = isWell(status) ? '' : `; ${connectionText(status)}`
  return strategies.map(({ owner, state, equity, quoteAsset, change, positions, openOrders, awaited = [] }) =>
    printable(
      [
        `${timeOfDay(time)}  ${owner}${isOver ? '' : `  ${state}`}`,
        equity === undefined ? 'equity not known' : `equity ${readableAmount(equity)} ${quoteAsset}`,
        ...(change === undefined ? [] : [readableChange(change)]),
        ...positions.map(({ asset, qty }) => `${readableAmount(qty)} ${asset}`),
        ...awaited.map((each) => `waits: ${awaitedText(each)}`),
        `${readableCount(openOrders.length, 'open order')}${connection}`,
      ].join(', '),
    ),
  )
}
