/**
 * An order manager on a fake clock before a service that loses answers, and everything that it reports.
 */
import type { AccountUpdate, RequestOutcome } from '../../../../src/adapter/exchange-adapter.ts'
import { AccountWatch } from '../../../../src/adapter/live/orders/account-watch.ts'
import { AssumedFees } from '../../../../src/adapter/live/orders/order-fees.ts'
import { LiveOrderManager, type LiveOrderManagerParts } from '../../../../src/adapter/live/orders/live-order-manager.ts'
import type { CreateAnswer, ServiceCalls } from '../../../../src/adapter/live/rest/service-calls.ts'
import type { OrderRequest } from '../../../../src/domain/order.ts'
import { seededRandom } from '../../../../src/runtime/strategies/seeded-random.ts'
import { market } from '../../../exchange/rig/configs.ts'
import { FakeLiveTime } from './fake-live-time.ts'
import { FaultyService, NO_FAULTS, type FaultTerms } from './faulty-service.ts'
import { MemoryIntentStore } from '../../../../src/adapter/live/orders/memory-intent-store.ts'

export const SYMBOL = 'BTC_USD'
const MARKETS = [market(SYMBOL, { pricePrecision: 0, qtyPrecision: 0 }), market('ETH_USD')]
const AUDIT_MS = 10_000

/** What one owner was reported of one of its requests. */
export interface ReportedPlacement {
  readonly owner: string
  readonly reference: number
  readonly request: OrderRequest
  /** Replies and settlements in their order; an order by its id. */
  readonly reported: string[]
}

export interface ManagerStageOptions extends Partial<Pick<LiveOrderManagerParts, 'settleMs' | 'holdMs' | 'isUnique'>> {
  readonly seed?: number
  readonly faults?: FaultTerms
  /** Of an earlier process. */
  readonly store?: MemoryIntentStore
  readonly service?: FaultyService
  readonly time?: FakeLiveTime
  readonly session?: string
  /** A client that does what must not be done. */
  readonly isResending?: boolean
  /** In the place of just before the end of the settle time. */
  readonly latestMs?: number
}

export class ManagerStage {
  readonly time: FakeLiveTime
  readonly store: MemoryIntentStore
  readonly service: FaultyService
  readonly manager: LiveOrderManager
  readonly watch: AccountWatch
  readonly placements: ReportedPlacement[] = []
  readonly updates: { readonly owner: string; readonly update: AccountUpdate }[] = []
  readonly warnings: string[] = []
  readonly faults: Error[] = []
  readonly errors: unknown[] = []
  readonly random: () => number

  constructor(options: ManagerStageOptions = {}) {
    const { seed = 1, faults = NO_FAULTS, session = 'first' } = options
    this.random = seededRandom(seed)
    this.time = options.time ?? new FakeLiveTime()
    this.store = options.store ?? new MemoryIntentStore()
    this.service = options.service ?? new FaultyService(this.time, MARKETS, this.random, faults)
    this.manager = new LiveOrderManager({
      markets: MARKETS,
      calls: options.isResending === true ? resending(this.service) : this.service,
      store: this.store,
      time: this.time,
      session,
      settleMs: options.settleMs ?? 30_000,
      holdMs: options.holdMs ?? 1_000,
      quarantineMs: 86_400_000,
      isUnique: options.isUnique ?? false,
      gate: {
        submit: ({ send }) => {
          send()
        },
      },
      fees: new AssumedFees(MARKETS, () => ({ makerFeeBps: '0', takerFeeBps: '0' })),
      lastPrice: () => undefined,
      listener: {
        onUpdates: (owner, updates) => {
          for (const update of updates) this.#onUpdate(owner, update)
        },
        isReporting: () => true,
        isWritten: () => true,
        onActivity: (fills) => {
          this.watch.request({ fills })
        },
        onWarning: (text) => this.warnings.push(text),
        onFault: (error) => this.faults.push(error),
        onRead: () => undefined,
        onError: (error) => this.errors.push(error),
      },
    })
    this.watch = new AccountWatch({
      time: this.time,
      calls: this.service,
      own: this.manager.own,
      onBalances: () => undefined,
      onFault: (error) => this.faults.push(error),
      onRead: () => undefined,
      onError: (error) => this.errors.push(error),
    })
  }

  /** Begins, and audits each 10 s from then on. */
  async begin(symbols: readonly string[] = [SYMBOL]): Promise<void> {
    for (;;) {
      try {
        await this.time.until(this.manager.begin(symbols))
        break
      } catch (error) {
        // The reads of a start that fail are tried again by the code that starts it.
        if (this.service.faults.share === 0) throw error
      }
    }
    this.#auditLater()
  }

  place(request: OrderRequest, owner = 'a'): ReportedPlacement {
    const placement: ReportedPlacement = { owner, reference: this.placements.length + 1, request, reported: [] }
    this.placements.push(placement)
    this.time.enter(() => {
      this.manager.place(
        owner,
        { request, reference: placement.reference, tag: `${owner}${placement.reference}` },
        (outcome) => placement.reported.push(outcomeText(outcome)),
      )
    })
    return placement
  }

  cancel(orderId: string, owner = 'a'): string[] {
    const reported: string[] = []
    this.time.enter(() => {
      this.manager.cancel(owner, orderId, (outcome) => reported.push(outcomeText(outcome)))
    })
    return reported
  }

  async pass(ms: number): Promise<void> {
    await this.time.pass(ms)
    if (this.errors.length > 0) throw this.errors[0] as Error
  }

  #auditLater(): void {
    this.time.after(AUDIT_MS, () => {
      this.manager.auditor.audit().catch((error: unknown) => this.errors.push(error))
      this.watch.request({ fills: true })
      this.#auditLater()
    })
  }

  #onUpdate(owner: string, update: AccountUpdate): void {
    this.updates.push({ owner, update })
    if (update.type !== 'settled') return
    const { settlement, reference } = update
    const placement = this.placements.find((each) => each.reference === reference)
    placement?.reported.push(settlement.type === 'adopted' ? `adopted ${settlement.order.id}` : settlement.type)
  }
}

/** Sends a creation again when no one has answered. */
const resending = (service: FaultyService): ServiceCalls =>
  new Proxy<ServiceCalls>(service, {
    get: (target, name: keyof ServiceCalls) => {
      if (name !== 'create') return target[name].bind(target) as unknown
      return async (request: OrderRequest): Promise<CreateAnswer> => {
        const answer = await target.create(request)
        return answer.type === 'unknown' ? target.create(request) : answer
      }
    },
  })

function outcomeText(outcome: RequestOutcome): string {
  if (outcome.type === 'acknowledged') return `order ${outcome.order.id}`
  return outcome.type === 'refused' ? `refused ${outcome.refusal.code}` : 'unknown'
}
