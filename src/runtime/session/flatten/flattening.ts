/**
 * Flattens a position: cancels every open order, then sells what may be sold at market, until nothing is left or
 * nothing fills any more.
 *
 * 1. Cancel rounds, each followed by a read of the account, until no order is open. Late fills of cancelled orders
 *    count.
 * 2. One concurrent sale per asset; see `AssetSale`.
 * 3. At the deadline, or when it is stopped, unsent requests are refused and the rest is reported.
 *
 * Invariant: nothing is sold while an order of this owner is open or in flight, and at most one sell per asset is in
 * flight.
 */
import type { ExchangeAdapter, RequestOutcome } from '../../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { MarketIntent } from '../../../strategy/place-intent.ts'
import type { OrderFollower } from '../followed-orders.ts'
import { AssetSale } from './asset-sale.ts'
import type { FlatReport } from './flat-report.ts'

/** An owner of orders and positions on an account. */
export interface FlattenOwner {
  /** Maximum quantity of a base asset that may be sold now, available or locked. */
  sellable(asset: string): Decimal
  /** Orders that can still be filled, as far as is known. */
  openOrderIds(): readonly string[]
  /** Calls `done` when nothing is in flight and everything was read again, or cannot be; never within this call. */
  refresh(done: () => void): void
}

export interface FlattenParts {
  readonly owner: FlattenOwner
  readonly adapter: Pick<ExchangeAdapter, 'after' | 'balances' | 'markets'>
  /** Preferred currency of the proceeds. */
  readonly quoteAsset: string
  readonly cancel: (orderId: string, reply: (outcome: RequestOutcome) => void) => void
  /** Sends a sell that bypasses the risk limits. */
  readonly sell: (intent: MarketIntent, follower: OrderFollower) => void
  /** Milliseconds; undefined in simulated time. */
  readonly withinMs: number | undefined
  readonly onDone: (report: FlatReport) => void
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 4_000

export class Flattening {
  readonly #parts: FlattenParts
  readonly #cancelled: string[] = []
  #sales: readonly AssetSale[] = []
  #isOver = false

  constructor(parts: FlattenParts) {
    this.#parts = parts
  }

  get isOver(): boolean {
    return this.#isOver
  }

  start(): void {
    this.stopWithin(this.#parts.withinMs)
    this.#cancelRound(0)
  }

  /** Adds a deadline to the existing ones. @param withinMs  undefined in simulated time */
  stopWithin(withinMs: number | undefined): void {
    if (withinMs === undefined) return
    this.#parts.adapter.after(withinMs, () => {
      this.stop(`out of time after ${Math.round(withinMs / 1000)} s`)
    })
  }

  /** Ends it with its partial result. */
  stop(why: string): void {
    if (this.#isOver) return
    this.#finish(why)
  }

  #cancelRound(round: number): void {
    const { owner, cancel } = this.#parts
    const ids = owner.openOrderIds()
    if (this.#isOver) return
    if (ids.length === 0) {
      this.#refreshed(() => {
        if (owner.openOrderIds().length === 0) this.#sell()
        else this.#cancelRound(round + 1)
      })
      return
    }
    let unanswered = ids.length
    for (const id of ids) {
      cancel(id, ({ type }) => {
        if (type === 'acknowledged') this.#cancelled.push(id)
        unanswered -= 1
        if (unanswered === 0) this.#afterCancels(round)
      })
    }
  }

  #afterCancels(round: number): void {
    this.#refreshed(() => {
      const pauseMs = round === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** round)
      this.#parts.adapter.after(pauseMs, () => {
        this.#cancelRound(round + 1)
      })
    })
  }

  #refreshed(action: () => void): void {
    this.#parts.owner.refresh(() => {
      if (!this.#isOver) action()
    })
  }

  /** Runs until the sales find nothing new to sell: a late fill may have added an asset. */
  #sell(): void {
    const { adapter, owner } = this.#parts
    const begun = new Set(this.#sales.map(({ asset }) => asset))
    const more = baseAssets(adapter.markets).filter((asset) => !begun.has(asset) && owner.sellable(asset).gt(0))
    const sales = more.map((asset) => this.#saleOf(asset))
    this.#sales = [...this.#sales, ...sales]
    if (sales.length === 0) this.#finish('')
    for (const sale of sales) sale.next()
  }

  #saleOf(asset: string): AssetSale {
    const { adapter, owner, sell, quoteAsset } = this.#parts
    return new AssetSale({
      asset,
      markets: marketsFor(asset, adapter.markets, quoteAsset),
      sell,
      sellable: () => owner.sellable(asset),
      balance: () => adapter.balances().get(asset),
      after: (delayMs, action) => {
        adapter.after(delayMs, action)
      },
      refresh: (action) => {
        this.#refreshed(action)
      },
      isWanted: () => !this.#isOver,
      onDone: () => {
        if (!this.#isOver && this.#sales.every(({ isDone }) => isDone)) this.#sell()
      },
    })
  }

  /** @param why  reason of an early end; empty if it completed */
  #finish(why: string): void {
    if (this.#isOver) return
    this.#isOver = true
    const { owner, adapter, onDone } = this.#parts
    const openOrders = owner.openOrderIds()
    const begun = new Set(this.#sales.map(({ asset }) => asset))
    const unsold = baseAssets(adapter.markets).flatMap((asset) => {
      const qty = owner.sellable(asset)
      return begun.has(asset) || !qty.gt(0) ? [] : [{ asset, qty: qty.toFixed(), why: why === '' ? 'not sold' : why }]
    })
    onDone({
      cancelled: this.#cancelled,
      sold: this.#sales.flatMap((sale) => sale.sold),
      left: [...this.#sales.flatMap((sale) => sale.left(why)), ...unsold],
      openOrders,
    })
  }
}

const baseAssets = (markets: readonly MarketView[]): readonly string[] => [
  ...new Set(markets.map(({ baseAsset }) => baseAsset)),
]

/**
 * Markets quoted in the preferred asset first; markets whose quote asset would have to be sold in turn only if there is
 * no other.
 */
function marketsFor(asset: string, markets: readonly MarketView[], quoteAsset: string): readonly MarketView[] {
  const own = markets.filter(({ baseAsset }) => baseAsset === asset)
  const bases = new Set(baseAssets(markets))
  const final = own.filter((market) => market.quoteAsset === quoteAsset || !bases.has(market.quoteAsset))
  const usable = final.length > 0 ? final : own
  return usable.toSorted((a, b) => Number(b.quoteAsset === quoteAsset) - Number(a.quoteAsset === quoteAsset))
}
