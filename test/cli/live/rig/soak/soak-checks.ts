/**
 * What must hold after an episode of the soak: the service's own truth against the files of all its sessions together.
 */
import { parseAmount } from '../../../../../src/domain/fixed-point.ts'
import type { CsvRow } from '../session-process.ts'
import type { FillRow, OrderRow } from '../venue.ts'

export interface SessionEvidence {
  /** Undefined for one that the soak killed. */
  readonly exitCode: number | null | undefined
  /** Whether it ended before it was asked to. */
  readonly endedByItself: boolean
  readonly hasReports: boolean
  readonly output: string
  readonly fills: readonly CsvRow[]
  readonly orders: readonly CsvRow[]
}

export interface EpisodeEvidence {
  readonly sessions: readonly SessionEvidence[]
  readonly credits: Readonly<Record<string, string>>
  /** Whether faults went on while the last session ended: it may then leave orders open if it names them. */
  readonly isRough: boolean
}

export interface LiveEvidence extends EpisodeEvidence {
  /** All of the account, by the service. */
  readonly orders: readonly OrderRow[]
  readonly fills: readonly FillRow[]
  readonly balances: Readonly<Record<string, { readonly available: string; readonly locked: string }>>
  /** Ids of orders that no session placed. */
  readonly foreign: ReadonlySet<string>
  /** Ids that a session asked to cancel. */
  readonly cancelled: ReadonlySet<string>
}

export interface PaperEvidence extends EpisodeEvidence {
  /** Requests with a key, or that change something. */
  readonly privateRequests: readonly string[]
  /** Balances of run.json. */
  readonly balances: LiveEvidence['balances']
}

const DIGITS = 8
/** Ledger units of 10^-16: a product of a price and a quantity. */
const units = (text: string, digits = DIGITS): bigint => {
  const parsed = parseAmount(text, digits)
  if (!parsed.ok) throw new Error(`${text} is ${parsed.fault}`)
  return parsed.value
}
const wide = (text: string): bigint => units(text, 2 * DIGITS)

interface Traded {
  readonly symbol: string
  readonly side: string
  readonly price: string
  readonly qty: string
}

function sums<Row>(rows: readonly Row[], keyOf: (row: Row) => string, amountOf: (row: Row) => bigint) {
  const sum = new Map<string, bigint>()
  for (const row of rows) sum.set(keyOf(row), (sum.get(keyOf(row)) ?? 0n) + amountOf(row))
  return sum
}

/** Balances after fills without fees, in units of 10^-16. */
function balancesAfter(credits: EpisodeEvidence['credits'], fills: readonly Traded[]): ReadonlyMap<string, bigint> {
  const held = new Map(Object.entries(credits).map(([asset, text]) => [asset, wide(text)]))
  const add = (asset: string, amount: bigint): unknown => held.set(asset, (held.get(asset) ?? 0n) + amount)
  for (const { symbol, side, price, qty } of fills) {
    const [base = '', quote = ''] = symbol.split('_')
    const sign = side === 'BUY' ? 1n : -1n
    add(base, sign * wide(qty))
    add(quote, -sign * units(price) * units(qty))
  }
  return held
}

/** Keys that come more than once. */
const repeated = (keys: readonly string[]): readonly string[] => {
  const seen = new Set<string>()
  return keys.filter((key) => seen.size === seen.add(key).size)
}

const list = (what: string, found: readonly string[]): readonly string[] =>
  found.length === 0 ? [] : [`${what}: ${found.slice(0, 5).join('; ')}`]

/** An exception that no one caught, as Node prints it. */
const STACK = /^\s+at .*:\d+:\d+\)?$|^node:internal/m

function sessionMisses(
  { exitCode, endedByItself, hasReports, output }: SessionEvidence,
  isRough: boolean,
): readonly string[] {
  const tail = output.trim().split('\n').slice(-3).join(' | ').slice(-500)
  const expected = isRough ? [0, 3] : [0]
  return [
    ...(endedByItself ? [`a session ended by itself: exit code ${String(exitCode)}: ${tail}`] : []),
    ...(exitCode === undefined || endedByItself || expected.includes(exitCode ?? -1)
      ? []
      : [`exit code ${String(exitCode)}: ${tail}`]),
    ...(exitCode === undefined || hasReports ? [] : [`no run.json or report.html: ${tail}`]),
    ...list('a stack trace', STACK.exec(output) ?? []),
  ]
}

function balanceMisses(expected: ReadonlyMap<string, bigint>, balances: LiveEvidence['balances']): readonly string[] {
  const wrong = [...expected].filter(([asset, amount]) => {
    const { available = '0', locked = '0' } = balances[asset] ?? {}
    return wide(available) + wide(locked) !== amount
  })
  return list(
    'the account is not what the files say',
    wrong.map(([asset, amount]) => `${asset} ${JSON.stringify(balances[asset])}, by the files ${amount} e-16`),
  )
}

