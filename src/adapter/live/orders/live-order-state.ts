/**
 * The records of one account's orders and their few transitions: an order is assigned to an intent, is reported, ends;
 * a market is blocked.
 */
import type { Decimal } from '../../../domain/decimal.ts'
import { ExchangeError, invariant } from '../../../domain/errors.ts'
import type { Market } from '../../../domain/market.ts'
import type { RefusalCode } from '../../../domain/refusal.ts'
import type { BlockedMarket } from '../../../store/state/live/persisted-intent.ts'
import type { WireOrder } from '../../../wire/wire-order.ts'
import type { WireFill } from '../../../wire/wire-trade.ts'
import type { AccountUpdate, Reconciliation, RequestOutcome } from '../../exchange-adapter.ts'
import type { LiveTime } from '../live-time.ts'
import { KEY_CODES, type ReadKind } from '../read-troubles.ts'
import type { ServiceCalls } from '../rest/service-calls.ts'
import { IntentBook } from './intent-book.ts'
import type { Intent, IntentStore } from './intent.ts'
import { KnownOrders } from './known-orders.ts'
import type { AssumedFees } from './order-fees.ts'
import { type OwnOrder, OwnOrders } from './own-orders.ts'
import { isSameReport, type ReportedFill, reportWith } from './reported-fills.ts'
import { SymbolBook } from './symbol-book.ts'

/** Blocked markets (`halt` in messages and JSON), which take no orders until an operator resumes them. */
export class BlockedMarkets {
  readonly #store: Pick<IntentStore, 'blockedMarkets' | 'block' | 'unblock'>
  readonly #now: () => number
  readonly #bySymbol: Map<string, BlockedMarket>

  constructor(store: Pick<IntentStore, 'blockedMarkets' | 'block' | 'unblock'>, now: () => number) {
    this.#store = store
    this.#now = now
    this.#bySymbol = new Map(store.blockedMarkets().map((market) => [market.symbol, market]))
  }

  get all(): readonly BlockedMarket[] {
    return [...this.#bySymbol.values()]
  }

  of(symbol: string): BlockedMarket | undefined {
    return this.#bySymbol.get(symbol)
  }

  /** A blocked market keeps its first reason; an ambiguous one stays blocked until the ambiguity ends. */
  block(symbol: string, why: BlockedMarket['why'], reason: string): void {
    const known = this.#bySymbol.get(symbol)
    if (known !== undefined && (known.why === 'AMBIGUOUS' || why === 'GHOST')) return
    const blocked = { symbol, why, reason, since: this.#now() }
    this.#store.block(blocked)
    this.#bySymbol.set(symbol, blocked)
  }

  unblock(symbol: string): void {
    this.#store.unblock(symbol)
    this.#bySymbol.delete(symbol)
  }
}

/** All methods are called as events. */
export interface LiveOrderListener {
  onUpdates(owner: string, updates: readonly AccountUpdate[]): void
  /** Whether fills of an owner's orders are reported in this process. */
  isReporting(owner: string): boolean
  /** Whether updates that an owner receives are in its files when the call returns. */
  isWritten(owner: string): boolean
  /** A request of ours changed the account. */
  onActivity(hasFills: boolean): void
  /** Reports a line to the operator, such as a foreign order or a blocked market. */
  onWarning(text: string): void
  /** The account is not usable as it should be. */
  onFault(error: ExchangeError, kind: ReadKind): void
  onRead(kind: ReadKind): void
  /** Reports an internal error. */
  onError(error: unknown): void
}

export interface LiveOrderStateParts {
  readonly markets: readonly Market[]
  readonly calls: ServiceCalls
  readonly store: IntentStore
  readonly time: LiveTime
  readonly fees: AssumedFees
  /** Exact fee of an order's fills in earlier sessions; default: 0. */
  readonly exactFeeOf?: ((owner: string, orderId: string) => bigint) | undefined
  /** Last known price of a market. */
  readonly lastPrice: (symbol: string) => Decimal | undefined
  /** Identifies this session among those of the account. */
  readonly session: string
  readonly listener: LiveOrderListener
}

export type Reply = (outcome: RequestOutcome) => void

export class LiveOrderState {
  readonly intents: IntentBook
  readonly blockedMarkets: BlockedMarkets
  readonly known: KnownOrders
  readonly own: OwnOrders
  readonly symbols: SymbolBook
  readonly calls: ServiceCalls
  readonly time: LiveTime
  readonly session: string
  readonly listener: LiveOrderListener
  readonly #store: IntentStore
  readonly #marketsBySymbol: ReadonlyMap<string, Market>
  #userId: string | undefined

  constructor({ markets, calls, store, time, fees, exactFeeOf, lastPrice, ...parts }: LiveOrderStateParts) {
    const { session, listener } = parts
    this.calls = calls
    this.time = time
    this.session = session
    this.listener = listener
    this.#marketsBySymbol = new Map(markets.map((market) => [market.symbol, market]))
    this.#store = store
    this.known = new KnownOrders(store)
    this.intents = new IntentBook(store)
    this.blockedMarkets = new BlockedMarkets(store, () => time.now())
    this.own = new OwnOrders({
      marketOf: (symbol) => this.#market(symbol),
      fees,
      exactFeeOf,
      lastPrice,
      report: (owner, updates) => {
        listener.onUpdates(owner, updates)
      },
      onEnding: () => {
        listener.onActivity(true)
      },
      isReporting: (owner) => listener.isReporting(owner),
      intentOf: (orderId) => (this.intents.isOwned(orderId) ? store.intentOfOrder(orderId) : undefined),
      onFinished: (own) => {
        this.#finish(own)
      },
      onLate: (own) => {
        const { id, symbol } = own.order
        if (listener.isWritten(own.owner)) {
          listener.onWarning(`order ${id} of ${symbol} was filled after it was reported as finished; the fill counts`)
        }
        this.#finish(own)
      },
    })
    this.symbols = new SymbolBook(calls, this.known, this.intents, (orders) => {
      this.#onListed(orders)
    })
  }

  /** The service's user id of the account, once one of its orders was seen. */
  get userId(): string | undefined {
    return this.#userId
  }

  hasMarket(symbol: string): boolean {
    return this.#marketsBySymbol.has(symbol)
  }

  save(intent: Intent, change: Partial<Intent>): Intent {
    const changed = { ...intent, ...change, changedAt: this.time.now() }
    this.intents.save(changed)
    return changed
  }

  /** Assigns the order to the intent, without reporting it yet. */
  take(intent: Intent, order: WireOrder): OwnOrder {
    this.#userId ??= order.userId
    // A single write to disk, because the next order waits for it. An order that is not tracked yet is not reported.
    const placed = this.#store.together(() => {
      const saved = this.save(intent, { state: 'PLACED', orderId: order.id })
      this.symbols.absorb([order])
      return saved
    })
    this.symbols.explain(order.id)
    return this.own.track(placed, order)
  }

