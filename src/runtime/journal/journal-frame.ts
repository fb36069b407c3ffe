/**
 * The first and the last lines of a journal: what was run, and what was left.
 */
import type { OwnBalances } from '../../strategy/own-order.ts'
import { journalTerms } from '../settings/run-terms.ts'
import { balancesText } from './journal-text.ts'
import type { Journal, JournalValue } from './journal.ts'
import type { PreparedBacktest } from '../backtest/prepared-backtest.ts'

/** Everything that bears on the run but tape, strategy and version, which stand in the report by their hashes. */
export function writeRunStart(journal: Journal, prepared: PreparedBacktest): void {
  const { settings, liquidity, loaded, params, markets, creditTexts, from } = prepared
  journal.write(from, {
    type: 'run',
    strategy: loaded.strategy.name,
    params: params as JournalValue,
    markets: markets.map(({ symbol, pricePrecision, qtyPrecision, makerFeeBps, takerFeeBps, selfTrade }) => ({
      symbol,
      pricePrecision,
      qtyPrecision,
      makerFeeBps,
      takerFeeBps,
      selfTrade,
    })),
    // No path: a model of the user's own stands by its hash.
    liquidity: liquidity.sha256 ?? liquidity.reference,
    ...(journalTerms(settings) as Readonly<Record<string, JournalValue>>),
  })
  for (const [asset, amount] of Object.entries(creditTexts)) journal.write(from, { type: 'credit', asset, amount })
}

export function writeRunEnd(journal: Journal, time: number, balances: OwnBalances): void {
  journal.writeText(time, `{"type":"end","balances":${balancesText(balances)}}`)
}