const exitMisses = ({ sessions, isRough }: EpisodeEvidence): readonly string[] =>
  sessions.flatMap((session, index) => sessionMisses(session, isRough && index === sessions.length - 1))

const isInferred = ({ trade_id: id = '' }: CsvRow): boolean => id.startsWith('inferred')

/** What does not hold, in words; nothing if all does. */
export function liveMisses(evidence: LiveEvidence): readonly string[] {
  const { sessions, orders, fills, foreign, cancelled, credits, balances } = evidence
  const own = orders.filter(({ id }) => !foreign.has(id))
  const rows = sessions.flatMap((session) => session.fills)
  const written = sums(
    rows,
    (row) => row.order_id ?? '',
    ({ qty = '0' }) => units(qty),
  )
  const known = new Map(fills.map((fill) => [`${fill.id} ${fill.orderId}`, fill]))
  const lastOutput = sessions.at(-1)?.output ?? ''
  const unnamed = own.filter(({ id, status }) => ['OPEN', 'PARTIALLY_FILLED'].includes(status) && !(evidence.isRough && lastOutput.includes(`"${id}"`))) // prettier-ignore
  const sold = new Map<string, bigint>()
  for (const { symbol, side, filledQty } of own) sold.set(symbol, (sold.get(symbol) ?? 0n) + (side === 'SELL' ? 1n : -1n) * units(filledQty)) // prettier-ignore
  const byFiles = balancesAfter(credits, [...(rows as readonly unknown[] as readonly Traded[]), ...fills.filter(({ orderId }) => foreign.has(orderId))]) // prettier-ignore
  return [
    ...exitMisses(evidence),
    ...list('an own order is open', unnamed.map(({ id, symbol, side, qty }) => `${id} ${symbol} ${side} ${qty}`)), // prettier-ignore
    ...list('two orders of one intent', repeated(own.filter(({ symbol }) => symbol === 'BTC_USD').map(({ side, type, price = '', qty }) => `${side} ${type} ${price} ${qty}`))), // prettier-ignore
    ...list('a lost fill', own.filter(({ id, filledQty }) => (written.get(id) ?? 0n) < units(filledQty)).map(({ id, symbol, side, filledQty, createdAt }) => `${id} ${symbol} ${side} of ${createdAt} filled ${filledQty}, in the files ${(written.get(id) ?? 0n)} e-8`)), // prettier-ignore
    ...list('more filled in the files than at the service', own.filter(({ id, filledQty }) => (written.get(id) ?? 0n) > units(filledQty)).map(({ id, filledQty }) => `${id} ${filledQty}`)), // prettier-ignore
    ...list('a fill is in the files twice', repeated(rows.map(({ trade_id: trade = '', order_id: order = '' }) => `${trade} ${order}`))), // prettier-ignore
    ...list('a fill of the files that the service does not have', rows.filter((row) => !isInferred(row) && !known.has(`${row.trade_id ?? ''} ${row.order_id ?? ''}`)).map((row) => JSON.stringify(row))), // prettier-ignore
    ...list(
      'a foreign order was cancelled by a session',
      [...foreign].filter((id) => cancelled.has(id)),
    ),
    ...list('brackets sold more than they bought', (sold.get('ETH_USD') ?? 0n) > 0n ? [String(sold.get('ETH_USD'))] : []), // prettier-ignore
    ...balanceMisses(byFiles, balances),
  ]
}

/** The same of a session on paper, whose account is in its own files. */
export function paperMisses(evidence: PaperEvidence): readonly string[] {
  const { sessions, privateRequests, credits, balances } = evidence
  const fills = sessions.flatMap((session) => session.fills)
  const orders = sessions.flatMap((session) => session.orders).filter(({ status }) => status !== 'REFUSED')
  const written = sums(
    fills,
    (row) => row.order_id ?? '',
    ({ qty = '0' }) => units(qty),
  )
  return [
    ...exitMisses(evidence),
    ...list('a request that is not for market data', privateRequests),
    ...(orders.length < 3 ? [`only ${orders.length} orders`] : []),
    ...list('an order is not the sum of its fills', orders.filter(({ id = '', filled_qty: filled = '0' }) => (written.get(id) ?? 0n) !== units(filled)).map((row) => JSON.stringify(row))), // prettier-ignore
    ...list('a fill is in the files twice', repeated(fills.map(({ trade_id: trade = '', order_id: order = '' }) => `${trade} ${order}`))), // prettier-ignore
    ...balanceMisses(balancesAfter(credits, fills as readonly unknown[] as readonly Traded[]), balances),
  ]
}
