/** The balance behind a refused order, for its report. */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { PlaceIntent } from '../../strategy/intent.ts'

/** Available balance of the asset that an order would reserve; undefined for an unknown market. */
export function availableFor(adapter: ExchangeAdapter, { symbol, side }: PlaceIntent): Decimal | undefined {
  const market = adapter.markets.find((each) => each.symbol === symbol)
  if (market === undefined) return undefined
  return adapter.balances().get(side === 'BUY' ? market.quoteAsset : market.baseAsset)?.available
}
