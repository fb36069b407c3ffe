/** Converts target intents to the orders that reach the targets. */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import { assertNever, InputError } from '../../../domain/errors.ts'
import type { CancelIntent, PlaceIntent } from '../../../strategy/intent.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { OwnOrder } from '../../../strategy/own-order.ts'
import type { RebalanceIntent, ReplaceIntent, TargetIntent } from '../../../strategy/target-intent.ts'
import type { FollowedOrders, OrderFollower } from '../followed-orders.ts'
import type { FreshBalances } from '../fresh-balances.ts'
import { Rebalancing } from './rebalancing.ts'
import { Replacements } from './replacements.ts'
import type { Sizing } from './sizing.ts'
import { targetOrder } from './target-order.ts'

export type TargetingIntent = TargetIntent | RebalanceIntent | ReplaceIntent

export interface TargetOrdersParts {
  readonly markets: readonly MarketView[]
  /** Quote asset of the run. */
  readonly quoteAsset: string
  readonly sizing: Sizing
  readonly followed: FollowedOrders
  readonly balances: FreshBalances
  readonly openOrders: () => readonly OwnOrder[]
  readonly place: (intent: PlaceIntent, follower?: OrderFollower) => void
  readonly cancel: (intent: CancelIntent, reply?: (outcome: RequestOutcome) => void) => void
  /** Logs to the user. */
  readonly log: (message: string) => void
}

export class TargetOrders {
  readonly #parts: TargetOrdersParts
  readonly #rebalancing: Rebalancing
  readonly #replacements: Replacements

  constructor(parts: TargetOrdersParts) {
    const { markets, quoteAsset, sizing, followed, balances, openOrders, place, cancel, log } = parts
    const whenBalanced = (action: () => void): void => {
      balances.when(action)
    }
    this.#parts = parts
    this.#rebalancing = new Rebalancing({ markets, quoteAsset, sizing, place, whenBalanced, log })
    this.#replacements = new Replacements({ openOrders, followed, cancel, place })
  }

  /** @throws {InputError} for an unknown market. @throws {Error} for invalid sizes */
  take(intent: TargetingIntent): void {
    switch (intent.type) {
      case 'target':
        this.#lead(intent)
        break
      case 'rebalance':
        this.#rebalancing.begin(intent)
        break
      case 'replace':
        this.#replacements.begin(intent)
        break
      default:
        assertNever(intent)
    }
  }

  /**
   * Drops pending orders of earlier targets.
   * @param symbol  restricts it to one market; a rebalancing, which has several, ends anyway
   */
  end(symbol?: string): void {
    this.#rebalancing.end()
    this.#replacements.end(symbol)
  }

  /** Reports skipped rebalances. */
  report(): void {
    this.#rebalancing.report()
  }

  /** Cancels a pending replacement of that order. */
  drop(orderId: string): void {
    this.#replacements.drop(orderId)
  }

  #lead(intent: TargetIntent): void {
    const { markets, sizing, place, log } = this.#parts
    const market = markets.find(({ symbol }) => symbol === intent.symbol)
    if (market === undefined) throw new InputError('target', `no market '${intent.symbol}'`)
    const order = targetOrder(intent, market, sizing)
    if (order === undefined) return
    if ('reason' in order) log(`target of ${intent.symbol}: skipped because ${order.reason}`)
    else place(order)
  }
}
