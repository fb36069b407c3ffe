/**
 * One strategy on one adapter: gives it its streams, takes its intents, keeps the rate budget, and writes the journal.
 *
 * Invariant: every intent has exactly one outcome, and every outcome stands in the journal; one that is unknown is followed by what it
 * turned out to be.
 * Known limit: an intent that still waits, or is on its way, when the session ends has none.
 */
import type { Subscription } from 'rxjs'
import type { AccountUpdate, ExchangeAdapter, RequestOutcome, Settlement } from '../../adapter/exchange-adapter.ts'
import { assertNever, InputError, InvariantError, StrategyError } from '../../domain/errors.ts'
import type { RateLimits } from '../../domain/rate-window.ts'
import type { Refusal, RefusalCode, Refuser } from '../../domain/refusal.ts'
import type { StrategyContext } from '../../strategy/context.ts'
import type { HotStream } from '../../strategy/hot-stream.ts'
import type { CancelIntent, Intent, Outcome, PlaceIntent } from '../../strategy/intent.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { described, isIntent } from './emitted-intent.ts'
import { readRequest, writeRequest } from './intent-request.ts'
import type { Journal } from '../journal/journal.ts'
import { RateStage } from './rate-stage.ts'
import type { OnLimit } from './request-queue.ts'
import { throughStages, type PendingRequest, type RequestStage } from './request-stage.ts'
import { SessionJournal } from '../journal/session-journal.ts'
import { createContext, createStreams, type ContextStreams } from './strategy-context.ts'
import type { Turn } from './turn.ts'

/** Hears what the strategy is told of its account, whether the strategy listens or not. */
export interface SessionObserver {
  onOrder(order: OwnOrder): void
  onFill(fill: OwnFill): void
  onRefusal(code: RefusalCode): void
}

export interface SessionOptions {
  readonly strategy: Strategy
  readonly params: Readonly<Record<string, unknown>>
  readonly adapter: ExchangeAdapter
  /** Undefined for no limits. */
  readonly limits: RateLimits | undefined
  readonly onLimit: OnLimit
  /** Asset in which the strategy's portfolio is valued. */
  readonly quoteAsset: string
  readonly journal: Journal
  /** In [0, 1), seeded. */
  readonly random: () => number
  readonly log: (time: number, message: string) => void
  readonly turn: Pick<Turn, 'isOn'>
  readonly observer: SessionObserver
}

/** A strategy that answers its own answers without letting time pass would never end. */
const MOST_INTENTS_AT_ONE_MOMENT = 10_000

export class Session {
  readonly #options: SessionOptions
  readonly #streams: ContextStreams = createStreams()
  readonly #context: StrategyContext<Record<string, unknown>>
  readonly #stages: readonly RequestStage[]
  readonly #submit: (request: PendingRequest) => void
  readonly #journal: SessionJournal
  /** Placements whose outcome is unknown, or was found to be none, by their reference. */
  readonly #unsettled = new Map<number, PlaceIntent>()
  #updates: Subscription | undefined
  #output: Subscription | undefined
  #isStrategyOver = false
  #failure: StrategyError | undefined
  #momentOfIntents = Number.NEGATIVE_INFINITY
  #intentsAtMoment = 0

  constructor(options: SessionOptions) {
    const { adapter, limits, onLimit } = options
    this.#options = options
    this.#journal = new SessionJournal(options.journal, () => adapter.now())
    this.#context = createContext(options, this.#streams)
    const after = (delayMs: number, action: () => void): void => {
      adapter.after(delayMs, action)
    }
    this.#stages = [new RateStage({ limits, onLimit, now: () => adapter.now(), after })]
    this.#submit = throughStages(this.#stages)
  }

  /** The error that ended the session before its time, if one did. */
  get failure(): StrategyError | undefined {
    return this.#failure
  }

