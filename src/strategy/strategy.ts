/**
 * A strategy: a name, parameters, and a function of streams.
 */
import type { Observable } from 'rxjs'
import type { z } from 'zod'
import type { DecimalInput } from '../domain/decimal.ts'
import type { StrategyContext } from './context.ts'
import type { Intent } from './intent.ts'
import type { Warmup } from './warmup.ts'

/** Bounds that a strategy declares and keeps by itself: `papertape check` holds it to them, a run does not. */
export interface StrategyLimits {
  /** The most that it buys on balance in any market, in the base asset: a decimal such as '1'. */
  readonly position?: DecimalInput | undefined
}

/** The output of a strategy: what it wants, one at a time or several at once; `undefined` for nothing. */
export type IntentStream = Observable<Intent | undefined | readonly (Intent | undefined)[]>

/** What `defineStrategy` takes and a strategy file exports. */
export interface Strategy<Schema extends z.ZodObject = z.ZodObject> {
  /** Short, lower-case, with hyphens. */
  readonly name: string
  /** The parameters that a user may set, with `.describe(...)` for the help; `symbol` is filled from the tape when it is there. */
  readonly params: Schema
  /** True for a strategy that awaits promises: the run then gives them a turn of the event loop after each event. */
  readonly async?: boolean
  /** What it says of itself that it never exceeds. */
  readonly limits?: StrategyLimits | undefined
  /**
   * Candles of the past that it needs before it may act: `{ '1h': 200 }`. A backtest shows them from before `--from` and sends nothing of
   * what it wants there; where they are not there, it is told how many are.
   */
  readonly warmup?: Warmup
  /** Called once. What it subscribes to, and what it returns, must depend on nothing but the context. */
  readonly run: (context: StrategyContext<z.output<Schema>>) => IntentStream
}

/** Types a strategy by its parameters; returns it as it is. */
export const defineStrategy = <Schema extends z.ZodObject>(strategy: Strategy<Schema>): Strategy<Schema> => strategy
