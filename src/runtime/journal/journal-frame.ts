/**
 * The first and the last lines of a journal: what was run, and what was left.
 */
import { jsonFields } from '../../domain/json-fault.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { OwnBalances } from '../../strategy/own-order.ts'
import type { DepthKinds } from '../../simulation/depth/recorded-depth.ts'
import { journalTerms, type RunTerms } from '../settings/run-terms.ts'
import { balancesText } from './journal-text.ts'
import type { Journal, JournalValue } from './journal.ts'
import { JOURNAL_VERSION } from './written-line.ts'

/** Everything that bears on a run but tape, strategy and version, which stand in the report by their hashes. */
export interface JournalHead {
  /** Unix milliseconds. */
  readonly from: number
  /** Name of the strategy. */
  readonly strategy: string
  readonly params: Readonly<Record<string, unknown>>
  readonly markets: readonly MarketConfig[]
  /** Milliseconds of a candle, by symbol, of the markets that were recorded as candles. */
  readonly candleMs: ReadonlyMap<string, number>
  /** What is recorded of their books, by symbol, of the markets that have any; default: none. */
  readonly books?: ReadonlyMap<string, DepthKinds>
  /** No path: a model of the user's own stands by its hash. */
  readonly liquidity: string
  readonly terms: RunTerms
  /** Decimal strings by asset. */
  readonly credits: Readonly<Record<string, string>>
}

export function writeRunStart(journal: Journal, head: JournalHead): void {
  const { from, strategy, params, markets, candleMs, books, liquidity, terms, credits } = head
  journal.write(from, {
    type: 'run',
    journal: JOURNAL_VERSION,
    strategy,
    // A schema may make anything of what it was given, such as a bigint.
    params: jsonFields(params) as JournalValue,
    markets: markets.map(({ symbol, pricePrecision, qtyPrecision, makerFeeBps, takerFeeBps, selfTrade }) => ({
      symbol,
      pricePrecision,
      qtyPrecision,
      makerFeeBps,
      takerFeeBps,
      selfTrade,
      ...candleField(candleMs.get(symbol)),
      ...bookField(books?.get(symbol)),
    })),
    liquidity,
    ...(journalTerms(terms) as Readonly<Record<string, JournalValue>>),
  })
  for (const [asset, amount] of Object.entries(credits)) journal.write(from, { type: 'credit', asset, amount })
}

const candleField = (candleMs: number | undefined): { readonly candleMs?: number } =>
  candleMs === undefined ? {} : { candleMs }

const bookField = (kinds: DepthKinds | undefined): { readonly book?: 'levels' | 'quotes' } =>
  kinds === undefined ? {} : { book: kinds.hasLevels ? 'levels' : 'quotes' }

export function writeRunEnd(journal: Journal, time: number, balances: OwnBalances): void {
  journal.writeFields(time, `"type":"end","balances":${balancesText(balances)}}`)
}
