/**
 * A small snapshot, and everything that is tried at it: each part wrong by itself, and what belongs together wrong
 * together.
 */
import { auditToJson } from '../../../src/domain/audit.ts'
import { InputError } from '../../../src/domain/errors.ts'
import type { createExchange } from '../../../src/exchange/create-exchange.ts'
import type { SnapshotExchange } from '../../../src/exchange/exchange.ts'
import type { ExchangeSnapshot } from '../../../src/exchange/snapshot/exchange-snapshot.ts'
import type { restoreExchange } from '../../../src/exchange/restore-exchange.ts'
import { market } from './configs.ts'
import { corrupted, corruptions, type Corruption } from './corruptions.ts'

const BTC = 'BTC_USD'
const MARKETS = [
  market(BTC, { pricePrecision: 1, qtyPrecision: 2, makerFeeBps: '1', takerFeeBps: '2.5' }),
  market('ETH_USD', { pricePrecision: 0, qtyPrecision: 0 }),
]
const MARKET_ORDER = 0

/**
 * Orders of two accounts and of the crowd that rest, are filled in part, filled and cancelled; a market without a
 * trade.
 */
function smallExchange(create: typeof createExchange): SnapshotExchange {
  const history = { orders: 4, fills: 5, trades: 6, candles: 3 }
  const exchange = create({ markets: MARKETS, quoteAsset: 'USD', history })
  let time = 100_000
  const place = (account: string, symbol: string, side: 'BUY' | 'SELL', price: number, qty: number): void => {
    time += 700
    const request =
      price === MARKET_ORDER
        ? ({ symbol, side, type: 'MARKET', qty } as const)
        : ({ symbol, side, type: 'LIMIT', price, qty } as const)
    exchange.execute({ type: 'place', time, account, request })
  }
  for (const asset of ['BTC', 'USD', 'ETH']) {
    for (const account of ['a', 'b']) exchange.execute({ type: 'credit', time, account, asset, amount: 10n ** 9n })
  }
  place('crowd', BTC, 'SELL', 120, 5)
  place('a', BTC, 'BUY', 100, 7)
  place('a', BTC, 'BUY', 100, 3)
  place('b', BTC, 'SELL', 99, 4)
  place('b', BTC, 'SELL', 110, 4)
  place('b', BTC, 'BUY', 99, 4)
  place('a', BTC, 'BUY', MARKET_ORDER, 2)
  place('a', BTC, 'BUY', 115, 3)
  exchange.execute({ type: 'cancel', time, account: 'a', orderId: exchange.lastOrderId })
  place('a', 'ETH_USD', 'BUY', 5, 3)
  exchange.enter({ symbol: BTC, time: time + 1, price: 105, qty: 2, part: 'volume' })
  exchange.print({ symbol: BTC, time: time + 60_000, price: 105, qty: 2, isBuyerMaker: true })
  return exchange
}

/** As a file gives it back. */
export const smallSnapshot = (create: typeof createExchange): ExchangeSnapshot =>
  JSON.parse(JSON.stringify(smallExchange(create).snapshot())) as ExchangeSnapshot

/**
 * What nothing else in a snapshot repeats, by its path without the numbers: names and limits, ids beyond the last, the
 * past of accounts and of markets, and the orders of the crowd, for which nothing is locked.
 */
const REPORTED_ONCE = [
  /^markets\.\*\.(id|name|makerFeeBps)$/,
  /^history\./,
  /^(time|lastOrderId|lastTradeId|accounts)$/,
  /^accounts\.\*\.(baselineAt|baseline|unpriced.*)$/,
  /^accounts\.\*\.fills(\.\*(\.fee)?)?$/,
  /^accounts\.\*\.finishedOrders(\.\*(\.(filledNotional|fee|createdAt|qty|price))?)?$/,
  /^states\.\*\.(bids|asks)\.\*\.(id|createdAt|exactFee|filledNotional|request\.qty)$/,
  /^states\.\*\.asks(\.\*(\.request\.price)?)?$/,
  /^states\.\*\.statistics\.(readAt|trades(\.\*.*)?|(window|correction)\.\w+\.\*)$/,
  /^states\.\*\.statistics\.candles\.series\..*$/,
]

const placeOf = (path: readonly (string | number)[]): string =>
  path.map((key) => (typeof key === 'number' ? '*' : key)).join('.')

/** What came of every part that was wrong by itself. */
export interface DamageReport {
  /** Places that were refused. */
  readonly refused: ReadonlySet<string>
  /** Places whose damage was believed though something else in the snapshot denies it. */
  readonly believed: readonly string[]
  /** What neither was refused as bad input nor adds up. */
  readonly faults: readonly string[]
}

/** Where nothing means that all are kept, or that no candle has begun. */
const MAY_BE_NULL = /^history\.\w+$|\.running$/

/** What is reported once may be another amount, name or list, but nothing else. */
function isOfKind(snapshot: unknown, { path, value }: Corruption): boolean {
  const before = path.reduce<unknown>(
    (node, key) => (node as Readonly<Record<string | number, unknown>>)[key],
    snapshot,
  )
  // An item that is gone from a list leaves a shorter one.
  if (value === null) return MAY_BE_NULL.test(placeOf(path))
  if (typeof value === 'symbol') return typeof path.at(-1) === 'number'
  return kindOf(before) === kindOf(value)
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'whole number' : 'number'
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'list'
  return value === '' ? 'empty' : typeof value
}

