/** The money of a paper session with a state: its exchange, and what each strategy has there. */
import { InputError } from '../../domain/errors.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { ledgerScales, type MarketConfig } from '../../domain/market.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import type { SnapshotExchange } from '../../exchange/exchange.ts'
import { restoreBooks } from '../../exchange/restore-exchange.ts'
import type { AccountSnapshot, BooksSnapshot } from '../../exchange/snapshot/exchange-snapshot.ts'
import type { PersistedPaper } from '../../store/state/live/persisted-paper.ts'
import { HISTORY, type StageAccount } from '../backtest/backtest-stage.ts'
import { allottedCapital, type Capital } from '../backtest/capital.ts'
import { accountOf, ownerOf, RESERVE } from '../backtest/portfolio.ts'
import type { PreparedPaper } from './prepare-paper.ts'

const booksOf = ({ books }: PersistedPaper): BooksSnapshot => books as BooksSnapshot

/** Symbols of the markets that a state has. */
export const savedSymbols = (saved: PersistedPaper): readonly string[] =>
  booksOf(saved).markets.map(({ symbol }) => symbol)

/** The saved state, and its directory for errors. */
interface SavedState {
  readonly directory: string
  /** Undefined if the state is new. */
  readonly saved: PersistedPaper | undefined
}

/** A strategy, and the capital that it gets if the state does not know it yet. */
export interface PaperOwner {
  readonly name: string
  readonly capital: Capital | undefined
}

/** The money of a session. */
export interface PaperMoney {
  readonly exchange: SnapshotExchange
  /** Balances of each strategy, in order, and what none of them has: ledger units by asset. */
  readonly capitals: readonly ReadonlyMap<string, bigint>[]
  readonly reserve: ReadonlyMap<string, bigint>
  /** Accounts of strategies that do not run. */
  readonly absent: readonly StageAccount[]
}

/**
 * The exchange of a session with a state. A new strategy gets its capital from the reserve, or from the credit if the
 * state is new.
 *
 * @throws {InputError} if the state does not fit the markets, the fees, or the strategies
 */
export function moneyOf(
  { directory, saved }: SavedState,
  { markets, quoteAsset, credit }: Pick<PreparedPaper, 'markets' | 'quoteAsset' | 'credit'>,
  owners: readonly PaperOwner[],
  now: number,
): PaperMoney {
  const scales = ledgerScales(markets)
  if (saved === undefined) {
    const exchange = createExchange({ markets, quoteAsset, history: HISTORY })
    const given = owners.map(({ capital }) => capital)
    return { exchange, ...allottedCapital(given, { credit, scales, quoteAsset }), absent: [] }
  }
  const books = checkedBooks(directory, saved, markets, now)
  const added = markets.filter(({ symbol }) => !books.markets.some((market) => market.symbol === symbol))
  const withNew = allotNew(directory, books, owners)
  const exchange = restoreBooks(withNew, HISTORY, added)
  const heldBy = (account: string): ReadonlyMap<string, bigint> =>
    new Map([...exchange.balances(account)].map(([asset, { available, locked }]) => [asset, available + locked]))
  const names = new Set(owners.map(({ name }) => name))
  const absent = withNew.accounts.flatMap(({ id }) => {
    const owner = ownerOf(id)
    return owner === undefined || names.has(owner) ? [] : [{ account: id, credit: heldBy(id) }]
  })
  return {
    exchange,
    capitals: owners.map(({ name }) => heldBy(accountOf(name))),
    reserve: sumOf([heldBy(RESERVE), ...absent.map((each) => each.credit)]),
    absent,
  }
}

/** Sum of amounts by asset. */
export function sumOf(all: readonly ReadonlyMap<string, bigint>[]): ReadonlyMap<string, bigint> {
  const sum = new Map<string, bigint>()
  for (const each of all) for (const [asset, units] of each) sum.set(asset, (sum.get(asset) ?? 0n) + units)
  return sum
}

