/**
 * Position of each owner: the quantity that its orders bought and still hold, over all its sessions.
 *
 * Sales beyond that came from the account's own holdings, so each session begins at zero or above.
 * Known limitations: only base assets count, so spending an asset that is the quote asset of another market is not
 * subtracted; sales outside papertape are not seen.
 */
import { Decimal, decimalOf, ZERO } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import { type LotBook } from '../../../store/state/live/session-lots.ts'
import type { IntentBook } from './intent-book.ts'
import type { OwnOrders } from './own-orders.ts'

export interface OwnPositionsParts {
  readonly markets: readonly Market[]
  readonly lots: LotBook
  readonly intents: IntentBook
  readonly own: OwnOrders
}

/** States in which the order of a sell may exist. */
const ON_ITS_WAY = ['SENDING', 'UNKNOWN', 'AMBIGUOUS'] as const

export class OwnPositions {
  readonly #parts: OwnPositionsParts

  constructor(parts: OwnPositionsParts) {
    this.#parts = parts
  }

  /** Owners that hold something, or have an order that may still be filled. */
  get owners(): readonly string[] {
    const { lots, own } = this.#parts
    return [...new Set([...lots.sessions, ...own.all].map(({ owner }) => owner))]
  }

  /** Units of a base asset; never below zero. */
  held(owner: string, asset: string): Decimal {
    const bySession = new Map<string, Decimal>()
    const add = (session: string, symbol: string, lots: bigint): void => {
      const market = this.#market(symbol)
      if (market?.baseAsset !== asset) return
      bySession.set(session, (bySession.get(session) ?? ZERO).plus(decimalOf(lots, market.qtyPrecision)))
    }
    for (const entry of this.#parts.lots.sessions) {
      if (entry.owner !== owner) continue
      for (const [symbol, lots] of Object.entries(entry.lots)) add(entry.session, symbol, BigInt(lots))
    }
    for (const { session, symbol, lots } of this.#unsaved(owner)) add(session, symbol, lots)
    return [...bySession.values()].reduce((held, moved) => Decimal.max(ZERO, held.plus(moved)), ZERO)
  }

  /** Holdings minus the quantity that open and unanswered sells may still sell. */
  sellable(owner: string, asset: string): Decimal {
    const { intents, own } = this.#parts
    let left = this.held(owner, asset)
    for (const { owner: other, order } of own.all) {
      const { symbol, side, qty, filledQty } = order.seen
      const isOpenSell = other === owner && side === 'SELL' && !order.isSeenFinished
      if (isOpenSell && this.#market(symbol)?.baseAsset === asset) left = left.minus(qty.minus(filledQty))
    }
    for (const { owner: other, symbol, side, qty } of intents.inState(...ON_ITS_WAY)) {
      const market = this.#market(symbol)
      if (other !== owner || side !== 'SELL' || market?.baseAsset !== asset) continue
      left = left.minus(decimalOf(qty, market.qtyPrecision))
    }
    return Decimal.max(ZERO, left)
  }

  /** Filled lots according to the service that no intent has recorded yet. */
  #unsaved(owner: string): readonly { readonly session: string; readonly symbol: string; readonly lots: bigint }[] {
    const { own, intents } = this.#parts
    return own.all.flatMap(({ owner: other, intentId, order }) => {
      const intent = intents.find(intentId)
      const { symbol, side, filledQty } = order.seen
      const market = this.#market(symbol)
      if (other !== owner || intent === undefined || market === undefined) return []
      const lots = BigInt(filledQty.times(`1e${market.qtyPrecision}`).toFixed(0)) - BigInt(intent.filledQty)
      return [{ session: intent.session, symbol, lots: side === 'BUY' ? lots : -lots }]
    })
  }

  #market(symbol: string): Market | undefined {
    return this.#parts.markets.find((market) => market.symbol === symbol)
  }
}
