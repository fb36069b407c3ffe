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
import type { PersistedMarks, PersistedRisk } from '../../../store/state/live/persisted-risk.ts'
import type { HotStream } from '../../../strategy/hot-stream.ts'
import type { PendingRequest, RequestStage } from '../request-stage.ts'
import type { UnfilledOrders } from '../unfilled-orders.ts'
import { dayOf, EquityWatch, type WatchedAccount } from './equity-watch.ts'
import { Holdings } from './holdings.ts'
import { collarFault, positionFault, sizeFault, stateFault, valueFault, type CheckedOrder } from './order-checks.ts'
import { OrderPace } from './order-pace.ts'
import { RiskNotes, type RiskStore } from './risk-store.ts'
import type { RiskLimits } from '../../settings/risk-limits.ts'
import type { SessionState, StateChange } from '../../session-state.ts'
import { SessionStates } from './session-states.ts'
import { WALLET_RULES, type WalletMember, type WalletRisk } from './wallet-risk.ts'

export type RiskAdapter = Pick<
  ExchangeAdapter,
  'after' | 'at' | 'balances' | 'lastPrice' | 'markets' | 'now' | 'openOrders'
>

/** Limits from a moment on. */
export interface LaterLimits {
  /** Unix milliseconds. */
  readonly at: number
  readonly limits: RiskLimits
}

export interface RiskOptions {
  readonly limits: RiskLimits
  /** Replaces them; default: nothing does. */
  readonly later?: LaterLimits | undefined
  readonly adapter: RiskAdapter
  /** Asset in which losses are counted. */
  readonly quoteAsset: string
  /** Unfilled orders of the session, including an order that is being checked. */
  readonly unfilled: UnfilledOrders
  /** Persists the state of the limits; default: nothing is persisted. */
  readonly store?: RiskStore | undefined
  /** Limits of all strategies together; default: none. */
  readonly wallet?: WalletRisk | undefined
  /** Logs to the operator. */
  readonly log: (message: string) => void
}

export class Risk implements RequestStage {
  /** A risk check never queues. */
  readonly waiting = 0
  #limits: RiskLimits
  readonly #later: RiskLimits | undefined
  readonly #adapter: RiskAdapter
  readonly #quoteAsset: string
  readonly #marketsBySymbol: ReadonlyMap<string, Market>
  readonly #unfilled: UnfilledOrders
  readonly #holdings: Holdings
  readonly #pace: OrderPace
  readonly #equity: EquityWatch
  readonly #states: SessionStates
  readonly #wallet: WalletRisk | undefined
  readonly #member: WalletMember
  readonly #notes: RiskNotes | undefined
  readonly #log: (message: string) => void
  /** Text about an earlier session's state; undefined if there is nothing to report. */
  readonly #restored: string | undefined

