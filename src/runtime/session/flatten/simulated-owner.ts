/** Sellable position of a session on a simulated exchange: what its own fills bought, minus what they sold. */
import type { AccountUpdate, ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { Decimal, ZERO } from '../../../domain/decimal.ts'
import type { UnfilledOrders } from '../unfilled-orders.ts'
import type { FlattenOwner } from './flattening.ts'

const FIRST_LOOK_MS = 250
/** Orders in a market of candles wait for the next one. */
const LONGEST_LOOK_MS = 60_000

export class SimulatedOwner implements FlattenOwner {
  readonly #adapter: Pick<ExchangeAdapter, 'after' | 'markets' | 'openOrders'>
  readonly #unfilled: UnfilledOrders
  /** Net bought quantity by base asset. */
  readonly #held = new Map<string, Decimal>()

  /** @param bought  by earlier sessions, net quantity by base asset */
  constructor(
    adapter: Pick<ExchangeAdapter, 'after' | 'markets' | 'openOrders'>,
    unfilled: UnfilledOrders,
    bought: ReadonlyMap<string, Decimal> = new Map(),
  ) {
    this.#adapter = adapter
    this.#unfilled = unfilled
    for (const [asset, qty] of bought) this.#held.set(asset, qty)
  }

  onUpdate(update: AccountUpdate): void {
    if (update.type !== 'fill') return
    const { symbol, side, qty } = update.fill
    const asset = this.#adapter.markets.find((market) => market.symbol === symbol)?.baseAsset ?? symbol
    const before = this.#held.get(asset) ?? ZERO
    this.#held.set(asset, side === 'BUY' ? before.plus(qty) : before.minus(qty))
  }

  sellable(asset: string): Decimal {
    return Decimal.max(ZERO, (this.#held.get(asset) ?? ZERO).minus(this.#unfilled.qty('SELL', asset)))
  }

  openOrderIds(): readonly string[] {
    return this.#adapter.openOrders().map(({ id }) => id)
  }

  refresh(done: () => void): void {
    this.#look(done, FIRST_LOOK_MS)
  }

  #look(done: () => void, pauseMs: number): void {
    const isQuiet = this.#adapter.openOrders().length > 0 || !this.#isAnyOnItsWay()
    this.#adapter.after(isQuiet ? 0 : pauseMs, () => {
      if (isQuiet) done()
      else this.#look(done, Math.min(LONGEST_LOOK_MS, pauseMs * 2))
    })
  }

  #isAnyOnItsWay(): boolean {
    const assets = new Set(this.#adapter.markets.map(({ baseAsset }) => baseAsset))
    return [...assets].some((asset) => (['BUY', 'SELL'] as const).some((side) => this.#unfilled.qty(side, asset).gt(0)))
  }
}
