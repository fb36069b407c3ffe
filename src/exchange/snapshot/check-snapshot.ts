/**
 * Validates a snapshot before use: each part, and whether the parts are consistent. Reservations and credits are
 * audited after it is restored.
 */
import { InputError } from '../../domain/errors.ts'
import { ledgerScales } from '../../domain/market.ts'
import { checkAccounts, checkLength } from './check-accounts.ts'
import { checkBooks } from './check-books.ts'
import { checkStatistics } from './check-trades.ts'
import type { ExchangeSnapshot } from './exchange-snapshot.ts'
import { SnapshotIds } from './snapshot-ids.ts'
import { checkObject, checkUnits, isList, isWhole } from './snapshot-values.ts'

/**
 * @param snapshot  of markets and limits that can be
 * @throws {InputError} naming the first part that cannot be, and why
 */
export function checkSnapshot(snapshot: ExchangeSnapshot): void {
  const { markets, history, ledger, states } = snapshot
  for (const field of ['time', 'lastOrderId', 'lastTradeId'] as const) {
    if (!isWhole(snapshot[field])) throw new InputError(`snapshot ${field}`, `expected a whole number`)
  }
  const assets = ledgerScales(markets).size
  checkObject('ledger', ledger)
  checkUnits('ledger.credited', ledger.credited, assets)
  checkUnits('ledger.fees', ledger.fees, assets)
  if (ledger.fees.some((units) => BigInt(units) < 0n)) throw new InputError('snapshot ledger.fees', 'are below zero')
  const ids = new SnapshotIds(snapshot)
  checkAccounts(snapshot, assets, ids)
  if (!isList(states) || states.length !== markets.length) {
    throw new InputError('snapshot', 'lacks the state of a market')
  }
  markets.forEach(({ symbol }, index) => {
    const place = `states.${index}`
    const state = states[index]
    checkObject(place, state)
    if (state === undefined) return
    checkBooks(place, symbol, state, ids)
    checkStatistics(`${place}.statistics`, symbol, state.statistics, ids)
    const { trades, candles } = state.statistics
    checkLength(`${place}.statistics.trades`, trades, history.trades)
    candles.series.forEach(({ finished }, interval) => {
      checkLength(`${place}.statistics.candles.series.${interval}`, finished, history.candles)
    })
  })
}
