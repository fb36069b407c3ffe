/**
 * Rebalances several assets to their target shares: sells first, then buys with the proceeds once the sells are over.
 *
 * Invariant: at most one rebalancing runs; a newer one, or a cancel of all orders, ends it.
 */
import { toDecimal, type Decimal } from '../../../domain/decimal.ts'
import { InputError } from '../../../domain/errors.ts'
import type { PlaceIntent } from '../../../strategy/intent.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { RebalanceIntent } from '../../../strategy/target-intent.ts'
import type { OrderFollower } from '../followed-orders.ts'
import { valuingMarket } from '../valued-holdings.ts'
import { shareOf, type Sizing } from './sizing.ts'
import { targetOrder } from './target-order.ts'

export interface RebalancingParts {
  readonly markets: readonly MarketView[]
  readonly quoteAsset: string
  readonly sizing: Sizing
  readonly place: (intent: PlaceIntent, follower?: OrderFollower) => void
  /** Runs `action` once the balances include the emitted updates. */
  readonly whenBalanced: (action: () => void) => void
  readonly log: (message: string) => void
}

interface MarketTarget {
  readonly market: MarketView
  readonly share: Decimal
}

export class Rebalancing {
  readonly #parts: RebalancingParts
  /** Generation counter that invalidates callbacks of older rebalancings. */
  #current = 0
  /** Consecutive equal skips. */
  #skipped: { readonly which: string; times: number } | undefined

  constructor(parts: RebalancingParts) {
    this.#parts = parts
  }

  /** Ends a running rebalancing. */
  end(): void {
    this.#current += 1
  }

  /** @throws {InputError} for an asset without a market. @throws {Error} for invalid shares */
  begin(intent: RebalanceIntent): void {
    this.#current += 1
    const targets = this.#targetsOf(intent)
    const { sizing } = this.#parts
    const equity = sizing.equity()
    const unpriced = targets.find(({ market }) => sizing.lastPrice(market.symbol) === undefined)
    if (equity === undefined || unpriced !== undefined) {
      const which = unpriced === undefined ? 'a holding' : unpriced.market.symbol
      this.#skip(which)
      return
    }
    this.report()
    const drift = equity.times(shareOf('rebalance: drift', intent.drift ?? 0))
    const far = targets.filter((target) => this.#distance(target, equity).abs().gte(drift))
    const sells = far.filter((target) => this.#distance(target, equity).isNegative())
    const buys = far.filter((target) => !sells.includes(target))
    this.#sell(intent, sells, () => {
      for (const target of buys) this.#lead(intent, target, 'BUY')
    })
  }

  /**
   * Reports the first of equal skips; the others are counted, and reported by the next rebalance that acts, or at the
   * end.
   */
  #skip(which: string): void {
    if (this.#skipped?.which === which) {
      this.#skipped.times += 1
      return
    }
    this.report()
    this.#skipped = { which, times: 1 }
    this.#parts.log(`rebalance: skipped until ${which} has a price`)
  }

  /** Reports the number of skips, if there were more than the one reported. */
  report(): void {
    const { which, times } = this.#skipped ?? { which: '', times: 0 }
    this.#skipped = undefined
    if (times > 1) this.#parts.log(`rebalance: skipped ${times} times because ${which} had no price`)
  }

  #sell(intent: RebalanceIntent, sells: readonly MarketTarget[], then: () => void): void {
    const current = this.#current
    let open = 1
    const over = (): void => {
      open -= 1
      if (open > 0) return
      this.#parts.whenBalanced(() => {
        if (this.#current === current) then()
      })
    }
    for (const target of sells) {
      if (
        this.#lead(intent, target, 'SELL', {
          process: ({ type }) => {
            if (type === 'refused' || type === 'ended') over()
          },
        })
      )
        open += 1
    }
    if (open === 1) then()
    else over()
  }

  /** Whether there was an order to place. */
  #lead(
    intent: RebalanceIntent,
    { market, share }: MarketTarget,
    side: 'BUY' | 'SELL',
    follower?: OrderFollower,
  ): boolean {
    const { symbol } = market
    const tagged = intent.tag === undefined ? {} : { tag: intent.tag }
    const order = targetOrder({ type: 'target', symbol, share, ...tagged }, market, this.#parts.sizing)
    if (order === undefined || 'reason' in order || order.side !== side) return false
    this.#parts.place(order, follower)
    return true
  }

  /** Missing amount to its share, in the asset of the run; negative for an excess. */
  #distance({ market, share }: MarketTarget, equity: Decimal): Decimal {
    const { sizing } = this.#parts
    const price = sizing.lastPrice(market.symbol) ?? toDecimal(0)
    return equity.times(share).minus(sizing.coming(market).times(price))
  }

  #targetsOf({ shares }: RebalanceIntent): readonly MarketTarget[] {
    const targets = Object.entries(shares).map(([asset, given]) => {
      return { market: this.#marketOf(asset), share: shareOf(`rebalance: ${asset}`, given) }
    })
    const sum = targets.reduce((all, { share }) => all.plus(share), toDecimal(0))
    if (sum.gt(1)) throw new Error(`rebalance: expected shares that sum to at most 1, got ${sum.toFixed()}`)
    return targets
  }

  #marketOf(asset: string): MarketView {
    const { markets, quoteAsset } = this.#parts
    const market = valuingMarket(markets, asset, quoteAsset)
    if (market !== undefined) return market
    const known = markets.filter((each) => each.quoteAsset === quoteAsset).map(({ baseAsset }) => baseAsset)
    throw new InputError('rebalance', `no market trades '${asset}' in ${quoteAsset}; available: ${known.join(', ')}`)
  }
}