  constructor({ limits, later, adapter, quoteAsset, unfilled, store, wallet, log }: RiskOptions) {
    this.#limits = limits
    this.#later = later?.limits
    if (later !== undefined)
      adapter.at(later.at, () => {
        this.#change(later.limits)
      })
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
    this.#wallet = wallet
    this.#member = { adapter, unfilled, states: this.#states, held: (asset) => this.#holdings.of(asset) }
    wallet?.join(this.#member)
    const isPaced = limits.ordersPerMinute !== null && store !== undefined
    this.#pace = new OrderPace(isPaced ? store.sentSince(adapter.now() - MINUTE_MS) : [])
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
    return this.#states.isHeldBy()
  }

  get state$(): HotStream<StateChange> {
    return this.#states.state$
  }

  /** True if a limit that holds the session also sells its position. */
  get flattensAtLimit(): boolean {
    const isByWallet = this.#wallet?.atLimit === 'flatten' && this.#states.isHeldBy(WALLET_RULES)
    return isByWallet || (this.#limits.atLimit === 'flatten' && this.#states.isHeldBy(OWN_RULES))
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

  /** Account whose every price it needs; undefined if it needs none. */
  get watched(): WatchedAccount | undefined {
    if (this.#wallet?.watchesEquity === true) return this.#wallet.account
    return this.#watchesOwn || this.#willWatch ? this.#adapter : undefined
  }

  /** True if later limits need what the equity was before. */
  get #willWatch(): boolean {
    return this.#later !== undefined && EquityWatch.isNeededFor(this.#later)
  }

  get #watchesOwn(): boolean {
    return this.#equity.isOn || this.#states.isHeldBy(this.#wallet === undefined ? undefined : OWN_RULES)
  }

  /** ACTIVE restarts the count of losses, because the old one would end it immediately. */
  setState(state: SessionState, why: string): void {
    if (state === 'ACTIVE') {
      this.#equity.reset()
      this.#wallet?.reset()
    }
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
    this.#wallet?.leave(this.#member)
  }

  /** Takes the balances from before the session. */
  start(): void {
    this.#holdings.onBalances(this.#adapter.balances())
    this.look()
  }

  /**
   * Checks the equity. Call after every change of a price.
   * @returns an asset that has no price yet, so that the loss is unknown; undefined if there is none
   */
  look(): string | undefined {
    const together = this.#wallet?.look()
    this.#logIncome(together?.cameIn)
    const isWatching = this.#watchesOwn
    if (!isWatching && !this.#willWatch) return together?.unpriced
    const look = this.#equity.look()
    this.#logIncome(look.cameIn)
    if (look.isNewDay) this.#beginDay()
    for (const { rule, why } of look.breaches) this.#states.reduce(rule, why)
    if (look.isNews) this.#notes?.change()
    return (isWatching ? look.unpriced : undefined) ?? together?.unpriced
  }

  /** A loss limit that changes ends its hold, and may begin another. */
  #change(limits: RiskLimits): void {
    const before = this.#limits
    this.#limits = limits
    this.#equity.limits = limits
    const isOther = (name: 'dayLoss' | 'drawdownPercent'): boolean => String(before[name]) !== String(limits[name])
    if (isOther('dayLoss')) this.#states.release('day-loss', 'dayLoss changed')
    if (isOther('drawdownPercent')) this.#states.release('drawdown', 'drawdownPercent changed')
    this.look()
  }

  #beginDay(): void {
    this.#states.release('day-loss', 'a new day began')
    // Left by an earlier session, if nothing watches the wallet any more.
    if (this.#wallet === undefined) this.#states.release('wallet-day-loss', 'a new day began')
  }

  #logIncome(cameIn: Decimal | undefined): void {
    if (cameIn !== undefined) this.#log(cameInText(cameIn, this.#quoteAsset))
  }

  submit(request: PendingRequest, pass: (request: PendingRequest) => void): void {
    const { placed } = request
    if (placed === undefined) {
      pass(request)
      return
    }
    const now = this.#adapter.now()
    const fault = this.#pace.fault(now, this.#limits.ordersPerMinute) ?? this.#wallet?.paceFault(now)
    const refusal = fault === undefined ? this.lastLook(placed) : refusalOf(fault)
    if (refusal === undefined) {
      this.#pace.add(now)
      this.#wallet?.onSent(now)
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
    if (update.type === 'transfer') this.#equity.onTransfer(update)
    if (update.type !== 'balances') return
    this.#holdings.onBalances(update.balances)
    this.look()
    if (this.#watchesOwn) this.#notes?.change()
    this.#wallet?.onBalances()
  }

  /** @returns text for the operator; undefined if there was nothing to restore */
  #restore(store: RiskStore): string | undefined {
    const wallet = this.#wallet?.takeRestored()
    const saved = store.load() ?? (wallet && { marks: undefined, holds: [] })
    if (saved === undefined) return undefined
    const isCounted = saved.marks !== undefined && this.#equity.restore(saved.marks)
    const isSameDay = saved.marks === undefined || saved.marks.day >= this.#equity.day
    const isWalletDay = (since: number): boolean => this.#wallet?.isSameDay ?? dayOf(since) >= this.#equity.day
    const holds = saved.holds.filter(({ rule, since }) => {
      if (rule === 'wallet-day-loss') return isWalletDay(since)
      return rule !== 'day-loss' || isSameDay
    })
    this.#states.restore(holds)
    return restoredText({ marks: isCounted ? saved.marks : undefined, isSameDay, holds, wallet })
  }

  #fault(request: OrderRequest): string | undefined {
    const order = this.#checked(request)
    if (order === undefined) return undefined
    const unpriced = this.look()
    return (
      stateFault(order, this.#states) ??
      sizeFault(order, this.#limits) ??
      positionFault(order, this.#limits) ??
      collarFault(order, this.#limits) ??
      this.#wallet?.fault(order, this.#member) ??
      valueFault(order, unpriced)
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

const OWN_RULES = ['day-loss', 'drawdown'] as const

const cameInText = (cameIn: Decimal, quoteAsset: string): string =>
  `the account gained ${cameIn.toFixed()} ${quoteAsset} between sessions; the equity at the start of the day and its peak are raised by it`

const refusalOf = (fault: string): Refusal => ({ code: 'ORDER_REJECTED', message: `risk: ${fault}` })

interface RestoredMarks {
  readonly marks: PersistedMarks
  /** Whether their day is not over. */
  readonly isSameDay: boolean
}

const marksText = ({ marks: { quoteAsset, dayStart, peak }, isSameDay }: RestoredMarks): readonly string[] => [
  isSameDay ? `day started at ${dayStart} ${quoteAsset}` : 'a new day began',
  `peak ${peak} ${quoteAsset}`,
]

interface RestoredRisk extends PersistedRisk {
  /** Marks of all strategies together; undefined if there are none, or another session reports them. */
  readonly wallet: RestoredMarks | undefined
  /** Whether the day of the marks is not over. */
  readonly isSameDay: boolean
}

/**
 * Text about restored limits: the counts that continue and what still holds the session; undefined if there is none.
 */
function restoredText({ marks, holds, isSameDay, wallet }: RestoredRisk): string | undefined {
  const parts = holds.map(({ rule, why, since }) => {
    const end = rule.endsWith('day-loss') ? 'until the next UTC day, or until ' : 'until '
    return `state REDUCING since ${isoTime(since)} because ${why}, ${end}an operator resumes it`
  })
  if (wallet !== undefined) parts.unshift(...marksText(wallet).map((text) => `${text} of all strategies together`))
  if (marks !== undefined) parts.unshift(...marksText({ marks, isSameDay }))
  return parts.length === 0 ? undefined : `restored: ${parts.join(', ')}`
}