  /** Assigns an order that was found to an intent whose answer was lost. */
  adopt(intent: Intent, order: WireOrder): void {
    const own = this.take(intent, order)
    this.reportSettled(intent, { type: 'adopted', order: own.order.seen })
    this.own.reportFirst(own)
    this.listener.onActivity(order.filledQty > 0)
  }

  /** Restores an open order of an earlier session to its owner. */
  recover(intent: Intent, order: WireOrder, fills: readonly WireFill[]): OwnOrder {
    if (order.userId !== '') this.#userId ??= order.userId
    return this.own.recover(intent, order, fills)
  }

  /** Notifies only the session that sent it, which waits for the outcome. */
  reportSettled({ owner, session, reference }: Intent, settlement: Reconciliation): void {
    if (session === this.session) this.listener.onUpdates(owner, [{ type: 'settled', reference, settlement }])
  }

  block(symbol: string, why: 'AMBIGUOUS' | 'GHOST', reason: string): void {
    this.blockedMarkets.block(symbol, why, reason)
    const way =
      why === 'GHOST' ? `continue with 'papertape live resume ${symbol}'` : "decide with 'papertape live orders'"
    this.listener.onWarning(`${symbol} is halted (${why}): ${reason}; ${way}`)
  }

  /** A refusal that makes the key unusable is also a fault. */
  faultOf(code: RefusalCode, message: string): void {
    if (KEY_CODES.has(code)) this.listener.onFault(new ExchangeError(code, message), 'account')
  }

  replyLater(reply: Reply, outcome: RequestOutcome): void {
    this.time.after(0, () => {
      reply(outcome)
    })
  }

  /** Saves which fills of an owner's orders are in its files, as soon as they are. */
  saveReports(owner: string): void {
    this.#store.together(() => {
      for (const own of this.own.ofOwner(owner)) {
        const intent = this.#intentOf(own)
        if (isSameReport(intent.report, own.order.report)) continue
        const saved = this.save(intent, { report: own.order.report })
        if (saved.isFinished) this.intents.forget(saved)
      }
    })
  }

  /** Adds fills of an order from the files of an owner's earlier sessions. */
  addReported(orderId: string, rows: readonly ReportedFill[]): void {
    const intent = this.#store.intentOfOrder(orderId)
    if (intent?.report === undefined) return
    const report = reportWith(intent.report, rows)
    if (isSameReport(intent.report, report)) return
    const saved = this.save(intent, { report, filledQty: Math.max(intent.filledQty, report.qty) })
    if (saved.isFinished) this.intents.forget(saved)
  }

  /** Fills that are in no file yet are not saved as reported, nor those of an owner without a session. */
  #finish(own: OwnOrder): void {
    const { order, owner } = own
    const { seenFilledQty, report } = order
    const change = { isFinished: true, filledQty: seenFilledQty }
    const isWritten = this.listener.isReporting(owner) && this.listener.isWritten(owner)
    this.intents.forget(this.save(this.#intentOf(own), isWritten ? { ...change, report } : change))
  }

  #intentOf({ intent, order }: OwnOrder): Intent {
    return this.intents.find(intent.id) ?? this.#store.intentOfOrder(order.id) ?? intent
  }

  #onListed(orders: readonly WireOrder[]): void {
    const [first] = orders
    if (first === undefined) return
    this.#userId ??= first.userId
    if (!orders.some(({ id }) => this.own.find(id) !== undefined)) return
    this.time.enter(() => {
      this.own.see(orders)
    })
  }

  #market(symbol: string): Market {
    const market = this.#marketsBySymbol.get(symbol)
    invariant(market !== undefined, `no market '${symbol}'`)
    return market
  }
}

/** Rejected locally; never sent. */
export const refusedHere = (code: RefusalCode, message: string): RequestOutcome => ({
  type: 'refused',
  refusal: { code, message },
  by: 'settlement',
})

export const OVER_BUDGET: RequestOutcome = {
  type: 'refused',
  refusal: { code: 'RATE_LIMITED', message: 'the rate limit of the API key is used up' },
  by: 'rate-budget',
}
