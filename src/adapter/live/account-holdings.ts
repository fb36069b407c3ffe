/** Holdings of an account by owner, and what is needed to sell them: positions of each owner, and the total. */
import { Decimal, decimalOf, toDecimal, ZERO } from '../../domain/decimal.ts'
import { ExchangeError } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import type { LotBook } from '../../store/state/live/session-lots.ts'
import type { OwnBalances } from '../../strategy/own-order.ts'
import type { RequestOutcome } from '../exchange-adapter.ts'
import type { LiveTime } from './live-time.ts'
import type { IntentBook } from './orders/intent-book.ts'
import type { LiveOrderManager } from './orders/live-order-manager.ts'
import type { OwnOrders } from './orders/own-orders.ts'
import type { MutationGate } from './rest/mutation-queue.ts'
import type { OrderCalls } from './rest/service-calls.ts'

interface OwnPositionsParts {
  readonly markets: readonly Market[]
  readonly lots: LotBook
  readonly intents: IntentBook
  readonly own: OwnOrders
}

/** States in which the order of a sell may exist. */
const ON_ITS_WAY = ['SENDING', 'UNKNOWN', 'AMBIGUOUS'] as const

/**
 * Position of each owner: the quantity that its orders bought and still hold, over all its sessions.
 *
 * Sales beyond that came from the account's own holdings, so each session begins at zero or above.
 * Known limitations: only base assets count, so spending an asset that is the quote asset of another market is not
 * subtracted; sales outside papertape are not seen.
 */
class OwnPositions {
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

export interface AccountHoldingsParts {
  readonly markets: readonly Market[]
  readonly manager: LiveOrderManager
  readonly calls: Pick<OrderCalls, 'cancel' | 'openOrders'>
  readonly gate: MutationGate
  readonly time: LiveTime
  readonly balances: () => OwnBalances
  /** Reads orders, fills and balances again. @throws {ExchangeError} */
  readonly audited: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Sellable holdings and open orders of an owner, or of the whole account. */
export interface Holder {
  /** Available once its open orders are cancelled. */
  held(asset: string): Decimal
  sellable(asset: string): Decimal
  openOrderIds(): readonly string[]
  /** Calls `done` when no outcome is unknown and everything was read again, or cannot be; never within this call. */
  refresh(done: () => void): void
}

export class AccountHoldings {
  readonly #parts: AccountHoldingsParts
  readonly #positions: OwnPositions
  /** The total of the account, and the open orders without an owner. */
  readonly whole: Holder
  /** Ids of the last listing that have no owner. */
  #foreign: readonly string[] = []

  constructor(parts: AccountHoldingsParts) {
    const { markets, manager } = parts
    this.#parts = parts
    this.#positions = new OwnPositions({
      markets,
      lots: manager.intents.lots,
      intents: manager.intents,
      own: manager.own,
    })
    this.whole = this.#makeWhole(parts)
  }

  /** Owners of a position or of an unfinished order. */
  get owners(): readonly string[] {
    const unfinished = this.#parts.manager.intents.all.map(({ owner }) => owner)
    return [...new Set([...this.#positions.owners, ...unfinished])]
  }

  holderOf(owner: string): Holder {
    const { manager } = this.#parts
    return {
      held: (asset) => this.#positions.held(owner, asset),
      sellable: (asset) => this.#positions.sellable(owner, asset),
      openOrderIds: () =>
        manager.own.all.flatMap(({ owner: other, order }) =>
          other === owner && !order.isSeenFinished ? [order.id] : [],
        ),
      refresh: (done) => {
        this.#refresh(done, manager.settledOf(owner))
      },
    }
  }

  #makeWhole({ balances, manager }: AccountHoldingsParts): Holder {
    const held = (asset: string): Decimal => {
      const { available, locked } = balances().get(asset) ?? { available: toDecimal(0), locked: toDecimal(0) }
      return available.plus(locked)
    }
    return {
      held,
      sellable: held,
      openOrderIds: () => this.#foreign,
      refresh: (done) => {
        this.#refresh(done, manager.settled(), () => this.#listForeign())
      },
    }
  }

  /** Cancels an order without an owner: only if an operator asked for the whole account. */
  cancelForeign(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    const { gate, calls, time, onError } = this.#parts
    const unknown = (reason: string): void => {
      time.enter(() => {
        reply({ type: 'unknown', reason })
      })
    }
    gate.submit({
      urgency: 'cancel',
      onLimit: 'wait',
      refuse: () => {
        unknown('the rate limit of the API key is used up')
      },
      send: () => {
        calls
          .cancel(orderId)
          // The next listing shows the outcome.
          .then(({ type }) => {
            unknown(type)
          })
          .catch(onError)
        return true
      },
    })
  }

  async #listForeign(): Promise<void> {
    const { calls, manager } = this.#parts
    const open = await calls.openOrders('settle')
    this.#foreign = open.flatMap(({ id }) => (manager.own.find(id) === undefined ? [id] : []))
  }

  /** Failed reads leave the known state unchanged. */
  #refresh(done: () => void, settled: Promise<void>, also?: () => Promise<void>): void {
    const { audited, time, onError } = this.#parts
    const read = async (): Promise<void> => {
      try {
        await settled
        await audited()
        await also?.()
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
      }
      time.enter(done)
    }
    read().catch(onError)
  }
}
