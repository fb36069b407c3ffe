/** Adds markets without any activity to a snapshot: ids and balances stay the same. */
import { invariant } from '../domain/errors.ts'
import { powerOfTen } from '../domain/fixed-point.ts'
import { ledgerScales, type MarketConfig } from '../domain/market.ts'
import { valueScaleOf } from '../domain/pricing.ts'
import { TradeRecords } from './accounts/trade-records.ts'
import { MarketStatistics } from './statistics/market-statistics.ts'
import type { ExchangeSnapshot, MarketSnapshot, StatisticsSnapshot } from './snapshot/exchange-snapshot.ts'
import { wholeOf } from './snapshot/later-list.ts'

const NO_HISTORY = { orders: 0, fills: 0, trades: 0, candles: 0 }

/** @param added  markets that give no existing asset more digits */
export function withMarkets(snapshot: ExchangeSnapshot, added: readonly MarketConfig[]): ExchangeSnapshot {
  if (added.length === 0) return snapshot
  const markets = [...snapshot.markets, ...added]
  const [before, after] = [ledgerScales(snapshot.markets), ledgerScales(markets)]
  invariant(
    [...before].every(([asset, scale]) => after.get(asset) === scale),
    'an asset keeps its digits',
  )
  // Valuations may need more digits; baselines are scaled accordingly.
  const { quoteAsset } = snapshot
  const digits = valueScaleOf(quoteAsset, after, markets) - valueScaleOf(quoteAsset, before, snapshot.markets)
  const { ledger } = snapshot
  // New assets are appended.
  const padded = (units: readonly string[]): readonly string[] => [
    ...units,
    ...Array.from({ length: after.size - before.size }, () => '0'),
  ]
  const accounts = snapshot.accounts.map((account) => ({
    ...account,
    available: padded(account.available),
    locked: padded(account.locked),
    baseline: String(BigInt(account.baseline) * powerOfTen(digits)),
  }))
  return {
    ...snapshot,
    markets,
    accounts,
    states: [...snapshot.states, ...added.map(emptyState)],
    ledger: { credited: padded(ledger.credited), fees: padded(ledger.fees) },
  }
}

const emptyState = ({ symbol }: MarketConfig): MarketSnapshot => ({
  bids: [],
  asks: [],
  statistics: wholeOf<StatisticsSnapshot>(new MarketStatistics(symbol, NO_HISTORY).snapshot(new TradeRecords([], []))),
})
