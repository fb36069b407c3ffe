/**
 * One strategy on one adapter.
 *
 * Purpose: provides the strategy's streams, passes its intents through the risk and the rate budget, and writes the
 * journal. `process` is all that it does with an event.
 * Invariants: every intent has exactly one outcome, and every outcome is in the journal; an unknown one is followed by
 * its reconciliation. An event reaches the journal before the session's own counts, those before the run's records, and
 * those before the strategy.
 * Known limitation: an intent that still waits, or is in flight, when the session ends has no outcome.
 * Complexity: an event passes through a fixed list of parts, each once; market data goes to the strategy without it.
 * Source: docs/architecture.md follows an order through it; one `process(event)` as the engine of barter-rs has it.
 */
import { NEVER, type Observable, type Subscription } from 'rxjs'
import type { AccountUpdate, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { assertNever, DiskError, InputError, invariant, InvariantError, StrategyError } from '../../domain/errors.ts'
import type { HotStream } from '../../strategy/hot-stream.ts'
import type { Intent } from '../../strategy/intent.ts'
import type { IntentStream } from '../../strategy/strategy.ts'
import { warmupNeeds } from '../../strategy/warmup.ts'
import type { FlatReport } from './flatten/flat-report.ts'
import { paramsText } from '../strategies/params.ts'
import { availableFor } from './available-for.ts'
import { firstStateOf } from './earlier-order.ts'
import { atUserPlace, intentStream, outOfTurn } from './intent-stream.ts'
import type { StrategyRestart } from './strategy-restart.ts'
import type { EmittedIntents, OutcomeEvent, ReportedEvent, SessionEvent } from './session-event.ts'
import { createSessionParts, type SessionOptions, type SessionParts } from './session-parts.ts'
import type { SessionState, StateChange } from '../session-state.ts'
import { StreamUsage, type AwaitedInput, type UsedStream, type StrategyUsage } from './stream-usage.ts'

export class Session {
  readonly #options: SessionOptions
  readonly #parts: SessionParts
  #updates: Subscription | undefined
  #output: Subscription | undefined
  #prepared: IntentStream | undefined
  #isStrategyOver = false
  #usage = new StreamUsage()
  #streamsAtEnd: readonly UsedStream[] | undefined
  #intents = 0
  #completedAt: number | null = null
  #failure: StrategyError | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.#parts = createSessionParts(options, {
      process: this.process,
      isOver: () => this.#isStrategyOver,
      isRecorded: (what) => this.#isRecorded(what),
      log: this.#log,
    })
  }

  /**
   * Applies an event. Everything that happens to a session comes through here, in the order of its arrival: this method
   * and `#processUpdate` are the whole of it.
   */
  readonly process = (event: SessionEvent): void => {
    const { journal, unfilled, flattening } = this.#parts
    switch (event.type) {
      case 'intents':
        this.#takeIntents(event.intents)
        break
      case 'outcome':
        this.#takeOutcome(event)
        break
      case 'order':
      case 'fill':
      case 'balances':
      case 'transfer':
      case 'settled':
        this.#processUpdate(event)
        break
      case 'taken-over':
        journal.takenOver(event.order)
        if (event.isStillOpen) unfilled.takeOver(event.order)
        this.#report(event)
        break
      case 'earlier':
        journal.update(event.update)
        this.#report(event.update)
        break
      case 'state':
        journal.state(event.change)
        this.#report(event)
        break
      case 'breach':
        flattening.onBreach(event.why)
        break
      case 'completed':
        this.#completedAt = this.#options.adapter.now()
        break
      case 'failed':
        this.fail(event.error)
        break
      default:
        assertNever(event)
    }
  }

  /** Applies a change of the account: journal, counts and limits, followers of orders, records, strategy. */
  #processUpdate(update: AccountUpdate): void {
    const { journal, unfilled, positions, risk, riskWatch, followed, balances, flattening } = this.#parts
    journal.update(update)
    unfilled.onUpdate(update)
    if (update.type === 'fill') positions.onFill(update.fill)
    risk?.onUpdate(update)
    // Brackets, targets and replacements act on their order before the strategy receives the event.
    followed.onUpdate(update)
    balances.onUpdate(update)
    if (update.type === 'order' || update.type === 'fill') this.#report(update)
    this.#emitUpdate(update)
    riskWatch?.onAccount(update.type)
    flattening.onUpdate(update)
  }

  #takeOutcome(event: OutcomeEvent): void {
    const { followed, streams, outcomes } = this.#parts
    this.#recordOutcome(event)
    if (event.intent.type !== 'cancel') followed.onOutcome(event.reference, event.outcome)
    if (event.isOfStrategy) this.#emit(streams.outcomes$, outcomes.take(event))
  }

  #recordOutcome({ reference, outcome, intent: { type }, requested }: OutcomeEvent): void {
    const { journal, unfilled } = this.#parts
    journal.outcome(reference, outcome, type !== 'cancel')
    unfilled.onOutcome(reference, outcome, type !== 'cancel')
    if (outcome.type !== 'refused') return
    const { refusal, by = 'exchange' } = outcome
    const isShort = refusal.code === 'INSUFFICIENT_BALANCE' && requested.type !== 'cancel'
    const available = isShort ? availableFor(this.#options.adapter, requested) : undefined
    this.#report({
      type: 'refusal',
      refused: { reference, intent: requested, refusal, by, time: this.#options.adapter.now(), available },
    })
  }

  #emitUpdate(update: AccountUpdate): void {
    const { streams, outcomes } = this.#parts
    if (update.type === 'order') this.#emit(streams.orders$, update.order)
    else if (update.type === 'fill') this.#emit(streams.fills$, update.fill)
    else if (update.type === 'balances') this.#emit(streams.balances$, update.balances)
    else if (update.type === 'settled') {
      const outcome = outcomes.settle(update.reference, update.settlement)
      if (outcome !== undefined) this.#emit(streams.outcomes$, outcome)
    }
  }

  #emit<T>(stream: HotStream<T>, value: T): void {
    if (!this.#isStrategyOver) stream.push(value)
  }

  readonly #report = (event: ReportedEvent): void => this.#options.report?.(event)

  #takeIntents(intents: EmittedIntents): void {
    if (!this.#options.turn.isOn) {
      this.fail(new Error(outOfTurn(this.#options.strategy, 'an intent')))
      return
    }
    const all = Array.isArray(intents) ? (intents as readonly (Intent | undefined)[]) : [intents as Intent | undefined]
    const wanted = all.filter((intent) => intent !== undefined)
    if (wanted.length === 0 || !this.#parts.warmUp.admits(wanted.length)) return
    try {
      this.#intents += wanted.length
      for (const intent of wanted) if (!this.#isStrategyOver) this.#parts.intake.take(intent)
    } catch (error) {
      this.fail(error)
    }
  }

  readonly #log = (message: string): void => this.#options.log(this.#options.adapter.now(), message)

  /** The error that ended the session early, if any. */
  get failure(): StrategyError | undefined {
    return this.#failure
  }

  /** Candles of which the strategy has received fewer than it needs before it can act. */
  get awaited(): readonly AwaitedInput[] {
    return this.#isStrategyOver ? [] : this.#usage.awaited(warmupNeeds(this.#options.strategy.warmup))
  }

  /** The strategy's data usage and activity so far. */
  get usage(): StrategyUsage {
    const streams = this.#streamsAtEnd ?? this.#usage.report()
    return { streams, intents: this.#intents, rounded: this.#parts.intake.rounded, completedAt: this.#completedAt }
  }

  /** Requests that were neither sent nor refused. */
  get waiting(): number {
    return this.#parts.intake.waiting
  }

  /** ACTIVE in a session without risk limits. */
  get state(): SessionState {
    return this.#parts.riskWatch?.state ?? 'ACTIVE'
  }

  /** Checks its limits: a new day may release one. */
  readonly look = (): void => void this.#parts.risk?.look()

  /** Hot: each change of `state`, by a limit or a command. Never emits in a session without risk limits. */
  get state$(): Observable<StateChange> {
    return this.#parts.riskWatch?.state$ ?? NEVER
  }

  /**
   * Sets the state by command, also before the start. Resting orders stay: only a loss limit cancels orders that would
   * add to a position. ACTIVE also releases loss limits, and restarts the count of losses.
   * @param why  text for the operator; written to the journal and to refusals of orders
   */
  setState(state: SessionState, why: string): void {
    const { riskWatch, flattening } = this.#parts
    invariant(riskWatch !== undefined, 'a session without limits of risk has one state')
    if (state === 'ACTIVE') flattening.stop('the session was resumed')
    riskWatch.setState(state, why)
  }

  /**
   * Cancels every open order, drops conditional orders, and sells at market what the session may sell. HALTED until it
   * is done.
   * @param why       text for the operator
   * @param withinMs  time limit after which the rest is left; undefined in simulated time
   */
  flatten(why: string, withinMs: number | undefined, onDone: (report: FlatReport) => void): void {
    this.#parts.flattening.flatten(why, withinMs, onDone)
  }

  /** Ends a running flattening with its partial result; another may be started. */
  readonly stopFlattening = (why: string): void => this.#parts.flattening.stop(why)

  /** Runs the strategy, which may act from now on. @throws {InputError} if it requests unavailable data */
  start(): void {
    this.prepare()
    this.begin()
  }

  /** Calls its `run`. @throws {InputError} if that requests unavailable data, or if its saved state does not fit */
  prepare(): void {
    const { adapter, strategy } = this.#options
    const { positions, riskWatch, warmUp, context, knownRows } = this.#parts
    this.#updates = adapter.updates$.subscribe(this.process)
    this.#takeOver()
    positions.start()
    riskWatch?.begin()
    warmUp.start(() => {
      positions.price()
      riskWatch?.start()
    })
    this.#resumeWaiting()
    this.#guarded(() => {
      this.#prepared = knownRows.during(false, () => intentStream(strategy, strategy.run(this.#usage.noting(context))))
    })
  }

  /** Lets the strategy act, once it is prepared. @throws {InputError} if it requests unavailable data */
  begin(): void {
    this.#guarded(() => {
      if (this.#prepared !== undefined) this.#subscribe(this.#prepared)
    })
    if (this.#isStrategyOver) this.#output?.unsubscribe()
  }

  #guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      // Requesting unavailable data, such as trades of a candle tape, is a mistake of the user.
      if (error instanceof InputError) throw atUserPlace(error)
      this.fail(error)
    }
  }

  #subscribe(stream: IntentStream, isAgain = false): void {
    this.#output = this.#parts.knownRows.during(isAgain, () =>
      stream.subscribe({
        next: (intents: EmittedIntents) => this.process({ type: 'intents', intents }),
        error: (error: unknown) => this.process({ type: 'failed', error }),
        complete: () => this.process({ type: 'completed' }),
      }),
    )
  }

  /**
   * Starts a new instance of the strategy, with other parameters, in the place of the present one. Its orders, its
   * conditional orders and its state stay. Call it as an event.
   *
   * @param changed  the parameters that differ, for the journal
   * @param begin    called once the strategy has accepted them, before anything changes
   * @throws what the strategy or `begin` throws; the present instance then goes on
   */
  restart({ params, changed, adapter = this.#options.adapter }: StrategyRestart, begin: () => void): void {
    const { strategy } = this.#options
    const usage = new StreamUsage()
    const context = usage.noting(this.#parts.contextWith({ params, adapter }))
    const stream = this.#parts.knownRows.during(true, () => intentStream(strategy, strategy.run(context)))
    begin()
    this.#parts.journal.params(params, changed)
    this.#report({ type: 'params', change: { time: this.#options.adapter.now(), changed } })
    this.#log(`restarted by an operator with ${paramsText(changed)}`)
    this.#usage = usage
    this.#completedAt = null
    try {
      this.#output?.unsubscribe()
      this.#subscribe(stream, true)
    } catch (error) {
      this.fail(error)
    }
    if (this.#isStrategyOver) this.#output?.unsubscribe()
  }

  /** Orders of earlier sessions, oldest first, and changes from before that no session has reported. */
  #takeOver(): void {
    const { adapter, takeEarlier } = this.#options
    const open = adapter.openOrders().toReversed()
    for (const order of open) this.process({ type: 'taken-over', order, isStillOpen: true })
    takeEarlier?.((updates) => {
      const known = new Set(open.map(({ id }) => id))
      for (const update of updates) {
        const id = update.type === 'order' ? update.order.id : update.fill.orderId
        const order = known.has(id) ? undefined : firstStateOf(id, updates)
        known.add(id)
        if (order !== undefined) this.process({ type: 'taken-over', order, isStillOpen: false })
        this.process({ type: 'earlier', update })
      }
    })
  }

  /** The adapter has replayed the last of the history. */
  endWarmUp(): void {
    this.#parts.warmUp.end()
  }

  #resumeWaiting(): void {
    const { intake } = this.#parts
    if (intake.resumeWaiting() === 0) return
    const ids = intake.waitingOrders.list().map(({ id }) => id)
    if (ids.length > 0) this.#log(`continues conditional orders of an earlier session: ${ids.join(', ')}`)
  }

  /** Drops the conditional orders left by the stopped strategy: no later session continues them. */
  giveUpWaiting(): void {
    const ids = this.#parts.intake.giveUpWaiting()
    if (ids.length > 0) this.#log(`gave up conditional orders because their orders were cancelled: ${ids.join(', ')}`)
  }

  /** Unsubscribes the strategy from its streams, and its intents. Later events are still journaled. */
  stopStrategy(): void {
    // Read before it unsubscribes.
    this.#streamsAtEnd ??= this.#usage.report()
    this.#isStrategyOver = true
    this.#parts.intake.stopWaiting()
    try {
      this.#output?.unsubscribe()
    } catch (error) {
      this.#recordFailure(error)
    }
  }

  /**
   * Cancels an order of the session on another's behalf, also after the strategy's end. The strategy receives the
   * order's update only.
   * @param by  origin of the cancel, for the journal
   */
  cancel(by: string, orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.#parts.intake.cancelFor(by, orderId, reply)
  }

  stop(): void {
    this.stopStrategy()
    this.#parts.riskWatch?.stop()
    this.#parts.positions.stop()
    this.#updates?.unsubscribe()
  }

  /**
   * Ends the session with the strategy's error. The first failure counts.
   * @throws {InvariantError | DiskError} if it is one, because it is not the strategy's fault
   */
  fail(error: unknown): void {
    this.#recordFailure(error)
    this.stopStrategy()
  }

  #recordFailure(error: unknown): void {
    if (error instanceof InvariantError || error instanceof DiskError) throw error
    const message = thrownText(error)
    this.#failure ??=
      error instanceof StrategyError ? error : new StrategyError(message, this.#options.adapter.now(), { cause: error })
  }

  /**
   * @throws {Error} outside a turn, when the time would be the machine's; this ends the session even if the strategy
   * catches it
   */
  #isRecorded(what: string): boolean {
    if (this.#isStrategyOver) return false
    const { turn, strategy } = this.#options
    if (turn.isOn) return this.#parts.warmUp.isOver
    this.fail(new Error(outOfTurn(strategy, what)))
    throw new Error(outOfTurn(strategy, what))
  }
}
