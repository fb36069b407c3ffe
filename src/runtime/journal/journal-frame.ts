/** The first and the last lines of a journal: the configuration of the run, and the remaining orders. */
import { jsonFields } from '../../domain/json-fault.ts'
import type { MarketConfig } from '../../domain/market.ts'
import type { OwnBalances } from '../../strategy/own-order.ts'
import type { DepthKinds } from '../../simulation/depth/recorded-depth.ts'
import { journalTerms, type RunTerms } from '../settings/run-terms.ts'
import { balancesText } from './journal-text.ts'
import type { Journal, JournalValue } from './journal.ts'
import { JOURNAL_VERSION } from './written-line.ts'

/** Everything that affects a run's result except tape, strategy and version, whose hashes are in the report. */
export interface JournalHead {
  /** Unix milliseconds. */
  readonly from: number
  /** Name of the strategy. */
  readonly strategy: string
  readonly params: Readonly<Record<string, unknown>>
  readonly markets: readonly MarketConfig[]
  /** Length of a candle in milliseconds by symbol, for markets that are recorded as candles. */
  readonly candleMs: ReadonlyMap<string, number>
  /** Recorded book data by symbol, for markets that have any; default: none. */
  readonly books?: ReadonlyMap<string, DepthKinds>
  /** SHA-256 of each series of the run by name; default: none. */
  readonly series?: ReadonlyMap<string, string>
  /** No path: a custom model is identified by its hash. */
  readonly liquidity: string
  readonly terms: RunTerms
  /** Decimal strings by asset. */
  readonly credits: Readonly<Record<string, string>>
}

export function writeRunStart(journal: Journal, head: JournalHead): void {
  const { from, strategy, params, markets, candleMs, books, series, liquidity, terms, credits } = head
  journal.write(from, {
    type: 'run',
    journal: JOURNAL_VERSION,
    strategy,
    // A schema may return any value, such as a bigint.
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
    ...(series !== undefined && series.size > 0 && { series: Object.fromEntries([...series].sort()) }),
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
