/**
 * Intents that name an aim, as the orders that lead there.
 */
import type { RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import { assertNever, InputError } from '../../../domain/errors.ts'
import type { CancelIntent, PlaceIntent } from '../../../strategy/intent.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { OwnOrder } from '../../../strategy/own-order.ts'
import type { RebalanceIntent, ReplaceIntent, TargetIntent } from '../../../strategy/target-intent.ts'
import type { FollowedOrders, OrderListener } from '../followed-orders.ts'
import type { FreshBalances } from '../fresh-balances.ts'
import { Rebalancing } from './rebalancing.ts'
import { Replacements } from './replacements.ts'
import type { Sizing } from './sizing.ts'
import { targetOrder } from './target-order.ts'

export type TargetingIntent = TargetIntent | RebalanceIntent | ReplaceIntent

export interface TargetOrdersParts {
  readonly markets: readonly MarketView[]
  /** Of the run. */
  readonly quoteAsset: string
  readonly sizing: Sizing
  readonly followed: FollowedOrders
  readonly balances: FreshBalances
  readonly openOrders: () => readonly OwnOrder[]
  readonly place: (intent: PlaceIntent, listener?: OrderListener) => void
  readonly cancel: (intent: CancelIntent, reply?: (outcome: RequestOutcome) => void) => void
  /** Tells the user. */
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

  /** @throws {InputError} for a market that is not there. @throws {Error} for sizes that are none */
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
   * Nothing of an aim that was taken is placed any more.
   *
   * @param symbol  of one market alone: a rebalancing is of several
   */
  end(symbol?: string): void {
    this.#rebalancing.end()
    this.#replacements.end(symbol)
  }

  /** Says how often a rebalance was skipped. */
  report(): void {
    this.#rebalancing.report()
  }

  /** Nothing comes in the place of that order. */
  drop(orderId: string): void {
    this.#replacements.drop(orderId)
  }

  #lead(intent: TargetIntent): void {
    const { markets, sizing, place, log } = this.#parts
    const market = markets.find(({ symbol }) => symbol === intent.symbol)
    if (market === undefined) throw new InputError('target', `no market '${intent.symbol}'`)
    const order = targetOrder(intent, market, sizing)
    if (order === undefined) return
    if ('untold' in order) log(`target of ${intent.symbol}: skipped because ${order.untold}`)
    else place(order)
  }
}
