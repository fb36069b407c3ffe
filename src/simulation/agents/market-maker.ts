/**
 * Market maker: quotes a ladder on both sides of the fair value and follows it.
 *
 * On news it cancels its quotes within milliseconds and quotes again when the other makers have cancelled too, so that
 * makers do not trade with each other's stale quotes. A long position shifts the ladder down, a short one up.
 */
import type { Side } from '../../domain/order.ts'
import { Agent, type Scene } from './agent.ts'
import type { Chance } from './chance.ts'
import type { AgentAccount } from './agent-account.ts'
import type { RestingOrder } from './agent-snapshot.ts'

export interface MakerStyle {
  /** Half spread in usual times: from the middle to the best quote, as a fraction of the price. */
  readonly halfSpread: number
  /** Distances from the middle as multiples of the half spread, and sizes as multiples of a small order. */
  readonly levels: readonly { readonly distance: number; readonly size: number }[]
  /** A change of the fair value by fewer half spreads than these since the last quote is not followed. */
  readonly tolerance: number
}

interface Quote {
  readonly side: Side
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
}

/** Delays after news: all makers cancel within PULL_MS, and requoting starts after its maximum. */
const PULL_MS = { min: 1, max: 8 }
const QUOTE_MS = { min: 10, max: 80 }
const REFILL_MS = { min: 80, max: 2500 }

/** Position in small orders at which the ladder shifts by the full MAX_SHIFT, its limit. */
const FULL_POSITION = 20_000
/** Fraction of the price. */
const MAX_SHIFT = 0.000_05
/**
 * A quote may trade with an order of another only if that is better than the middle by more than this fraction of the
 * price.
 */
const WORTH_TAKING = 0.000_15

export class MarketMaker extends Agent<'pull' | 'quote'> {
  protected override readonly state = { quotedAt: 0 }
  protected override readonly steps = {
    pull: (): void => {
      this.account.cancelAll()
    },
    quote: (): void => {
      this.#quote()
    },
  }
  readonly #style: MakerStyle

  constructor(account: AgentAccount, scene: Scene, chance: Chance, style: MakerStyle) {
    super(account, scene, chance)
    this.#style = style
  }

  override listen(): void {
    this.scene.fairValue.onNews(() => this.#followNews())
    this.account.onFill(() => this.#refillLater())
  }

  override start(): void {
    this.#quote()
  }

  #followNews(): void {
    const { fairValue } = this.scene
    const { halfSpread, tolerance } = this.#style
    const moved = Math.abs(fairValue.price / this.state.quotedAt - 1)
    if (moved < halfSpread * fairValue.volatility * tolerance) return
    this.later(this.chance.between(PULL_MS.min, PULL_MS.max), 'pull')
    this.forget('quote')
    this.later(this.chance.between(QUOTE_MS.min, QUOTE_MS.max), 'quote')
  }

  #refillLater(): void {
    if (!this.isComing('quote')) this.later(this.chance.between(REFILL_MS.min, REFILL_MS.max), 'quote')
  }

  /** Aligns the open orders with the ladder. An order that is already right keeps its queue position. */
  #quote(): void {
    this.state.quotedAt = this.scene.fairValue.price
    const middle = this.state.quotedAt * (1 - this.#shift())
    const missing = this.#ladder(middle)
    for (const order of this.account.restingOrders()) {
      const index = missing.findIndex((quote) => isServedBy(quote, order))
      if (index < 0) this.account.cancel(order.id)
      else missing.splice(index, 1)
    }
    const { highestBid, lowestAsk } = this.#bounds(middle)
    for (const { side, price, qty } of missing) {
      this.account.limit(side, side === 'BUY' ? Math.min(price, highestBid) : Math.max(price, lowestAsk), qty)
    }
  }

  #ladder(middle: number): Quote[] {
    const halfSpread = this.state.quotedAt * this.#style.halfSpread * this.scene.fairValue.volatility
    return this.#style.levels.flatMap(({ distance, size }): Quote[] => {
      const away = Math.max(0.5, halfSpread * distance)
      return [
        { side: 'BUY', price: Math.max(1, Math.floor(middle - away)), qty: this.#sized(size) },
        { side: 'SELL', price: Math.max(2, Math.ceil(middle + away)), qty: this.#sized(size) },
      ]
    })
  }

  /**
   * Limits for quotes: beyond them a quote would trade with an order of another agent that is hardly better than the
   * middle.
   */
  #bounds(middle: number): { readonly highestBid: number; readonly lowestAsk: number } {
    const bid = this.account.bestPrice('BUY') ?? 0
    const ask = this.account.bestPrice('SELL') ?? Number.POSITIVE_INFINITY
    return {
      highestBid: ask < middle * (1 - WORTH_TAKING) ? Number.POSITIVE_INFINITY : Math.max(1, ask - 1),
      lowestAsk: bid > middle * (1 + WORTH_TAKING) ? 0 : bid + 1,
    }
  }

  #sized(size: number): number {
    return Math.ceil(this.scene.unitQty * size * (0.5 + this.chance.fraction()))
  }

  /** Fraction of the price. */
  #shift(): number {
    const full = FULL_POSITION * this.scene.unitQty
    return MAX_SHIFT * Math.max(-1, Math.min(1, this.account.position / full))
  }
}

const isServedBy = (quote: Quote, order: RestingOrder): boolean =>
  order.side === quote.side && order.price === quote.price && order.remaining * 2 >= quote.qty
