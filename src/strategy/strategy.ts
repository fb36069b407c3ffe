/** Definition of a strategy: a name, parameters, and a function of streams. */
import type { Observable } from 'rxjs'
import type { z } from 'zod'
import type { DecimalInput } from '../domain/decimal.ts'
import type { StrategyContext } from './context.ts'
import type { Intent } from './intent.ts'
import type { Warmup } from './warmup.ts'

/** Limits that a strategy promises to keep. `papertape check` verifies them; a run does not enforce them. */
export interface StrategyLimits {
  /** Largest net quantity bought in any market, in the base asset, such as `'1'`. */
  readonly position?: DecimalInput | undefined
}

/** Output of a strategy. Each value is an intent, an array of intents, or `undefined` for no action. */
export type IntentStream = Observable<Intent | undefined | readonly (Intent | undefined)[]>

/** Definition of a strategy: the argument of `defineStrategy` and the default export of a strategy file. */
export interface Strategy<Schema extends z.ZodObject = z.ZodObject> {
  /** Name in reports: short, lower case, with hyphens. */
  readonly name: string
  /**
   * Zod object of the parameters. `.describe(...)` adds the text that the help shows. In a backtest, a parameter named
   * `symbol` defaults to the first market.
   */
  readonly params: Schema
  /** Set it to true if the strategy awaits promises; the run then yields to the event loop after each event. */
  readonly async?: boolean
  /** Limits that `papertape check` verifies: `{ position: '1' }` is the largest net quantity, in the base asset. */
  readonly limits?: StrategyLimits | undefined
  /**
   * Number of candles that the strategy needs before its first order: `{ '1h': 200 }`. A backtest reads them from
   * before `--from`, and sends no order until then. If the tape has fewer, the run reports how many it found.
   */
  readonly warmup?: Warmup
  /** Called once per run. It builds the stream of intents from the context, and must depend on nothing else. */
  readonly run: (context: StrategyContext<z.output<Schema>>) => IntentStream
}

/** Infers the types of a strategy from its parameters, and returns it unchanged. */
export const defineStrategy = <Schema extends z.ZodObject>(strategy: Strategy<Schema>): Strategy<Schema> => strategy
