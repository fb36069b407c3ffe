/**
 * Risk of a session: the stage before every order that refuses what exceeds its limits, and the session state that
 * losses and commands change.
 *
 * Invariant: an order that is sent was within every limit when it was requested and, if it had to wait, when it was
 * sent.
 */
import type { AccountUpdate, ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import type { Market } from '../../../domain/market.ts'
import type { OrderRequest } from '../../../domain/order.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import { isoTime, MINUTE_MS } from '../../../domain/time.ts'
import type { PersistedRisk } from '../../../store/state/live/persisted-risk.ts'
import type { HotStream } from '../../../strategy/hot-stream.ts'
import type { PendingRequest, RequestStage } from '../request-stage.ts'
import type { UnfilledOrders } from '../unfilled-orders.ts'
import { EquityWatch, type Look } from './equity-watch.ts'
import { Holdings } from './holdings.ts'
import { collarFault, positionFault, sizeFault, stateFault, valueFault, type CheckedOrder } from './order-checks.ts'
import { RiskNotes, type RiskStore } from './risk-store.ts'
import type { RiskLimits } from '../../settings/risk-limits.ts'
import type { SessionState, StateChange } from '../../session-state.ts'
import { SessionStates } from './session-states.ts'

export type RiskAdapter = Pick<ExchangeAdapter, 'after' | 'balances' | 'lastPrice' | 'markets' | 'now' | 'openOrders'>

export interface RiskOptions {
  readonly limits: RiskLimits
  readonly adapter: RiskAdapter
  /** Asset in which losses are counted. */
  readonly quoteAsset: string
  /** Unfilled orders of the session, including an order that is being checked. */
  readonly unfilled: UnfilledOrders
  /** Persists the state of the limits; default: nothing is persisted. */
  readonly store?: RiskStore | undefined
  /** Logs to the operator. */
  readonly log: (message: string) => void
}

export class Risk implements RequestStage {
  /** A risk check never queues. */
  readonly waiting = 0
  readonly #limits: RiskLimits
  readonly #adapter: RiskAdapter
  readonly #quoteAsset: string
  readonly #marketsBySymbol: ReadonlyMap<string, Market>
  readonly #unfilled: UnfilledOrders
  readonly #holdings: Holdings
  readonly #pace = new OrderPace()
  readonly #equity: EquityWatch
  readonly #states: SessionStates
  readonly #notes: RiskNotes | undefined
  readonly #log: (message: string) => void
  /** Text about an earlier session's state; undefined if there is nothing to report. */
  readonly #restored: string | undefined

  constructor({ limits, adapter, quoteAsset, unfilled, store, log }: RiskOptions) {
    this.#limits = limits
    this.#log = log
    this.#adapter = adapter
    this.#quoteAsset = quoteAsset
    this.#marketsBySymbol = new Map(adapter.markets.map((market) => [market.symbol, market]))
    const marketOf = (symbol: string): Market | undefined => this.#marketsBySymbol.get(symbol)
    this.#unfilled = unfilled
    this.#holdings = new Holdings(adapter.balances(), marketOf)
    this.#equity = new EquityWatch(adapter, quoteAsset, limits)
    this.#states = new SessionStates(
      () => adapter.now(),
      () => this.#notes?.save(),
    )
    if (store === undefined) return
    this.#restored = this.#restore(store)
    const after = (delayMs: number, action: () => void): void => {
      adapter.after(delayMs, action)
    }
    this.#notes = new RiskNotes({
      store,
      after,
      current: () => ({ marks: this.#equity.marks(), holds: this.#states.saved }),
    })
  }

  get state(): SessionState {
    return this.#states.state
  }

  /** True if a loss has changed the state. */
  get isHeldByRule(): boolean {
    return this.#states.isHeldByRule
  }

  get state$(): HotStream<StateChange> {
    return this.#states.state$
  }

  get atLimit(): 'flatten' | null {
    return this.#limits.atLimit
  }

  /** Hot: the reason, each time a loss begins to hold the session. */
  get breach$(): HotStream<string> {
    return this.#states.breach$
  }

  /** Refuses every order until `endFlatten`. */
  holdToFlatten(why: string): void {
    this.#states.holdToFlatten(why)
  }

  endFlatten(why: string): void {
    this.#states.release('flatten', why)
  }

  /** True if it needs every price. */
  get watchesEquity(): boolean {
    return this.#equity.isOn || this.#states.isHeldByRule
  }

  /** ACTIVE restarts the count of losses, because the old one would end it immediately. */
  setState(state: SessionState, why: string): void {
    if (state === 'ACTIVE') this.#equity.reset()
    this.#states.command(state, why)
    this.look()
  }

  /** Restores the state in which a limit left an earlier session. */
  begin(): void {
    if (this.#restored !== undefined) this.#log(this.#restored)
    this.#states.begin()
  }

  /** Stops persisting. */
  stop(): void {
    this.#notes?.stop()
  }

  /** Takes the balances from before the session. */
  start(): void {
    this.#holdings.onBalances(this.#adapter.balances())
    this.look()
  }

  /** Checks the equity. Call after every change of a price. */
  look(): Look | undefined {
    if (!this.watchesEquity) return undefined
    const look = this.#equity.look()
    if (look.cameIn !== undefined) this.#log(cameInText(look.cameIn, this.#quoteAsset))
    if (look.isNewDay) this.#states.release('day-loss', 'a new day began')
    for (const { rule, why } of look.breaches) this.#states.reduce(rule, why)
    if (look.isNews) this.#notes?.change()
    return look
  }

  submit(request: PendingRequest, pass: (request: PendingRequest) => void): void {
    const { placed } = request
    if (placed === undefined) {
      pass(request)
      return
    }
    const refusal = this.#paceRefusal() ?? this.lastLook(placed)
    if (refusal === undefined) {
      this.#pace.add(this.#adapter.now())
      pass(request)
    } else request.refuse('risk', refusal)
  }

  /** Checks an order that is already counted again, when it is sent after a wait. */
  lastLook(request: OrderRequest): Refusal | undefined {
    const fault = this.#fault(request)
    return fault === undefined ? undefined : refusalOf(fault)
  }

  onUpdate(update: AccountUpdate): void {
    if (update.type === 'fill') this.#holdings.onFill(update.fill)
    if (update.type !== 'balances') return
    this.#holdings.onBalances(update.balances)
    this.look()
    if (this.watchesEquity) this.#notes?.change()
  }

  /** @returns text for the operator; undefined if there was nothing to restore */
  #restore(store: RiskStore): string | undefined {
    const now = this.#adapter.now()
    if (this.#limits.ordersPerMinute !== null) {
      for (const time of store.sentSince(now - MINUTE_MS)) this.#pace.add(time)
    }
    const saved = store.load()
    if (saved === undefined) return undefined
    const isCounted = saved.marks !== undefined && this.#equity.restore(saved.marks)
    const isSameDay = saved.marks === undefined || saved.marks.day >= this.#equity.day
    const holds = saved.holds.filter(({ rule }) => rule !== 'day-loss' || isSameDay)
    this.#states.restore(holds)
    return restoredText({ marks: isCounted ? saved.marks : undefined, isSameDay, holds })
  }

  #paceRefusal(): Refusal | undefined {
    const { ordersPerMinute } = this.#limits
    if (ordersPerMinute === null) return undefined
    const count = this.#pace.count(this.#adapter.now())
    if (count < ordersPerMinute) return undefined
    return refusalOf(`ordersPerMinute: ${count} orders within 60 seconds, the limit is ${ordersPerMinute}`)
  }

  #fault(request: OrderRequest): string | undefined {
    const order = this.#checked(request)
    if (order === undefined) return undefined
    const look = this.look()
    return (
      stateFault(order, this.#states) ??
      sizeFault(order, this.#limits) ??
      positionFault(order, this.#limits) ??
      collarFault(order, this.#limits) ??
      valueFault(order, look?.unpriced)
    )
  }

  #checked(request: OrderRequest): CheckedOrder | undefined {
    const market = this.#marketsBySymbol.get(request.symbol)
    if (market === undefined) return undefined
    const { symbol, baseAsset } = market
    return {
      request,
      market,
      lastPrice: this.#adapter.lastPrice(symbol),
      held: this.#holdings.of(baseAsset),
      couldBuy: this.#unfilled.qty('BUY', baseAsset),
      couldSell: this.#unfilled.qty('SELL', baseAsset),
    }
  }
}

const cameInText = (cameIn: Decimal, quoteAsset: string): string =>
  `the account gained ${cameIn.toFixed()} ${quoteAsset} between sessions; the equity at the start of the day and its peak are raised by it`

const refusalOf = (fault: string): Refusal => ({ code: 'ORDER_REJECTED', message: `risk: ${fault}` })

/** Sliding-window count of order creations in the last minute. */
class OrderPace {
  #times: number[] = []

  /** Within the 60 seconds up to `now`, Unix milliseconds. */
  count(now: number): number {
    // After a clock was set back, orders must be neither dropped nor counted for hours.
    if ((this.#times.at(-1) ?? now) > now) this.#times = this.#times.map((time) => Math.min(time, now))
    const first = this.#times.findIndex((time) => time > now - MINUTE_MS)
    if (first !== 0) this.#times = first < 0 ? [] : this.#times.slice(first)
    return this.#times.length
  }

  add(now: number): void {
    this.#times.push(now)
  }
}

interface RestoredRisk extends PersistedRisk {
  /** Whether the day of the marks is not over. */
  readonly isSameDay: boolean
}

/**
 * Text about restored limits: the counts that continue and what still holds the session; undefined if there is none.
 */
function restoredText({ marks, holds, isSameDay }: RestoredRisk): string | undefined {
  const parts = holds.map(({ rule, why, since }) => {
    const end = rule === 'day-loss' ? 'until the next UTC day, or until ' : 'until '
    return `state REDUCING since ${isoTime(since)} because ${why}, ${end}an operator resumes it`
  })
  if (marks !== undefined) {
    const { quoteAsset, dayStart, peak } = marks
    parts.unshift(
      isSameDay ? `day started at ${dayStart} ${quoteAsset}` : 'a new day began',
      `peak ${peak} ${quoteAsset}`,
    )
  }
  return parts.length === 0 ? undefined : `restored: ${parts.join(', ')}`
}
