/** A consistent snapshot of an account's fills, orders and balances, from which the sessions of a start continue. */
import { toDecimal } from '../../../domain/decimal.ts'
import type { OwnBalance, OwnBalances } from '../../../strategy/own-order.ts'
import type { WireBalances } from '../../../wire/wire-balances.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { AccountReads } from '../rest/service-calls.ts'
import type { Intent } from './intent.ts'

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
