/**
 * Pipeline of a strategy's intents: each order creation and cancel is journaled, passes the stages, and is sent.
 *
 * Invariant: every request has exactly one outcome, later than itself, unless the session ends before.
 */
import type { ExchangeAdapter, Placement, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { assertNever } from '../../domain/errors.ts'
import type { Refusal, Refuser } from '../../domain/refusal.ts'
import type { CancelAllIntent, CancelIntent, Intent, PlaceIntent } from '../../strategy/intent.ts'
import type { OwnOrder } from '../../strategy/own-order.ts'
import type { SessionJournal } from '../journal/session-journal.ts'
import { TargetOrders } from './targets/target-orders.ts'
import type { Sizing } from './targets/sizing.ts'
import { noIntentText, isIntent } from './emitted-intent.ts'
import type { FollowedOrders, OrderFollower } from './followed-orders.ts'
import type { FreshBalances } from './fresh-balances.ts'
import { IntentPace } from './intent-pace.ts'
import { readRequest, writeRequest } from './intent-request.ts'
import { OrderRounding } from './order-rounding.ts'
import { throughStages, type PendingRequest, type RequestStage } from './request-stage.ts'
import type { Risk } from './risk/risk.ts'
import type { SessionEvent } from './session-event.ts'
import type { UnfilledOrders } from './unfilled-orders.ts'
import { ExpiringOrders } from './conditional/expiring-orders.ts'
import { readExpiry } from './conditional/read-expiry.ts'
import type { ConditionalOrderStore } from './conditional/conditional-order-store.ts'
import { ConditionalOrders } from './conditional/conditional-orders.ts'

export interface IntakeOptions {
  readonly adapter: ExchangeAdapter
  readonly journal: SessionJournal
  /** Takes the outcome of each request. */
  readonly process: (event: SessionEvent) => void
  readonly unfilled: UnfilledOrders
  /** Undefined for none. */
  readonly risk: Risk | undefined
  /** Stages after the risk. */
  readonly stages: readonly RequestStage[]
  /** Open orders of the strategy. @throws {InputError} for an unknown symbol */
  readonly openOrders: (symbol?: string) => readonly OwnOrder[]
  /** True if the end of the run is not known: roundings are then also reported when they begin. */
  readonly isOpenEnded?: boolean | undefined
  /** Handling of a computed quantity or price with too many digits; null to round it. */
  readonly rounding: 'refuse' | null
  /** Orders and cancels at one moment that are not taken for an endless loop; default: see `IntentPace`. */
  readonly maxOrdersAtOnce?: number | null | undefined
  readonly followed: FollowedOrders
  readonly balances: FreshBalances
  readonly sizing: Sizing
  /** Store of conditional orders. */
  readonly book: ConditionalOrderStore
  /** Quote asset of the run. */
  readonly quoteAsset: string
  /** True if nothing more is sent for the strategy. */
  readonly isOver: () => boolean
  /** Logs to the user. */
  readonly log: (message: string) => void
}

type Request = Omit<PendingRequest, 'refuse'>

/** Origin of an order that the session itself places. */
interface PlaceOrigin {
  /** The conditional order that placed it, or its bracket, for the journal. */
  readonly by?: string
  /** Trigger price inside a recorded candle, in the quote asset. */
  readonly inside?: Decimal | undefined
  /** It bypasses the risk limits, because it closes a position. */
  readonly isFree?: boolean
  /** It closes a position: it is sent before other creations that wait for a rate limit. */
  readonly isExit?: boolean
}

export class IntentIntake {
  readonly #options: IntakeOptions
  readonly #pace: IntentPace
  readonly #rounding: OrderRounding
  readonly #stages: readonly RequestStage[]
  readonly #submit: (request: PendingRequest) => void
  /** Bypasses the risk. */
  readonly #submitFree: (request: PendingRequest) => void
  readonly #targets: TargetOrders
  readonly #expiring: ExpiringOrders
  readonly waitingOrders: ConditionalOrders

  constructor(options: IntakeOptions) {
    const { risk, stages } = options
    this.#options = options
    this.#pace = new IntentPace(options.log, options.maxOrdersAtOnce)
    const onFirst = options.isOpenEnded === true ? options.log : undefined
    this.#rounding = new OrderRounding(options.rounding === null, options.adapter.markets, onFirst)
    this.#stages = risk === undefined ? stages : [risk, ...stages]
    this.#submit = throughStages(this.#stages)
    this.#submitFree = throughStages(stages)
    this.#targets = new TargetOrders({
      markets: options.adapter.markets,
      quoteAsset: options.quoteAsset,
      sizing: options.sizing,
      followed: options.followed,
      balances: options.balances,
      openOrders: options.openOrders,
      log: options.log,
      place: (intent, follower) => {
        if (!options.isOver()) this.place(intent, follower)
      },
      cancel: (intent, reply) => {
        this.cancel(intent, reply)
      },
    })
    this.waitingOrders = this.#makeWaitingOrders()
    options.followed.onEveryFill((fill) => {
      this.waitingOrders.onFill(fill)
    })
    this.#expiring = this.#makeExpiringOrders()
  }

  #makeWaitingOrders(): ConditionalOrders {
    const { adapter, balances, book, followed, journal, isOver } = this.#options
    return new ConditionalOrders({
      adapter,
      balances,
      book,
      journal,
      follow: (orderId, follower) => {
        followed.followOrder(orderId, follower)
      },
      place: (by, intent, follower, origin) => {
        if (!isOver()) this.place(intent, follower, { by, ...origin })
      },
      cancel: (by, orderId, reply) => {
        this.cancelFor(by, orderId, reply)
      },
      cancelInside: (by, orderId, reply) => this.#cancelFor(by, orderId, reply, true),
      withdraw: (reference) => adapter.withdraw?.(reference) === true,
      refuse: (intent, refusal) => {
        const reference = journal.place(writeRequest(intent), intent)
        this.#refuse(this.#outcomeOf(reference, intent), 'session', refusal)
      },
    })
  }

  /** Requests that were neither sent nor refused. */
  get waiting(): number {
    return this.#stages.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** @throws {Error} for a value that a strategy must not emit */
  take(intent: Intent): void {
    this.#pace.add(this.#options.adapter.now())
    if (!isIntent(intent)) throw new Error(noIntentText(intent))
    switch (intent.type) {
      case 'limit':
      case 'market':
        this.place(intent, this.#expiryOf(intent))
        break
      case 'cancel':
        if (this.waitingOrders.has(intent.orderId)) this.waitingOrders.cancel(intent.orderId)
        else {
          this.#targets.drop(intent.orderId)
          this.cancel(intent)
        }
        break
      case 'cancel-all':
        this.#cancelAll(intent)
        break
      case 'target':
      case 'rebalance':
      case 'replace':
        this.#targets.take(intent)
        break
      case 'stop':
      case 'trailing-stop':
      case 'take-profit':
      case 'oco':
      case 'bracket':
        this.waitingOrders.take(this.#rounding.conditional(intent))
        break
      default:
        assertNever(intent)
    }
  }

  /**
   * A cancel that is not the strategy's.
   * @param by  its origin, for the journal
   */
  cancelFor(by: string, orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.#cancelFor(by, orderId, reply, false)
  }

  /** True if it was executed immediately. @param isInside  whether it may be, during a bar phase */
  #cancelFor(by: string, orderId: string, reply: (outcome: RequestOutcome) => void, isInside: boolean): boolean {
    const { adapter, journal, process } = this.#options
    const reference = journal.cancel(orderId, by)
    const intent: CancelIntent = { type: 'cancel', orderId }
    const onOutcome = (outcome: RequestOutcome): void => {
      process({ type: 'outcome', reference, outcome, intent, requested: intent, isOfStrategy: false })
      reply(outcome)
    }
    let isDone = false
    const send = (): void => {
      isDone = isInside && adapter.cancelInside?.(orderId, onOutcome) === true
      if (!isDone) adapter.cancel(orderId, onOutcome)
    }
    this.#enter({ reference, placed: undefined, intent, send }, onOutcome)
    return isDone
  }

  /** Drops everything that would become an order later. @param symbol  restricts it to one market */
  giveUpLater(symbol?: string): void {
    this.#targets.end(symbol)
    this.waitingOrders.cancelAll(symbol)
  }

  #cancelAll({ symbol }: CancelAllIntent): void {
    this.giveUpLater(symbol)
    for (const { id } of this.#options.openOrders(symbol)) this.cancel({ type: 'cancel', orderId: id })
  }

  /** @throws {Error} for an invalid time */
  #expiryOf(intent: PlaceIntent): OrderFollower | undefined {
    const expires = intent.type === 'market' ? undefined : readExpiry(intent)
    return expires === undefined ? undefined : this.#expiring.follower(expires)
  }

  #makeExpiringOrders(): ExpiringOrders {
    const { adapter, book, followed } = this.#options
    return new ExpiringOrders({
      book,
      now: () => adapter.now(),
      after: (delayMs, action) => {
        adapter.after(delayMs, action)
      },
      cancel: (orderId, reply) => {
        this.cancelFor('expires', orderId, reply)
      },
      follow: (orderId, follower) => {
        followed.followOrder(orderId, follower)
      },
    })
  }

  /**
   * Continues the conditional orders of an earlier session.
   * @returns their number
   * @throws {InputError} for an order that cannot continue
   */
  resumeWaiting(): number {
    const waits = this.#options.book.waits()
    this.waitingOrders.resume(
      waits.filter((wait) => wait.kind === 'group'),
      waits.filter((wait) => wait.kind === 'holdings'),
    )
    this.#expiring.resume(waits.filter((wait) => wait.kind === 'expiry'))
    return waits.filter(({ kind }) => kind !== 'holdings').length
  }

  /** Number of rounded quantities and limit prices. */
  get rounded(): number {
    return this.#rounding.total
  }

  /** Stops all conditional orders and reports roundings and skips; persisted orders stay for the next session. */
  stopWaiting(): void {
    for (const line of this.#rounding.takeReport()) this.#options.log(line)
    this.#targets.report()
    this.waitingOrders.stop()
    this.#options.book.close()
  }

  /** Drops conditional orders, also for the next session. @returns their ids */
  giveUpWaiting(): readonly string[] {
    this.#options.book.forget()
    return this.waitingOrders.giveUp()
  }

  /** Places an order for the strategy, which receives its events. @param follower  is called before the strategy */
  place(intent: PlaceIntent, follower?: OrderFollower, origin: PlaceOrigin = {}): void {
    const { adapter, journal, followed } = this.#options
    const { by, inside, isFree = false, isExit = isFree } = origin
    const asked = this.#rounding.place(intent)
    const written = writeRequest(asked)
    const decoded = readRequest(written, (symbol) => adapter.markets.find((market) => market.symbol === symbol))
    const reference = journal.place(written, intent, by)
    if (follower !== undefined) followed.follow(reference, follower)
    const onOutcome = this.#outcomeOf(reference, intent, asked)
    if (!decoded.ok) {
      this.#refuse(onOutcome, 'session', decoded.refusal)
      return
    }
    const { request: placed } = decoded
    const lastLook = isFree ? (): Refusal | undefined => stillWanted(follower) : undefined
    const send = (): void => {
      this.#send({ request: placed, reference, tag: intent.tag, inside, lastLook, isExit }, onOutcome)
    }
    this.#enter({ reference, placed, intent, isExit, send }, onOutcome, isFree)
  }

  /** It may have waited here, and may wait in the adapter again. */
  #send(placement: Placement, onOutcome: (outcome: RequestOutcome) => void): void {
    const { adapter, risk } = this.#options
    const lastLook = placement.lastLook ?? (risk && ((): Refusal | undefined => risk.lastLook(placement.request)))
    if (lastLook === undefined) {
      adapter.place(placement, onOutcome)
      return
    }
    const refusal = lastLook()
    if (refusal === undefined) adapter.place({ ...placement, lastLook }, onOutcome)
    else this.#refuse(onOutcome, 'risk', refusal)
  }

  /** Cancels an order for the strategy, which receives its events. @param reply  is called after the strategy */
  cancel(intent: CancelIntent, reply?: (outcome: RequestOutcome) => void): void {
    const { adapter, journal } = this.#options
    const { orderId } = intent
    const reference = journal.cancel(orderId)
    const process = this.#outcomeOf(reference, intent)
    const onOutcome = (outcome: RequestOutcome): void => {
      process(outcome)
      reply?.(outcome)
    }
    const send = (): void => {
      adapter.cancel(orderId, onOutcome)
    }
    this.#enter({ reference, placed: undefined, intent, send }, onOutcome)
  }

  /** Takes the outcome of a request of the strategy. @param requested  the intent, which may have been rounded */
  #outcomeOf(
    reference: number,
    intent: PlaceIntent | CancelIntent,
    requested = intent,
  ): (outcome: RequestOutcome) => void {
    const { process } = this.#options
    return (outcome) => {
      process({ type: 'outcome', reference, outcome, intent, requested, isOfStrategy: true })
    }
  }

  #enter(request: Request, onOutcome: (outcome: RequestOutcome) => void, isFree = false): void {
    const { placed, reference } = request
    const { unfilled } = this.#options
    const refuse = (by: Refuser, refusal: Refusal): void => {
      unfilled.drop(reference)
      this.#refuse(onOutcome, by, refusal)
    }
    if (placed !== undefined) unfilled.add(reference, placed)
    const { intent, isExit = false, send } = request
    const submit = isFree ? this.#submitFree : this.#submit
    // Without a spread: objects that are made so are slow to read.
    submit({ reference, placed, intent, isExit, send, refuse })
  }

  /** Rejected locally; never sent. The strategy receives it later, like a refusal by the exchange. */
  #refuse(onOutcome: (outcome: RequestOutcome) => void, by: Refuser, refusal: Refusal): void {
    this.#options.adapter.after(0, () => {
      onOutcome({ type: 'refused', refusal, by })
    })
  }
}

/** Refuses a request that was dropped before it was sent. */
const stillWanted = (follower: OrderFollower | undefined): Refusal | undefined =>
  follower?.isWanted?.() === false
    ? { code: 'ORDER_REJECTED', message: 'the session no longer needs this order' }
    : undefined
