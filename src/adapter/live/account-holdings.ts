/** Holdings of an account by owner, and what is needed to sell them: positions of each owner, and the total. */
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import { ExchangeError } from '../../domain/errors.ts'
import type { Market } from '../../domain/market.ts'
import type { OwnBalances } from '../../strategy/own-order.ts'
import type { RequestOutcome } from '../exchange-adapter.ts'
import type { LiveTime } from './live-time.ts'
import type { LiveOrderManager } from './orders/live-order-manager.ts'
import { OwnPositions } from './orders/own-positions.ts'
import type { MutationGate } from './rest/mutation-gate.ts'
import type { OrderCalls } from './rest/service-calls.ts'

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
