/**
 * Dispatches a session's account updates in order of arrival: first to the journal, then to the session's counts and
 * risk, then to its listener, then to the strategy.
 */
import type {
  AccountUpdate,
  EarlierUpdate,
  ExchangeAdapter,
  RequestOutcome,
  Reconciliation,
} from '../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { assertNever } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/refusal.ts'
import type { HotStream } from '../../strategy/hot-stream.ts'
import type { CancelIntent, Outcome, PlaceIntent } from '../../strategy/intent.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type { SessionJournal } from '../journal/session-journal.ts'
import type { FollowedOrders } from './followed-orders.ts'
import type { FreshBalances } from './fresh-balances.ts'
import type { PositionBook } from './position-book.ts'
import type { RefusedRequest } from './refused-request.ts'
import type { Risk } from './risk/risk.ts'
import type { StateChange } from '../session-state.ts'
import type { ContextStreams } from './strategy-context.ts'
import type { UnfilledOrders } from './unfilled-orders.ts'

/** Receives the strategy's account events, whether the strategy subscribes to them or not. */
export interface SessionListener {
  onOrder(order: OwnOrder): void
  /** A fill arrived after the reported end of its order. @param fee  of all its fills */
  onCorrected?(order: OwnOrder, fee: Decimal): void
  onFill(fill: OwnFill): void
  onRefusal(refused: RefusedRequest): void
  /** An order that was open before the session began; called before all else. */
  onTakenOver(order: OwnOrder): void
  onState(change: StateChange): void
}

export interface AccountEventsOptions {
  readonly journal: SessionJournal
  readonly unfilled: UnfilledOrders
  readonly positions: PositionBook
  readonly followed: FollowedOrders
  readonly balances: FreshBalances
  /** Undefined for none. */
  readonly risk: Risk | undefined
  readonly observer: SessionListener
  readonly streams: ContextStreams
  /** Unix milliseconds. */
  readonly now: () => number
  /** Available balance of the asset that an order would reserve. */
  readonly available: (intent: PlaceIntent) => Decimal | undefined
}

export class AccountEvents {
  readonly #options: AccountEventsOptions
  /** Placements with an unknown outcome, or found absent, by reference. */
  readonly #unsettled = new Map<number, PlaceIntent>()
  #isStrategyOver = false

  constructor(options: AccountEventsOptions) {
    this.#options = options
  }

  /** From now on nothing is emitted to the strategy. */
  endStrategy(): void {
    this.#isStrategyOver = true
  }

  /** @param asked  the requested intent, which may have been rounded */
  onOutcome(
    reference: number,
    intent: PlaceIntent | CancelIntent,
    outcome: RequestOutcome,
    asked: PlaceIntent | CancelIntent = intent,
  ): void {
    const isPlacement = intent.type !== 'cancel'
    const { followed } = this.#options
    if (outcome.type === 'unknown' && isPlacement) this.#unsettled.set(reference, intent)
    this.#note(reference, outcome, asked)
    if (isPlacement) followed.onOutcome(reference, outcome)
    this.#tellOutcome(outcomeOf(intent, outcome))
  }

  /** Outcome of a cancel by the session itself, which the strategy does not receive. */
  onOwnCancel(reference: number, orderId: string, outcome: RequestOutcome): void {
    this.#note(reference, outcome, { type: 'cancel', orderId })
  }

  onUpdate(update: AccountUpdate): void {
    const { journal, unfilled, positions, risk } = this.#options
    journal.update(update)
    unfilled.onUpdate(update)
    if (update.type === 'fill') positions.onFill(update.fill)
    risk?.onUpdate(update)
    this.#tellUpdate(update)
  }