  /** Requests that were neither sent nor refused. */
  get waiting(): number {
    return this.#stages.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** Runs the strategy. It may act from now on. @throws {InputError} when it asks for what is not there */
  start(): void {
    const { adapter, strategy } = this.#options
    this.#updates = adapter.updates$.subscribe((update) => {
      this.#onUpdate(update)
    })
    try {
      this.#output = strategy.run(this.#context).subscribe({
        next: (intents) => {
          this.#onIntents(intents)
        },
        error: (error: unknown) => {
          this.fail(error)
        },
      })
    } catch (error) {
      // What the strategy asks for and the user has not given, such as trades of a tape of candles, is the user's to mend.
      if (error instanceof InputError) throw error
      this.fail(error)
    }
    if (this.#isStrategyOver) this.#output?.unsubscribe()
  }

  /** Takes the strategy off its streams. What comes in later still stands in the journal. */
  stopStrategy(): void {
    this.#isStrategyOver = true
    try {
      this.#output?.unsubscribe()
    } catch (error) {
      this.#keepFailure(error)
    }
  }

  stop(): void {
    this.stopStrategy()
    this.#updates?.unsubscribe()
  }

  /**
   * Ends the session with what the strategy threw. The first failure counts.
   *
   * @throws {InvariantError} when that is what it was: a bug of ours is not the strategy's
   */
  fail(error: unknown): void {
    this.#keepFailure(error)
    this.stopStrategy()
  }

  #keepFailure(error: unknown): void {
    if (error instanceof InvariantError) throw error
    const message = error instanceof Error ? error.message : String(error)
    this.#failure ??=
      error instanceof StrategyError ? error : new StrategyError(message, this.#options.adapter.now(), { cause: error })
  }

  #onIntents(intents: Intent | readonly Intent[]): void {
    if (!this.#options.turn.isOn) {
      this.fail(new Error(outOfTurn(this.#options.strategy)))
      return
    }
    const all = Array.isArray(intents) ? (intents as readonly Intent[]) : [intents as Intent]
    for (const intent of all) this.#onIntent(intent)
  }

  #onIntent(intent: Intent): void {
    if (this.#isStrategyOver || this.#isEndless()) return
    if (!isIntent(intent)) {
      this.fail(new Error(`expected an intent, got ${described(intent)}`))
      return
    }
    switch (intent.type) {
      case 'limit':
      case 'market':
        this.#place(intent)
        break
      case 'cancel':
        this.#cancel(intent)
        break
      case 'cancel-all':
        for (const { id } of this.#context.openOrders(intent.symbol)) this.#cancel({ type: 'cancel', orderId: id })
        break
      default:
        assertNever(intent)
    }
  }

  /** True, and the session has failed, when the strategy wants more at one moment than could be meant. */
  #isEndless(): boolean {
    const now = this.#options.adapter.now()
    this.#intentsAtMoment = now === this.#momentOfIntents ? this.#intentsAtMoment + 1 : 1
    this.#momentOfIntents = now
    if (this.#intentsAtMoment <= MOST_INTENTS_AT_ONE_MOMENT) return false
    this.fail(new Error(`more than ${MOST_INTENTS_AT_ONE_MOMENT} intents at one moment: it answers itself without end`))
    return true
  }

  #place(intent: PlaceIntent): void {
    const { adapter } = this.#options
    const written = writeRequest(intent)
    const decoded = readRequest(written, (symbol) => adapter.markets.find((market) => market.symbol === symbol))
    const reference = this.#journal.place(written, intent)
    if (!decoded.ok) {
      this.#refuseHere(reference, intent, 'session', decoded.refusal)
      return
    }
    const onReply = (outcome: RequestOutcome): void => {
      if (outcome.type === 'unknown') this.#unsettled.set(reference, intent)
      this.#onOutcome(reference, intent, outcome)
    }
    this.#stage(reference, intent, () => {
      adapter.place({ request: decoded.request, reference, tag: intent.tag }, onReply)
    })
  }

  #cancel(intent: CancelIntent): void {
    const { orderId } = intent
    const reference = this.#journal.cancel(orderId)
    this.#stage(reference, intent, () => {
      this.#options.adapter.cancel(orderId, (outcome) => {
        this.#onOutcome(reference, intent, outcome)
      })
    })
  }

  #stage(reference: number, intent: PlaceIntent | CancelIntent, send: () => void): void {
    const refuse = (by: Refuser, refusal: Refusal): void => {
      this.#refuseHere(reference, intent, by, refusal)
    }
    this.#submit({ intent, send, refuse })
  }

  /** A refusal that never left the house. It reaches the strategy later, as one from the exchange would. */
  #refuseHere(reference: number, intent: PlaceIntent | CancelIntent, by: Refuser, refusal: Refusal): void {
    this.#options.adapter.after(0, () => {
      this.#onOutcome(reference, intent, { type: 'refused', refusal, by })
    })
  }

  #onOutcome(ref: number, intent: PlaceIntent | CancelIntent, outcome: RequestOutcome): void {
    this.#journal.outcome(ref, outcome)
    const { type } = outcome
    switch (type) {
      case 'acknowledged':
        this.#tellOutcome({ type, intent, order: outcome.order })
        break
      case 'refused':
        this.#options.observer.onRefusal(outcome.refusal.code)
        this.#tellOutcome({ type, intent, refusal: outcome.refusal, by: outcome.by ?? 'exchange' })
        break
      case 'unknown':
        this.#tellOutcome({ type, intent, reason: outcome.reason })
        break
      default:
        assertNever(outcome)
    }
  }

  #tellOutcome(outcome: Outcome): void {
    this.#tell(this.#streams.outcomes$, outcome)
  }

  #onUpdate(update: AccountUpdate): void {
    this.#journal.update(update)
    switch (update.type) {
      case 'order':
        this.#onOrder(update.order)
        break
      case 'fill':
        this.#options.observer.onFill(update.fill)
        this.#tell(this.#streams.fills$, update.fill)
        break
      case 'balances':
        this.#tell(this.#streams.balances$, update.balances)
        break
      case 'settled':
        this.#onSettled(update.reference, update.settlement)
        break
      default:
        assertNever(update)
    }
  }

  #onOrder(order: OwnOrder): void {
    this.#options.observer.onOrder(order)
    this.#tell(this.#streams.orders$, order)
  }

  /** One that was found to be absent may come after all, so only an order ends it. */
  #onSettled(reference: number, settlement: Settlement): void {
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

  #tell<T>(stream: HotStream<T>, value: T): void {
    if (!this.#isStrategyOver) stream.push(value)
  }
}

function outOfTurn({ name, async: isAsync }: Strategy): string {
  if (isAsync === true)
    return 'an intent came later than the turn that its event gave to promises: it waited for more than those'
  const why = 'an intent was emitted outside of the turn of an event, after an await or in a promise'
  return `${why}: emit it in the turn, or say \`async: true\` in the definition of '${name}'`
}
