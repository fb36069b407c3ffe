/**
 * A run in which one thing differs from a moment on.
 *
 * Purpose: continues a finished run with other parameters, another strategy, an order more or less, or other terms.
 * Invariant: until that moment everything is as in a plain run, so its journal is the same to the byte.
 * Known limitation: both strategies run from the start, since the streams inside of a strategy cannot be saved. The
 * later one receives the same market data, orders and fills, and what it wants before the moment is dropped.
 * Complexity: that of the whole run.
 */
import { catchError, EMPTY, filter, map, merge, switchMap, takeWhile, throwError, timer } from 'rxjs'
import type { ExchangeAdapter, Placement, RequestOutcome } from '../../adapter/exchange-adapter.ts'
import { SimulatedExchange } from '../../adapter/simulated/simulated-exchange.ts'
import { InputError, invariant } from '../../domain/errors.ts'
import type { MarketFees } from '../../domain/market.ts'
import type { CandleTerms } from '../../simulation/candles/candle-terms.ts'
import { ChangingLiquidity } from '../../simulation/liquidity/changing-liquidity.ts'
import type { LiquidityFactory } from '../../simulation/liquidity/liquidity-models.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import type { StrategyContext } from '../../strategy/context.ts'
import type { PlaceIntent } from '../../strategy/intent.ts'
import type { IntentStream, Strategy } from '../../strategy/strategy.ts'
import type { DeepReadonly, StateSchema, StrategyState } from '../../strategy/strategy-state.ts'
import type { RiskLimits } from '../settings/risk-limits.ts'
import type { ParamValues } from '../strategies/params.ts'
import { seededRandom } from '../strategies/seeded-random.ts'
import { candleFills } from './candle-tapes.ts'
import type { LiquidityChoice } from './liquidity-choice.ts'
import type { RunHooks } from './simulated-run.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'

export interface LaterStrategy {
  readonly strategy: Strategy
  readonly params: ParamValues
  /** True if it begins at the moment; otherwise with the run. */
  readonly startsThen: boolean
}

/** A moment, and what differs from then on. */
export interface Fork {
  /** Unix milliseconds. */
  readonly at: number
  /** Decides from then on; undefined for the strategy of the run. */
  readonly later?: LaterStrategy | undefined
  /** Reference of a placement that the exchange refuses. */
  readonly without?: number | undefined
  /** Order that is placed at that moment. */
  readonly added?: PlaceIntent | undefined
  /** Milliseconds; undefined for that of the run. */
  readonly orderLatencyMs?: number | undefined
  readonly responseLatencyMs?: number | undefined
  /** Fees of every market; undefined for those of the run. */
  readonly fees?: MarketFees | undefined
  /** Undefined for that of the run. */
  readonly liquidity?: LiquidityChoice | undefined
  /** Undefined for those of the run. */
  readonly risk?: RiskLimits | undefined
}

type Context = StrategyContext<ParamValues>

/** A backtest with the strategies before and after the fork in place of its own. */
export interface ForkedBacktest {
  readonly forked: PreparedBacktest
  /** True after the run if the later strategy wanted orders before the moment, and none from then on. */
  readonly isSilent: () => boolean
}

export function forkedBacktest(prepared: PreparedBacktest, fork: Fork): ForkedBacktest {
  const { strategy } = prepared.loaded
  const wanted = { before: 0, since: 0 }
  const isAsync = strategy.async === true || fork.later?.strategy.async === true
  const run = (context: Context): IntentStream => {
    const isOver = (): boolean => context.now() >= fork.at
    const { later, added } = fork
    const parts = later === undefined ? [strategy.run(context)] : handedOver(context, isOver)
    if (added !== undefined) parts.push(timer(fork.at - context.now()).pipe(map(() => added)))
    return merge(...parts)
  }
  const handedOver = (context: Context, isOver: () => boolean): IntentStream[] => {
    invariant(fork.later !== undefined, 'there is a later strategy')
    const { later } = fork
    const isOn = (): boolean => !isOver()
    const first = strategy.run({ ...context, ...marks(context, isOn), state: stateWhile(context, isOn) })
    // The code of the first strategy may still run once then; it decides nothing any more, not even by an error.
    const ended = first.pipe(
      takeWhile(isOn),
      catchError((error: unknown) => (isOver() ? EMPTY : throwError(() => error))),
    )
    const own = { params: later.params, random: seededRandom(prepared.settings.seed), state: stateInMemory }
    const second = (): IntentStream => later.strategy.run({ ...context, ...marks(context, isOver), ...own })
    const counted = (intent: unknown): boolean => {
      if ([intent].flat().some((each) => each !== undefined)) wanted[isOver() ? 'since' : 'before'] += 1
      return isOver()
    }
    const begun = later.startsThen ? timer(fork.at - context.now()).pipe(switchMap(second)) : second()
    return [ended, begun.pipe(filter((intent) => counted(intent)))]
  }
  const loaded = { ...prepared.loaded, strategy: { ...strategy, async: isAsync, run } }
  return {
    forked: { ...prepared, loaded, liquidity: changingLiquidity(prepared.liquidity, fork.liquidity) },
    isSilent: () => wanted.before > 0 && wanted.since === 0,
  }
}