/** Restores `snapshot` with each of its parts wrong in each way. */
export function damageEach(snapshot: ExchangeSnapshot, restore: typeof restoreExchange): DamageReport {
  const [refused, believed, faults] = [new Set<string>(), new Set<string>(), [] as string[]]
  for (const corruption of corruptions(snapshot)) {
    const wrong = corrupted(snapshot, corruption) as ExchangeSnapshot
    if (JSON.stringify(wrong) === JSON.stringify(snapshot)) continue
    const place = placeOf(corruption.path)
    try {
      if (!auditToJson(restore(wrong).audit()).ok) faults.push(`${place}: ${corruption.name}: does not add up`)
      const isReported = REPORTED_ONCE.some((pattern) => pattern.test(place))
      if (!isReported || !isOfKind(snapshot, corruption)) believed.add(`${place}: ${corruption.name}`)
    } catch (error) {
      if (error instanceof InputError) refused.add(place)
      else faults.push(`${place}: ${corruption.name}: ${String(error)}`)
    }
  }
  return { refused, believed: [...believed], faults }
}

/** A snapshot with several places changed, by their paths; what is refused of it, in a part of the words. */
export interface Damage {
  readonly name: string
  readonly changes: Readonly<Record<string, unknown>>
  readonly fault: string
}

export const withChanges = (snapshot: ExchangeSnapshot, changes: Damage['changes']): ExchangeSnapshot =>
  Object.entries(changes).reduce<unknown>((changed, [place, value]) => {
    const path = place.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
    return corrupted(changed, { path, name: place, value })
  }, snapshot) as ExchangeSnapshot

/** In the first account, asset 0 is BTC and 1 is USD. */
export function damages(snapshot: ExchangeSnapshot): readonly Damage[] {
  const cases: readonly (readonly [string, Damage['changes'], string])[] = [
    [
      'more locked than the orders reserve',
      moved(snapshot, 'available', 'locked'),
      'what is locked of USD is not what',
    ],
    [
      'less locked than the orders reserve',
      moved(snapshot, 'locked', 'available'),
      'what is locked of USD is not what',
    ],
    ['more fills than are kept', { 'history.fills': 1 }, 'accounts.0.fills'],
    ['more finished orders than are kept', { 'history.orders': 1 }, 'accounts.0.finishedOrders'],
    ['an order of nobody', { 'states.0.bids.0.account': 'c' }, "states.0.bids.0: its account 'c' is not there"],
    ['a crossed book', { 'states.0.asks.0.request.price': 100 }, 'states.0: the best bid, order 2, would have traded'],
    ['more open than ordered', { 'states.0.bids.0.remaining': 8 }, 'states.0.bids.0: has 8 of 7 lots open'],
    ['a status that its lots deny', { 'states.0.bids.0.status': 'OPEN' }, 'is OPEN with 3 of 7 lots open'],
    ['one id twice', { 'states.0.bids.1.id': 2 }, 'states.0.bids.1: order 2 is there twice'],
    ['an id that was not given out', { 'states.0.bids.1.id': 99 }, 'no order 99 was given out'],
    ['a sell order among bids', { 'states.0.bids.0.request.side': 'SELL' }, 'is no BUY order of BTC_USD'],
    ['an order of another market', { 'states.0.bids.0.request.symbol': 'ETH_USD' }, 'is no BUY order of BTC_USD'],
    ['a market order that rests', { 'states.0.bids.0.request.type': 'MARKET' }, 'a market order does not rest'],
    ['a worse order first', { 'states.0.bids': snapshot.states[0]?.bids.toReversed() }, 'is better than the one ahead'],
    ['one account twice', { accounts: [...snapshot.accounts, snapshot.accounts[0]] }, 'accounts.3: a is there twice'],
    ['a finished order of another', { 'accounts.0.finishedOrders.0.userId': 'b' }, "is an order of 'b'"],
    ['a fill of another', { 'accounts.0.fills.0': snapshot.accounts[1]?.fills[0] }, 'accounts.0.fills.0: is no SELL'],
    ['a fill twice', { 'accounts.0.fills.1': snapshot.accounts[0]?.fills[0] }, 'accounts.0.fills.1: trade 1 is there'],
    ['an amount that is no number', { 'ledger.credited.0': '1e9' }, 'ledger.credited: expected a whole number as text'],
    ['an asset too few', { 'accounts.0.available': ['1'] }, 'accounts.0.available: expected a whole number as text'],
    ['a trade reported in two ways', { 'states.0.statistics.trades.0.price': 98 }, 'trade 1 has two versions'],
    [
      'a last price of no trade',
      { 'states.0.statistics.lastPrice': 98 },
      'the last price is not that of the last trade',
    ],
  ]
  return cases.map(([name, changes, fault]) => ({ name, changes, fault }))
}

/** One unit of USD of the first account in the other place. */
function moved(
  snapshot: ExchangeSnapshot,
  from: 'available' | 'locked',
  to: 'available' | 'locked',
): Readonly<Record<string, string>> {
  const units = (kind: 'available' | 'locked'): bigint => BigInt(snapshot.accounts[0]?.[kind][1] ?? '0')
  return { [`accounts.0.${from}.1`]: String(units(from) - 1n), [`accounts.0.${to}.1`]: String(units(to) + 1n) }
}