/** The saved books with the present terms of their markets. */
function checkedBooks(
  directory: string,
  saved: PersistedPaper,
  markets: readonly MarketConfig[],
  now: number,
): BooksSnapshot {
  const books = booksOf(saved)
  if (books.time > now) {
    throw new InputError(directory, `was saved ${books.time - now} ms in the future: set the clock of this machine`)
  }
  const hasOrders = books.states.some(({ bids, asks }) => bids.length + asks.length > 0)
  const present = books.markets.map((was) => {
    const is = markets.find(({ symbol }) => symbol === was.symbol) ?? was
    const changed = (['pricePrecision', 'qtyPrecision'] as const).find((field) => was[field] !== is[field])
    if (changed !== undefined) {
      throw new InputError(directory, `has ${was.symbol} with ${changed} ${was[changed]}, and it is ${is[changed]} now`)
    }
    const fee = (['makerFeeBps', 'takerFeeBps'] as const).find((field) => was[field] !== is[field])
    if (fee !== undefined && hasOrders) {
      const why = `has open orders at ${fee} ${was[fee]}, and the session has ${is[fee]}: pass the same fee, or cancel them first with papertape paper flatten in a session at the old fee`
      throw new InputError(directory, why)
    }
    return is
  })
  checkDigits(directory, present, markets)
  return { ...books, markets: present }
}

/** Everything that is saved was rounded to the digits that an asset had. */
function checkDigits(directory: string, saved: readonly MarketConfig[], markets: readonly MarketConfig[]): void {
  const [before, after] = [ledgerScales(saved), ledgerScales(markets)]
  for (const [asset, digits] of before) {
    if (after.get(asset) === digits) continue
    const why = `cannot be continued with these markets: ${asset} would have ${after.get(asset) ?? 0} decimals, and the state has ${digits}`
    throw new InputError(directory, why)
  }
}

/** Gives new strategies their capital from the reserve. */
function allotNew(directory: string, books: BooksSnapshot, owners: readonly PaperOwner[]): BooksSnapshot {
  const isNew = ({ name }: PaperOwner): boolean => !books.accounts.some(({ id }) => id === accountOf(name))
  const fresh = owners.filter(isNew)
  if (fresh.length === 0) return books
  const scales = ledgerScales(books.markets)
  const assets = [...scales.keys()]
  const reserve = books.accounts.find(({ id }) => id === RESERVE)
  const free = new Map(assets.map((asset, index) => [asset, BigInt(reserve?.available[index] ?? 0)] as const))
  if ([...free.values()].every((units) => units === 0n)) {
    const known = books.accounts.flatMap(({ id }) => ownerOf(id) ?? [])
    const names = fresh.map(({ name }) => `'${name}'`).join(', ')
    const why = `does not know ${names}, and all of its money belongs to '${known.join("', '")}': use another state directory`
    throw new InputError(directory, why)
  }
  // A share is one of the whole wallet, as at a first start.
  const all = new Map(assets.map((asset, index) => [asset, heldOf(books, index)] as const))
  const taken = new Map(assets.map((asset) => [asset, (all.get(asset) ?? 0n) - (free.get(asset) ?? 0n)] as const))
  const { capitals, reserve: left } = allottedCapital(
    fresh.map(({ capital }) => capital),
    { credit: all, taken, scales, quoteAsset: books.quoteAsset },
    fresh.map((owner) => owners.indexOf(owner)),
  )
  const textsIn = (units: ReadonlyMap<string, bigint> | undefined): readonly string[] =>
    assets.map((asset) => String(units?.get(asset) ?? 0n))
  return {
    ...books,
    accounts: [
      ...books.accounts.map((account) => (account.id === RESERVE ? { ...account, available: textsIn(left) } : account)),
      ...fresh.map(({ name }, index) => newAccount(accountOf(name), textsIn(capitals[index]))),
    ],
  }
}

/** Balances of the strategies and the reserve in an asset. */
const heldOf = ({ accounts }: BooksSnapshot, asset: number): bigint =>
  accounts.reduce((sum, { id, available, locked }) => {
    const isOurs = id === RESERVE || ownerOf(id) !== undefined
    return isOurs ? sum + BigInt(available[asset] ?? 0) + BigInt(locked[asset] ?? 0) : sum
  }, 0n)

const newAccount = (id: string, available: readonly string[]): AccountSnapshot => ({
  id,
  available,
  locked: available.map(() => '0'),
  baselineAt: null,
  baseline: '0',
  unpriced: [],
  finishedOrders: [],
  fills: [],
})

/** Amounts as decimal strings by asset. */
export function amountTexts(
  units: ReadonlyMap<string, bigint>,
  markets: readonly MarketConfig[],
): Readonly<Record<string, string>> {
  const scales = ledgerScales(markets)
  return Object.fromEntries([...units].map(([asset, each]) => [asset, formatTrimmed(each, scales.get(asset) ?? 0)]))
}