/** Calls that write to the files of a run, only while `isOn`. */
function marks({ log, plot, note }: Context, isOn: () => boolean): Pick<Context, 'log' | 'plot' | 'note'> {
  return {
    log: (message) => {
      if (isOn()) log(message)
    },
    plot: (name, value) => {
      if (isOn()) plot(name, value)
    },
    note: (text) => {
      if (isOn()) note(text)
    },
  }
}

/** The state of a strategy, which it sets only while `isOn`. */
const stateWhile =
  ({ state }: Context, isOn: () => boolean): Context['state'] =>
  (schema) => {
    const own = state(schema)
    return {
      get value() {
        return own.value
      },
      set: (next) => {
        if (isOn()) own.set(next)
      },
    }
  }

/** The state of the later strategy is not journaled: it would be that of two strategies. */
function stateInMemory<Value>(schema: StateSchema<Value>): StrategyState<Value> {
  const checked = (next: unknown): DeepReadonly<Value> => {
    const parsed = schema.safeParse(next)
    if (parsed.success) return parsed.data as DeepReadonly<Value>
    throw new InputError('state', parsed.error.issues[0]?.message ?? 'does not fit its schema')
  }
  let value = checked({})
  return {
    get value() {
      return value
    },
    set: (next) => {
      value = checked(next)
    },
  }
}

function changingLiquidity(before: LiquidityChoice, later: LiquidityChoice | undefined): LiquidityChoice {
  if (later === undefined) return before
  const unrepeatable = [...(before.unrepeatable ?? []), ...(later.unrepeatable ?? [])]
  const create: LiquidityFactory = (setup) => new ChangingLiquidity(before.create(setup), later.create(setup))
  return { ...before, create, unrepeatable }
}

function changeModels(simulated: SimulatedMarkets, fills: CandleTerms['fills']): void {
  for (const { symbol } of simulated.exchange.markets) {
    const { crowd, candles } = simulated.market(symbol)
    const { model } = crowd
    invariant(model instanceof ChangingLiquidity, 'the model of a fork can change')
    model.change()
    crowd.followAgain()
    if (candles !== undefined) candles.orders.fills = fills
  }
}

/** Hooks of the run of a fork, for its order that is left out, and its terms. */
export function forkHooks({ settings }: PreparedBacktest, fork: Fork): RunHooks {
  const {
    orderLatencyMs: orderMs = settings.orderLatencyMs,
    responseLatencyMs: responseMs = settings.responseLatencyMs,
  } = fork
  return {
    adapterOf: (adapter) => {
      invariant(adapter instanceof SimulatedExchange, 'a backtest has a simulated exchange')
      if (fork.orderLatencyMs !== undefined || fork.responseLatencyMs !== undefined) {
        adapter.at(fork.at, () => Object.assign(adapter.latency, { orderMs, responseMs }))
      }
      const { fees, liquidity } = fork
      if (fees !== undefined)
        adapter.at(fork.at, () => {
          adapter.changeFees(fees)
        })
      if (liquidity !== undefined)
        adapter.at(fork.at, () => {
          changeModels(adapter.simulated, candleFills(liquidity))
        })
      return fork.without === undefined ? adapter : refusing(adapter, fork.without, orderMs + responseMs)
    },
    laterRisk: fork.risk && { at: fork.at, limits: fork.risk },
  }
}

const LEFT_OUT: RequestOutcome = {
  type: 'refused',
  refusal: { code: 'ORDER_REJECTED', message: 'left out by the fork' },
}

/** An adapter that refuses the placement with a reference after a wait, as an exchange would. */
function refusing(adapter: ExchangeAdapter, reference: number, waitMs: number): ExchangeAdapter {
  const place = (placement: Placement, reply: (outcome: RequestOutcome) => void): void => {
    if (placement.reference !== reference) adapter.place(placement, reply)
    else
      adapter.after(waitMs, () => {
        reply(LEFT_OUT)
      })
  }
  const bound = new Map<PropertyKey, unknown>([['place', place]])
  return new Proxy(adapter, {
    get: (target, key) => {
      if (bound.has(key)) return bound.get(key)
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      const method = value.bind(target) as unknown
      bound.set(key, method)
      return method
    },
  })
}
