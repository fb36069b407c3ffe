/**
 * Wrapper of a strategy: records its account updates and intents, kills and restarts it, and may deliver its streams in
 * reverse order. The inner strategy cannot notice it.
 */
import { filter, isObservable, Observable, type Subscriber, type Subscription, switchMap, take, tap, timer } from 'rxjs'
import { MisuseError } from '../../domain/errors.ts'
import type { StrategyContext } from '../../strategy/context.ts'
import type { Intent, Outcome, RefusedOutcome } from '../../strategy/intent.ts'
import type { OwnBalances, OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type { Strategy } from '../../strategy/strategy.ts'

type Context = StrategyContext<Record<string, unknown>>
type Emitted = Intent | undefined | readonly (Intent | undefined)[]

/** Events of a trial: all account updates that a strategy received and all its intents, in order. */
export type TrialEvent =
  /** It emitted an intent; `answers` is the refusal in whose delivery it did. */
  | {
      readonly type: 'intent'
      readonly time: number
      readonly intent: Intent
      readonly answers: RefusedOutcome | undefined
    }
  | { readonly type: 'outcome'; readonly time: number; readonly outcome: Outcome }
  | { readonly type: 'fill'; readonly time: number; readonly fill: OwnFill }
  | { readonly type: 'order'; readonly time: number; readonly order: OwnOrder }
  | { readonly type: 'balances'; readonly time: number; readonly balances: OwnBalances }
  /** Killed and restarted. */
  | { readonly type: 'restart'; readonly time: number }

export interface Watch {
  /** Unix milliseconds at which it is killed and restarted, in order. */
  readonly restarts?: readonly number[] | undefined
  /** Instances for the restarts: the same code with fresh module state. */
  readonly laterInstances?: readonly Strategy[] | undefined
  /** True to deliver each value to the latest subscriber first. */
  readonly isReversed?: boolean | undefined
  /** Orders and cancels with which it is taken to answer itself; default: any number. */
  readonly mostIntents?: number | undefined
  /** Called for each member of the context that is accessed. */
  readonly onLook?: ((key: string, args: readonly unknown[]) => void) | undefined
  readonly onEvent: (event: TrialEvent) => void
}

/** Milliseconds between checks for pending requests. */
const SETTLED_MS = 250

/** The strategy with the name and the parameters of the one inside. */
export function watchedStrategy(strategy: Strategy, watch: Watch): Strategy {
  const { restarts = [], laterInstances = [] } = watch
  return {
    name: strategy.name,
    params: strategy.params,
    ...(strategy.async !== undefined && { async: strategy.async }),
    run: (context) => {
      const whole = watchedAccount(context, watch)
      const senders = new WeakMap<object, WatchedLife>()
      const opened = (each: Strategy): OpenedLife => {
        const life = new WatchedLife(whole, watch, each.async === true, senders)
        return { life, output$: each.run(life.inside).pipe(tap(life.emitted)) }
      }
      // Created here, because it may refuse immediately what it is asked to run on.
      const first = opened(strategy)
      return new Observable<Emitted>((subscriber) => {
        let current = first
        const subscribed = (): Subscription =>
          current.output$.subscribe({
            next: (value) => subscriber.next(value),
            error: (error: unknown) => subscriber.error(error),
          })
        let output = subscribed()
        const timers = restartsOf(restarts, context, () => current.life.isWaiting).map((restart$, index) =>
          restart$.subscribe(() => {
            output.unsubscribe()
            watch.onEvent({ type: 'restart', time: context.now() })
            const next = laterInstances[index]
            if (next === undefined) return
            current = opened(next)
            output = subscribed()
          }),
        )
        return () => {
          output.unsubscribe()
          for (const each of timers) each.unsubscribe()
        }
      })
    },
  }
}

interface OpenedLife {
  readonly life: WatchedLife
  readonly output$: Observable<Emitted>
}

/** Requests pending at the end of a life are reconciled before the next one begins, as in live sessions. */
const restartsOf = (
  restarts: readonly number[],
  context: Context,
  isWaiting: () => boolean,
): readonly Observable<unknown>[] =>
  restarts.map((at) =>
    timer(Math.max(0, at - context.now())).pipe(
      switchMap(() => timer(0, SETTLED_MS)),
      filter(() => !isWaiting()),
      take(1),
    ),
  )

/** Records account updates before the strategy receives them. */
function watchedAccount(context: Context, { onEvent }: Watch): Context {
  const now = (): number => context.now()
  context.orders$.subscribe((order) => onEvent({ type: 'order', time: now(), order }))
  context.fills$.subscribe((fill) => onEvent({ type: 'fill', time: now(), fill }))
  context.balances$.subscribe((balances) => onEvent({ type: 'balances', time: now(), balances }))
  return context
}

interface Delivery<T> {
  /** True to deliver to the latest subscriber first. */
  readonly isReversed: boolean
  /** Does a delivery; default: it is simply done. */
  readonly around?: ((value: T, deliver: () => void) => void) | undefined
}

/** Wraps a stream of a run: delivers to its subscribers in order of subscription, or reversed. */
class DeliveredStream<T> extends Observable<T> {
  #subscribers: readonly Subscriber<T>[] = []
  #upstream: Subscription | undefined

  constructor(from: Observable<T>, { isReversed, around }: Delivery<T>) {
    super((subscriber) => {
      this.#subscribers = isReversed ? [subscriber, ...this.#subscribers] : [...this.#subscribers, subscriber]
      this.#upstream ??= from.subscribe({
        next: (value) => {
          if (around === undefined) this.#push(value)
          else around(value, () => this.#push(value))
        },
        error: (error: unknown) => {
          for (const each of this.#subscribers) each.error(error)
        },
        complete: () => {
          for (const each of this.#subscribers) each.complete()
        },
      })
      subscriber.add(() => {
        this.#subscribers = this.#subscribers.filter((other) => other !== subscriber)
        if (this.#subscribers.length > 0) return
        this.#upstream?.unsubscribe()
        this.#upstream = undefined
      })
    })
  }

  #push(value: T): void {
    for (const subscriber of this.#subscribers) subscriber.next(value)
  }
}

/** The context of one life, and what becomes of its intents. */
class WatchedLife {
  readonly inside: Context
  readonly #context: Context
  readonly #watch: Watch
  readonly #isAsync: boolean
  readonly #senders: WeakMap<object, WatchedLife>
  readonly #streams = new Map<Observable<unknown>, Observable<unknown>>()
  readonly #known = new Map<string, unknown>()
  readonly #unanswered = new Set<object>()
  #intents = 0
  /** The rejection being delivered. */
  #reported: { readonly outcome: RefusedOutcome; readonly time: number } | undefined

  /** @param senders  of all intents, by the life that sent them */
  constructor(context: Context, watch: Watch, isAsync: boolean, senders: WeakMap<object, WatchedLife>) {
    this.#context = context
    this.#watch = watch
    this.#isAsync = isAsync
    this.#senders = senders
    const outcomes$ = this.#ownOutcomes(context.outcomes$)
    this.#known.set('outcomes$', outcomes$)
    // Noted whether the strategy listens or not.
    outcomes$.subscribe()
    this.inside = new Proxy(context, { get: (_, key) => this.#read(key) })
  }

  readonly emitted = (value: Emitted): void => {
    const intents = Array.isArray(value) ? (value as readonly (Intent | undefined)[]) : [value as Intent | undefined]
    const time = this.#context.now()
    for (const intent of intents) {
      if (typeof intent !== 'object' || (intent as unknown) === null) continue
      this.#senders.set(intent, this)
      if (intent.type === 'limit' || intent.type === 'market') this.#unanswered.add(intent)
      this.#intents += 1
      this.#watch.onEvent({ type: 'intent', time, intent, answers: this.#answered(time) })
    }
    const { mostIntents = Number.POSITIVE_INFINITY } = this.#watch
    if (this.#intents > mostIntents)
      throw new MisuseError(
        'endless-orders',
        `more than ${mostIntents} orders and cancels without new market data: it reacts to its own orders in an endless loop`,
      )
  }

  /** True if it has pending orders without any update yet. */
  get isWaiting(): boolean {
    return this.#unanswered.size > 0
  }

  /** A promise of its own goes on after the delivery, at the same moment. */
  #answered(time: number): RefusedOutcome | undefined {
    return this.#reported?.time === time ? this.#reported.outcome : undefined
  }

  /** Outcomes of this life's requests; those of earlier lives are dropped. */
  #ownOutcomes(source: Observable<Outcome>): Observable<Outcome> {
    const isReversed = this.#watch.isReversed === true
    return new DeliveredStream(source, {
      isReversed,
      around: (outcome, deliver) => {
        // An order that the session placed for an intent has no sender.
        const isOwn = (this.#senders.get(outcome.intent) ?? this) === this
        if (!isOwn) return
        const time = this.#context.now()
        this.#watch.onEvent({ type: 'outcome', time, outcome })
        if (outcome.type !== 'unknown') this.#unanswered.delete(outcome.intent)
        this.#reported = outcome.type === 'refused' ? { outcome, time } : undefined
        try {
          deliver()
        } finally {
          if (!this.#isAsync) this.#reported = undefined
        }
      },
    })
  }

  #read(key: string | symbol): unknown {
    const value: unknown = Reflect.get(this.#context, key)
    if (typeof key === 'symbol') return value
    if (this.#known.has(key)) {
      this.#watch.onLook?.(key, [])
      return this.#known.get(key)
    }
    const watched = this.#watched(key, value)
    if (typeof value === 'function' || isObservable(value)) this.#known.set(key, watched)
    return watched
  }

  #watched(key: string, value: unknown): unknown {
    const { onLook } = this.#watch
    if (typeof value !== 'function') {
      onLook?.(key, [])
      return isObservable(value) ? this.#stream(value) : value
    }
    if (onLook === undefined && this.#watch.isReversed !== true) return value
    return (...args: unknown[]): unknown => {
      onLook?.(key, args)
      const result: unknown = Reflect.apply(value, undefined, args)
      return isObservable(result) ? this.#stream(result) : result
    }
  }

  /** One wrapper per stream of the run, so that all its subscribers are in one order. */
  #stream(source: Observable<unknown>): Observable<unknown> {
    if (this.#watch.isReversed !== true) return source
    const known = this.#streams.get(source)
    if (known !== undefined) return known
    const stream = new DeliveredStream(source, { isReversed: true })
    this.#streams.set(source, stream)
    return stream
  }
}
