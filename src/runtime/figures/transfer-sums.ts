/** Sums of the capital that came from other strategies of the wallet, and went to them. */
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { PersistedTransfers } from '../../store/state/live/persisted-rebalancing.ts'
import type { RecordedEquity } from './recorded-equity.ts'

export function transferSums({ transfers, scale }: Pick<RecordedEquity, 'transfers' | 'scale'>): PersistedTransfers {
  const sumOf = (sign: bigint): string => {
    const amounts = transfers.map(({ amount }) => sign * amount).filter((each) => each > 0n)
    return formatTrimmed(
      amounts.reduce((sum, each) => sum + each, 0n),
      scale,
    )
  }
  return { count: transfers.length, in: sumOf(1n), out: sumOf(-1n) }
}
