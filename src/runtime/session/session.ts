/**
 * One strategy on one adapter.
 *
 * Purpose: provides the strategy's streams, passes its intents through the risk and the rate budget, and writes the
 * journal.
 * Invariant: every intent has exactly one outcome, and every outcome is in the journal; an unknown one is followed by
 * its reconciliation.
 * Known limitation: an intent that still waits, or is in flight, when the session ends has no outcome.
 */
import { NEVER, type Observable, type Subscription } from 'rxjs'
import type { ExchangeAdapter, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { DiskError, InputError, invariant, InvariantError, StrategyError } from '../../domain/errors.ts'
import type { RateLimits } from '../../domain/rate-window.ts'
import type { StrategyContext } from '../../strategy/context.ts'
import type { Intent, PlaceIntent } from '../../strategy/intent.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { warmupNeeds } from '../../strategy/warmup.ts'
import type { Journal } from '../journal/journal.ts'
import { SessionJournal } from '../journal/session-journal.ts'
import { AccountEvents, type AccountEventsOptions, type SessionListener } from './account-events.ts'
import { Sizing } from './targets/sizing.ts'
import type { FlatReport } from './flatten/flat-report.ts'
import type { FlattenOwner } from './flatten/flattening.ts'
import { SessionFlattening } from './flatten/session-flattening.ts'
import { FollowedOrders } from './followed-orders.ts'
import { FreshBalances } from './fresh-balances.ts'
import { IntentIntake, type IntakeOptions } from './intent-intake.ts'
import { atUserPlace, intentStream } from './intent-stream.ts'
import { plotCommands, type PlotSink } from './plot-commands.ts'
import { PositionBook } from './position-book.ts'
import { RateStage } from './rate-stage.ts'
import type { OnLimit } from './request-queue.ts'
import type { RiskKeep } from './risk/risk-keep.ts'
import type { RiskLimits } from '../settings/risk-limits.ts'
import { Risk } from './risk/risk.ts'
import type { SessionState, StateChange } from '../session-state.ts'
import { WatchedRisk } from './risk/watched-risk.ts'
import { createContext, createStreams, portfolioOf } from './strategy-context.ts'
import { StreamUsage, type AwaitedInput, type UsedStream, type StrategyUsage } from './stream-usage.ts'
import type { Turn } from './turn.ts'
import { ConditionalOrderStore, type PersistedConditionals } from './conditional/conditional-order-store.ts'
import { WarmUp, type WarmUpOptions } from './warm-up.ts'
import { UnfilledOrders } from './unfilled-orders.ts'

export interface SessionOptions
  extends Pick<WarmUpOptions, 'warmedUp'>, Pick<IntakeOptions, 'rounding' | 'isOpenEnded'> {
  readonly strategy: Strategy
  readonly params: Readonly<Record<string, unknown>>
  readonly adapter: ExchangeAdapter
  /** Undefined for no limits. */
  readonly limits: RateLimits | undefined
  readonly onLimit: OnLimit
  /** Undefined for none: nothing is watched then, and the session is always ACTIVE. */
  readonly risk: RiskLimits | undefined
  /** Asset in which the strategy's portfolio is valued. */
  readonly quoteAsset: string
  readonly journal: Journal
  /** Seeded generator of numbers in [0, 1). */
  readonly random: () => number
  readonly log: (time: number, message: string) => void
  /** Receives plots and notes of the strategy; default: none. */
  readonly drawn?: PlotSink
  readonly turn: Pick<Turn, 'isOn'>
  readonly observer: SessionListener
  /** Unix milliseconds from which the strategy's intents are sent; default: from its start. */
  readonly actsFrom?: number
  /** True while the adapter replays history; default: never. */
  readonly isWarming?: (() => boolean) | undefined
  /** Hands over earlier changes that no session has reported; default: nothing. */
  readonly takeEarlier?: ExchangeAdapter['takeEarlier']
  /** Persists conditional orders; default: nothing is persisted. */
  readonly waits?: PersistedConditionals | undefined
  /** Holdings that it may sell to get flat; default: what its own fills bought. */
  readonly owner?: FlattenOwner | undefined
  /** Persists the state of the risk limits; default: nothing is persisted. */
  readonly riskKeep?: RiskKeep | undefined
}

export class Session {
  readonly #options: SessionOptions
  readonly #context: StrategyContext<Record<string, unknown>>
  readonly #events: AccountEvents
  readonly #intake: IntentIntake
  readonly #risk: WatchedRisk | undefined
  readonly #positions: PositionBook
  readonly #warmUp: WarmUp
  readonly #flattening: SessionFlattening
  #updates: Subscription | undefined
  #output: Subscription | undefined
  #isStrategyOver = false
  readonly #seen = new StreamUsage()
  #streamsAtEnd: readonly UsedStream[] | undefined
  #intents = 0
  #completedAt: number | null = null
  #failure: StrategyError | undefined

  constructor(options: SessionOptions) {
    const { adapter, risk: limits, quoteAsset, observer, riskKeep: keep } = options
    this.#options = options
    const streams = createStreams()
    const journal = new SessionJournal(options.journal, () => adapter.now())
    const unfilled = new UnfilledOrders(adapter.markets)
    const sizing = new Sizing({
      ...{ adapter, unfilled, portfolio: () => portfolioOf(adapter, quoteAsset) },
      held: (symbol) => this.#positions.position(symbol).qty,
    })
    this.#positions = new PositionBook(adapter, quoteAsset)
    this.#context = createContext(options, {
      ...{ streams, positions: this.#positions, sizing },
      waitingOrders: (symbol) => this.#intake.waitingOrders.list(symbol),
      drawing: plotCommands({
        ...{ sink: options.drawn ?? {}, now: () => adapter.now(), isKept: () => this.#isDrawingKept() },
        fail: (error) => {
          this.fail(error)
        },
      }),
    })
    const risk = limits && new Risk({ limits, adapter, quoteAsset, unfilled, keep, log: this.#log })
    // No spread: objects created by spreads have different shapes and are slow to read, and every order reads these.
    const events: AccountEventsOptions = {
      journal,
      unfilled,
      positions: this.#positions,
      followed: new FollowedOrders(),
      balances: new FreshBalances(),
      risk,
      observer,
      streams,
      now: () => adapter.now(),
      available: (intent) => availableFor(adapter, intent),
    }
    this.#events = new AccountEvents(events)
    this.#intake = this.#makeIntake(events, sizing)
    this.#risk = risk === undefined ? undefined : this.#watched(risk)
    this.#flattening = new SessionFlattening({
      ...{ adapter, quoteAsset, unfilled, risk, intake: this.#intake, owner: options.owner, log: this.#log },
      isOver: () => this.#isStrategyOver,
    })
    const needs = warmupNeeds(options.strategy.warmup)
    const { actsFrom, warmedUp, isWarming: isShown } = options
    this.#warmUp = new WarmUp({ adapter, needs, actsFrom, warmedUp, isShown, log: this.#log })
  }

  #makeIntake({ journal, unfilled, followed, balances, risk }: AccountEventsOptions, sizing: Sizing): IntentIntake {
    const { adapter, quoteAsset, waits, rounding, isOpenEnded } = this.#options
    return new IntentIntake({
      adapter,
      journal,
      events: this.#events,
      unfilled,
      risk,
      stages: [rateStageOf(this.#options)],
      openOrders: this.#context.openOrders,
      rounding,
      isOpenEnded,
      followed,
      balances,
      sizing,
      book: new ConditionalOrderStore(waits),
      quoteAsset,
      isOver: () => this.#isStrategyOver,
      log: this.#log,
    })
  }

  readonly #log = (message: string): void => {
    this.#options.log(this.#options.adapter.now(), message)
  }

  /** The error that ended the session early, if any. */
  get failure(): StrategyError | undefined {
    return this.#failure
  }

  /** Candles of which the strategy has received fewer than it needs before it can act. */
  get awaited(): readonly AwaitedInput[] {
    return this.#isStrategyOver ? [] : this.#seen.awaited(warmupNeeds(this.#options.strategy.warmup))
  }

  /** The strategy's data usage and activity so far. */
  get sights(): StrategyUsage {
    const streams = this.#streamsAtEnd ?? this.#seen.report()
    return { streams, intents: this.#intents, rounded: this.#intake.rounded, completedAt: this.#completedAt }
  }

  /** Requests that were neither sent nor refused. */
  get waiting(): number {
    return this.#intake.waiting
  }

  /** ACTIVE in a session without risk limits. */
  get state(): SessionState {
    return this.#risk?.state ?? 'ACTIVE'
  }

  /** Hot: each change of `state`, by a limit or a command. Never emits in a session without risk limits. */
  get state$(): Observable<StateChange> {
    return this.#risk?.state$ ?? NEVER
  }

  /**
   * Sets the state by command, also before the start. Resting orders stay: only a loss limit cancels orders that would
   * add to a position. ACTIVE also releases loss limits, and restarts the count of losses.
   * @param why  text for the operator; written to the journal and to refusals of orders
   */
  setState(state: SessionState, why: string): void {
    invariant(this.#risk !== undefined, 'a session without limits of risk has one state')
    if (state === 'ACTIVE') this.#flattening.stop('the session was resumed')
    this.#risk.setState(state, why)
  }

  /**
   * Cancels every open order, drops conditional orders, and sells at market what the session may sell. HALTED until it
   * is done.
   * @param why       text for the operator
   * @param withinMs  time limit after which the rest is left
   */
  flatten(why: string, withinMs: number, onDone: (report: FlatReport) => void): void {
    this.#flattening.flatten(why, withinMs, onDone)
  }

  /** Ends a running flattening with its partial result; another may be started. */
  readonly stopFlattening = (why: string): void => this.#flattening.stop(why)

  /** Runs the strategy, which may act from now on. @throws {InputError} if it requests unavailable data */
  start(): void {
    const { adapter, strategy } = this.#options
    this.#updates = adapter.updates$.subscribe((update) => {
      this.#events.onUpdate(update)
      this.#risk?.onAccount(update.type)
      this.#flattening.onUpdate(update)
    })
    this.#events.takeOver(adapter.openOrders().toReversed(), this.#options.takeEarlier)
    this.#positions.start()
    this.#risk?.begin()
    this.#warmUp.start(() => {
      this.#positions.price()
      this.#risk?.start()
    })
    this.#resumeWaiting()
    try {
      this.#output = intentStream(strategy, strategy.run(this.#seen.noting(this.#context))).subscribe({
        next: (intents) => this.#onIntents(intents),
        error: (error: unknown) => this.fail(error),
        complete: () => {
          this.#completedAt = adapter.now()
        },
      })
    } catch (error) {
      // Requesting unavailable data, such as trades of a candle tape, is a mistake of the user.
      if (error instanceof InputError) throw atUserPlace(error)
      this.fail(error)
    }
    if (this.#isStrategyOver) this.#output?.unsubscribe()
  }

  /** The adapter has replayed the last of the history. */
  endWarmUp(): void {
    this.#warmUp.end()
  }

  #resumeWaiting(): void {
    if (this.#intake.resumeWaiting() === 0) return
    const ids = this.#intake.waitingOrders.list().map(({ id }) => id)
    if (ids.length > 0) this.#log(`continues conditional orders of an earlier session: ${ids.join(', ')}`)
  }

  /** Drops the conditional orders left by the stopped strategy: no later session continues them. */
  giveUpWaiting(): void {
    const ids = this.#intake.giveUpWaiting()
    if (ids.length > 0) this.#log(`gave up conditional orders because their orders were cancelled: ${ids.join(', ')}`)
  }

  /** Unsubscribes the strategy from its streams, and its intents. Later events are still journaled. */
  stopStrategy(): void {
    // Read before it unsubscribes.
    this.#streamsAtEnd ??= this.#seen.report()
    this.#isStrategyOver = true
    this.#events.endStrategy()
    this.#intake.stopWaiting()
    try {
      this.#output?.unsubscribe()
    } catch (error) {
      this.#keepFailure(error)
    }
  }

  /**
   * Cancels an order of the session on another's behalf, also after the strategy's end. The strategy receives the
   * order's update only.
   * @param by  origin of the cancel, for the journal
   */
  cancel(by: string, orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.#intake.cancelFor(by, orderId, reply)
  }

  stop(): void {
    this.stopStrategy()
    this.#risk?.stop()
    this.#positions.stop()
    this.#updates?.unsubscribe()
  }

  /**
   * Ends the session with the strategy's error. The first failure counts.
   * @throws {InvariantError | DiskError} if it is one, because it is not the strategy's fault
   */
  fail(error: unknown): void {
    this.#keepFailure(error)
    this.stopStrategy()
  }

  #keepFailure(error: unknown): void {
    if (error instanceof InvariantError || error instanceof DiskError) throw error
    const message = thrownText(error)
    this.#failure ??=
      error instanceof StrategyError ? error : new StrategyError(message, this.#options.adapter.now(), { cause: error })
  }

  #watched(risk: Risk): WatchedRisk {
    const { adapter, quoteAsset } = this.#options
    return new WatchedRisk({
      risk,
      adapter,
      quoteAsset,
      onState: (change) => {
        this.#events.onState(change)
      },
      cancel: (orderId, reply) => {
        this.cancel('risk', orderId, reply)
      },
      isOver: () => this.#isStrategyOver,
      onBreach: (why) => {
        this.#flattening.onBreach(why)
      },
    })
  }

  /**
   * @throws {Error} outside a turn, when the time would be the machine's; this ends the session even if the strategy
   * catches it
   */
  #isDrawingKept(): boolean {
    if (this.#isStrategyOver) return false
    const { turn, strategy } = this.#options
    if (turn.isOn) return this.#warmUp.isOver
    this.fail(new Error(outOfTurn(strategy, 'a plot or a note')))
    throw new Error(outOfTurn(strategy, 'a plot or a note'))
  }

  #onIntents(intents: Intent | undefined | readonly (Intent | undefined)[]): void {
    if (!this.#options.turn.isOn) {
      this.fail(new Error(outOfTurn(this.#options.strategy, 'an intent')))
      return
    }
    const all = Array.isArray(intents) ? (intents as readonly (Intent | undefined)[]) : [intents as Intent | undefined]
    const wanted = all.filter((intent) => intent !== undefined)
    if (wanted.length === 0 || !this.#warmUp.admits(wanted.length)) return
    try {
      this.#intents += wanted.length
      for (const intent of wanted) if (!this.#isStrategyOver) this.#intake.take(intent)
    } catch (error) {
      this.fail(error)
    }
  }
}

function rateStageOf({ adapter, limits, onLimit }: SessionOptions): RateStage {
  const after = (delayMs: number, action: () => void): void => {
    adapter.after(delayMs, action)
  }
  return new RateStage({ limits, onLimit, now: () => adapter.now(), after })
}

/** Available balance of the asset that an order would reserve; undefined for an unknown market. */
function availableFor(adapter: ExchangeAdapter, { symbol, side }: PlaceIntent): Decimal | undefined {
  const market = adapter.markets.find((each) => each.symbol === symbol)
  if (market === undefined) return undefined
  return adapter.balances().get(side === 'BUY' ? market.quoteAsset : market.baseAsset)?.available
}

function outOfTurn({ name, async: isAsync }: Strategy, what: string): string {
  if (isAsync === true)
    return `${what} came too late after its event: the strategy awaited something other than promises, such as a timer or I/O`
  return `${what} was emitted outside an event, after an await or in a promise: emit it while the event is handled, or set \`async: true\` in the definition of '${name}'`
}
