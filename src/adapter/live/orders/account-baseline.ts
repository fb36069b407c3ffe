/** A consistent snapshot of an account's fills, orders and balances, from which the sessions of a start continue. */
import { type Decimal, decimalOf, toDecimal } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { OwnBalance, OwnBalances, OwnFill } from '../../../strategy/own-order.ts'
import type { WireBalances } from '../../../wire/wire-balances.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { AccountReads } from '../rest/service-calls.ts'
import type { Intent } from './intent.ts'
import type { AssumedFees, FeeCount } from './order-fees.ts'

interface EarlierBalancesParts {
  readonly balances: OwnBalances
  /** Fills of the account, newest first, read with the balances. */
  readonly fills: readonly WireFill[]
  /** The fills among them that sessions of this process report. */
  readonly reported: readonly OwnFill[]
  readonly markets: readonly Market[]
  readonly fees: AssumedFees
}

const keyOf = (tradeId: string, orderId: string): string => JSON.stringify([tradeId, orderId])

/**
 * Reconstructs the balances before the first fill that a session reports, so that these plus its fills equal the
 * account's balances.
 *
 * Known limitation: fees of those fills are assumed, and later deposits and withdrawals count as made before.
 */
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

/** Balances of a book before some of its fills. */
export function withoutFills(
  balances: OwnBalances,
  fills: readonly OwnFill[],
  markets: readonly Market[],
): OwnBalances {
  const start = new Map(balances)
  const move = (asset: string, amount: Decimal): void => {
    const { available, locked } = start.get(asset) ?? ZERO
    start.set(asset, { available: available.plus(amount), locked })
  }
  for (const { symbol, side, price, qty, fee } of fills) {
    const market = markets.find((each) => each.symbol === symbol)
    if (market === undefined) continue
    move(market.baseAsset, side === 'BUY' ? qty.neg() : qty)
    move(market.quoteAsset, (side === 'BUY' ? qty.times(price) : qty.times(price).neg()).plus(fee))
  }
  return start
}

/** Maximum number of snapshot attempts: fills are read before and after the orders until none was added in between. */
const MAX_BASELINES = 10
const RECENT_FILLS = 500

export interface BaselineParts {
  readonly calls: AccountReads
  readonly assets: readonly string[]
  readonly orderOf: (intent: Intent) => Promise<WireOrder>
}

/** The account state at a start. */
export interface Baseline {
  /** Newest first. */
  readonly fills: readonly WireFill[]
  readonly orders: readonly (readonly [Intent, WireOrder])[]
  readonly balances: WireBalances
}

const isSameFill = (one: WireFill | undefined, other: WireFill | undefined): boolean =>
  one?.id === other?.id && one?.orderId === other?.orderId

const isSameMoney = (one: WireBalances, other: WireBalances, assets: readonly string[]): boolean =>
  isSameBalances(ownBalancesOf(one, assets), ownBalancesOf(other, assets))

export const isSameBalances = (one: OwnBalances, other: OwnBalances): boolean =>
  one.size === other.size &&
  [...other].every(([asset, { available, locked }]) => {
    const known = one.get(asset)
    return known?.available.eq(available) === true && known.locked.eq(locked)
  })

/** Reads fills, orders and balances repeatedly until nothing changed in between. */
export async function readBaseline(
  { calls, assets, orderOf }: BaselineParts,
  placed: readonly Intent[],
): Promise<Baseline> {
  for (let round = 1; ; round += 1) {
    const [fillsBefore, balancesBefore] = [await calls.fills(RECENT_FILLS, 'settle'), await calls.balances('settle')]
    const orders: (readonly [Intent, WireOrder])[] = []
    for (const intent of placed) orders.push([intent, await orderOf(intent)])
    const [fills, balances] = [await calls.fills(RECENT_FILLS, 'settle'), await calls.balances('settle')]
    const isStill = isSameFill(fillsBefore[0], fills[0]) && isSameMoney(balancesBefore, balances, assets)
    if (isStill || round === MAX_BASELINES) return { fills, orders, balances }
  }
}

const ZERO: OwnBalance = { available: toDecimal(0), locked: toDecimal(0) }

/** Every asset of the markets first, then all others of the service's answer. */
export function ownBalancesOf(balances: WireBalances, assets: readonly string[]): OwnBalances {
  const own = new Map<string, OwnBalance>(assets.map((asset) => [asset, ZERO]))
  for (const [asset, { available, locked }] of balances) {
    own.set(asset, { available: toDecimal(available), locked: toDecimal(locked) })
  }
  return own
}
