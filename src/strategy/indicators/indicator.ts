/**
 * Indicator: a fold over inputs, usable as an RxJS operator or by itself.
 *
 * Invariant: in one run the first `warmup` inputs have no value, and every later one has one.
 */
import { Observable, Subscriber } from 'rxjs'
import { InputError } from '../../domain/errors.ts'
import { CountedStream } from '../counted-stream.ts'

/** One run of an indicator over its inputs, oldest first. */
export interface Fold<in Input, out Output> {
  /**
   * Takes one input and returns the value after it, in the unit of the indicator; undefined until it is warm.
   *
   * @throws {InputError} for an input that is not finite
   */
  readonly next: (input: Input) => Output | undefined
}

/**
 * Operator that emits one value per input once it is warm, and nothing before. It is stateless: each run has its own
 * state.
 */
export interface Indicator<in Input, out Output> {
  /** The values of a stream, as an operator of `pipe`. */
  (source: Observable<Input>): Observable<Output>
  /** Number of inputs before the first that has a value: the row of the first value, counted from 0. */
  readonly warmup: number
  /** A run of its own, to be fed by hand. */
  readonly start: () => Fold<Input, Output>
}

/** An indicator by a fold that knows itself when it is warm. */
export interface FoldDefinition<in Input, out Output> {
  /** Number of inputs before the first that has a value. */
  readonly warmup: number
  /** Begins a run. Its `next` returns undefined for the first `warmup` inputs and for no other. */
  readonly start: () => Fold<Input, Output>
}

/** An indicator by a state and a step. */
export interface StepDefinition<in Input, State, out Output> {
  /** Number of inputs before the first value: results of `step` for them are dropped. */
  readonly warmup: number
  /** The state of a run before its first input; each run gets one of its own. */
  readonly start: () => State
  /** Updates the state with an input and returns the value after it, in the unit of the indicator. */
  readonly step: (state: State, input: Input) => Output
}

/**
 * Creates an indicator from its formula.
 *
 * @param definition  the number of inputs of its warm-up, a state for each run, and a step that changes the state and
 * returns the value
 * @throws {InputError} for a warm-up that is no integer of at least 0
 */
export function indicator<Input, State, Output>(
  definition: StepDefinition<Input, State, Output>,
): Indicator<Input, Output>
export function indicator<Input, Output>(definition: FoldDefinition<Input, Output>): Indicator<Input, Output>
export function indicator<Input, State, Output>(
  definition: StepDefinition<Input, State, Output> | FoldDefinition<Input, Output>,
): Indicator<Input, Output> {
  const { warmup } = definition
  if (!Number.isSafeInteger(warmup) || warmup < 0) {
    throw new InputError('indicator', `expected warmup to be an integer of at least 0, got ${String(warmup)}`)
  }
  const start = 'step' in definition ? (): Fold<Input, Output> => new Steps(definition) : definition.start
  return Object.assign(folding(start, warmup), { warmup, start })
}

/**
 * Operator of a fold: one run per subscriber; undefined values are not passed on.
 *
 * @param warmup  number of inputs before the first value, shown by a session while it waits for them
 */
export const folding =
  <Input, Output>(start: () => Fold<Input, Output>, warmup = 0) =>
  (source: Observable<Input>): Observable<Output> =>
    new Observable((subscriber) => {
      if (warmup > 0 && source instanceof CountedStream) source.expect(warmup + 1)
      return source.subscribe(new FoldSubscriber(subscriber, start()))
    })

class Steps<Input, State, Output> implements Fold<Input, Output> {
  readonly #step: (state: State, input: Input) => Output
  readonly #state: State
  #left: number

  constructor({ warmup, start, step }: StepDefinition<Input, State, Output>) {
    this.#step = step
    this.#state = start()
    this.#left = warmup
  }

  next(input: Input): Output | undefined {
    const value = this.#step(this.#state, input)
    if (this.#left === 0) return value
    this.#left -= 1
    return undefined
  }
}

/** Errors if the fold throws, and unsubscribes from the source when unsubscribed, even while subscribing. */
class FoldSubscriber<Input, Output> extends Subscriber<Input> {
  readonly #to: Subscriber<Output>
  readonly #fold: Fold<Input, Output>

  constructor(to: Subscriber<Output>, fold: Fold<Input, Output>) {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- RxJS has no other base class for operators
    super(to)
    this.#to = to
    this.#fold = fold
  }

  protected override _next(input: Input): void {
    let value: Output | undefined
    try {
      value = this.#fold.next(input)
    } catch (error) {
      this.#to.error(error)
      return
    }
    if (value !== undefined) this.#to.next(value)
  }
}
