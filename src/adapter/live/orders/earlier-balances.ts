/**
 * Reconstructs the balances before the first fill that a session reports, so that these plus its fills equal the
 * account's balances.
 *
 * Known limitation: fees of those fills are assumed, and later deposits and withdrawals count as made before.
 */
import { decimalOf, type Decimal } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { OwnBalances, OwnFill } from '../../../strategy/own-order.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { AssumedFees, FeeCount } from './order-fees.ts'

export interface EarlierBalancesParts {
  readonly balances: OwnBalances
  /** Fills of the account, newest first, read with the balances. */
  readonly fills: readonly WireFill[]
  /** The fills among them that sessions of this process report. */
  readonly reported: readonly OwnFill[]
  readonly markets: readonly Market[]
  readonly fees: AssumedFees
}

const keyOf = (tradeId: string, orderId: string): string => JSON.stringify([tradeId, orderId])

export function earlierBalances({ balances, fills, reported, markets, fees }: EarlierBalancesParts): OwnBalances {
  const feesByKey = new Map(reported.map(({ tradeId, orderId, fee }) => [keyOf(tradeId, orderId), fee]))
  const first = fills.findLastIndex(({ id, orderId }) => feesByKey.has(keyOf(id, orderId)))
  const start = new Map(balances)
  const move = (asset: string, amount: Decimal): void => {
    const balance = start.get(asset)
    if (balance !== undefined) start.set(asset, { ...balance, available: balance.available.plus(amount) })
  }
  const countsByOrder = new Map<string, FeeCount>()
  // Later fills of others are included: all sessions begin with the account's state of one moment.
  for (const { id, orderId, symbol, side, price, qty, isMaker } of fills.slice(0, first + 1).toReversed()) {
    const market = markets.find((each) => each.symbol === symbol)
    if (market === undefined) continue
    const count = countsByOrder.get(orderId) ?? fees.ofOrder(market)
    countsByOrder.set(orderId, count)
    const fee = feesByKey.get(keyOf(id, orderId)) ?? count.charge(price, qty, isMaker)
    const base = decimalOf(qty, market.qtyPrecision)
    const quote = base.times(decimalOf(price, market.pricePrecision))
    move(market.baseAsset, side === 'BUY' ? base.neg() : base)
    move(market.quoteAsset, (side === 'BUY' ? quote : quote.neg()).plus(fee))
  }
  return start
}