  /** Followers of an order act on it before the strategy receives it. */
  #tellUpdate(update: AccountUpdate): void {
    const { followed, balances, observer, streams } = this.#options
    followed.onUpdate(update)
    balances.onUpdate(update)
    switch (update.type) {
      case 'order':
        observeOrder(observer, update)
        this.#tell(streams.orders$, update.order)
        break
      case 'fill':
        observer.onFill(update.fill)
        this.#tell(streams.fills$, update.fill)
        break
      case 'balances':
        this.#tell(streams.balances$, update.balances)
        break
      case 'settled':
        this.#onSettled(update.reference, update.settlement)
        break
      default:
        assertNever(update)
    }
  }

  /**
   * Call first.
   * @param open         orders of earlier sessions, oldest first
   * @param takeEarlier  hands over changes from before that no session has reported
   */
  takeOver(open: readonly OwnOrder[], takeEarlier: ExchangeAdapter['takeEarlier']): void {
    for (const order of open) this.#onTakenOver(order)
    takeEarlier?.((updates) => {
      this.#onEarlier(updates, new Set(open.map(({ id }) => id)))
    })
  }

  #onTakenOver(order: OwnOrder): void {
    this.#options.journal.takenOver(order)
    this.#options.unfilled.takeOver(order)
    this.#options.observer.onTakenOver(order)
  }

  /**
   * Changes before the session, for its files and its figures only: the strategy and followers of orders do not receive
   * them, because the initial balances and open orders already include them.
   * @param takenOver  ids of orders that the session knows
   */
  #onEarlier(updates: readonly EarlierUpdate[], takenOver: ReadonlySet<string>): void {
    const { journal, observer } = this.#options
    const known = new Set(takenOver)
    for (const update of updates) {
      const id = update.type === 'order' ? update.order.id : update.fill.orderId
      const first = known.has(id) ? undefined : updates.find((each) => each.type === 'order' && each.order.id === id)
      known.add(id)
      if (first?.type === 'order' && first.correctedFee === undefined) {
        journal.takenOver(first.order)
        observer.onTakenOver(first.order)
      }
      journal.update(update)
      if (update.type === 'fill') observer.onFill(update.fill)
      else observeOrder(observer, update)
    }
  }

  onState(change: StateChange): void {
    this.#options.journal.state(change)
    this.#options.observer.onState(change)
  }

  #note(reference: number, outcome: RequestOutcome, intent: PlaceIntent | CancelIntent): void {
    const { journal, unfilled, observer, now, available } = this.#options
    const isPlacement = intent.type !== 'cancel'
    journal.outcome(reference, outcome, isPlacement)
    unfilled.onOutcome(reference, outcome, isPlacement)
    if (outcome.type !== 'refused') return
    const { refusal, by = 'exchange' } = outcome
    observer.onRefusal({
      reference,
      intent,
      refusal,
      by,
      time: now(),
      available: isShort(refusal) && intent.type !== 'cancel' ? available(intent) : undefined,
    })
  }

  /** An order assumed absent may still appear, so its entry stays until an order is found. */
  #onSettled(reference: number, settlement: Reconciliation): void {
    const intent = this.#unsettled.get(reference)
    if (intent === undefined) return
    switch (settlement.type) {
      case 'adopted':
        this.#unsettled.delete(reference)
        this.#tellOutcome({ type: 'acknowledged', intent, order: settlement.order })
        break
      case 'absent':
        this.#tellOutcome({ type: 'absent', intent })
        break
      case 'ambiguous':
        this.#tellOutcome({ type: 'ambiguous', intent, reason: settlement.reason })
        break
      default:
        assertNever(settlement)
    }
  }

  #tellOutcome(outcome: Outcome): void {
    this.#tell(this.#options.streams.outcomes$, outcome)
  }

  #tell<T>(stream: HotStream<T>, value: T): void {
    if (!this.#isStrategyOver) stream.push(value)
  }
}

function observeOrder(observer: SessionListener, update: Extract<AccountUpdate, { type: 'order' }>): void {
  if (update.correctedFee === undefined) observer.onOrder(update.order)
  else observer.onCorrected?.(update.order, update.correctedFee)
}

const isShort = ({ code }: Refusal): boolean => code === 'INSUFFICIENT_BALANCE'

function outcomeOf(intent: PlaceIntent | CancelIntent, outcome: RequestOutcome): Outcome {
  const { type } = outcome
  switch (type) {
    case 'acknowledged':
      return { type, intent, order: outcome.order }
    case 'refused':
      return { type, intent, refusal: outcome.refusal, by: outcome.by ?? 'exchange' }
    case 'withdrawn':
      return { type, intent, reason: outcome.reason }
    case 'unknown':
      return { type, intent, reason: outcome.reason }
    default:
      return assertNever(outcome)
  }
}
