/** A strategy under test: loaded afresh on every request, with the markets and time scales that matter to it. */
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES } from '../../domain/candle.ts'
import { InputError } from '../../domain/errors.ts'
import type { BacktestOptions } from '../../run/backtest-options.ts'
import { settingsOfOptions } from '../../run/settings-of-options.ts'
import { inspectMarkets } from '../../runtime/backtest/inspected-markets.ts'
import { prepareBacktest, type PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import { loadStrategy, type LoadedStrategy } from '../../runtime/strategies/strategy-file.ts'
import type { InspectedSeries } from '../../store/series/inspected-series.ts'
import type { Strategy } from '../../strategy/strategy.ts'
import { inspectedOf } from '../tapes/memory-tape.ts'
import { candlesOf, tradesOf } from '../tapes/tape-text.ts'
import { runTrial } from '../trial/trial.ts'
import { guardedBy, isTimeout } from './turn-guard.ts'
import { onMachine, USUAL } from './strange-machine.ts'
import type { Scenario, ScenarioMarket } from './scenario.ts'

/** Strategy to check: a name or a path, or a factory of fresh instances. */
export type Checked = string | (() => Strategy)

export interface SubjectOptions {
  readonly strategy: Checked
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly paramTexts?: Readonly<Record<string, string>> | undefined
  /** Files with its own data by name; default: none. */
  readonly series?: Readonly<Record<string, string>> | undefined
  /** Markets that it needs; more are discovered from its requests. */
  readonly symbols?: readonly string[] | undefined
}

/** Behaviour of a strategy observed while it was probed. */
export interface Habits {
  readonly symbols: readonly string[]
  /** Time scales that it requested, such as candle lengths, in milliseconds, shortest first. */
  readonly scalesMs: readonly number[]
  /** Length in milliseconds of candles on which it can run; undefined if it needs trades. */
  readonly candleMs: number | undefined
}

/** Creates the strategy from a program's factory or from a loaded file. */
export class Subject {
  readonly #loaded: LoadedStrategy | undefined
  readonly #create: (() => Strategy) | undefined
  readonly #options: SubjectOptions
  readonly #series: readonly InspectedSeries[]
  readonly name: string

  private constructor(options: SubjectOptions, loaded: LoadedStrategy | undefined, series: readonly InspectedSeries[]) {
    const { strategy } = options
    this.#options = options
    this.#loaded = loaded
    this.#series = series
    this.#create = typeof strategy === 'string' ? undefined : strategy
    this.name = loaded?.strategy.name ?? this.#create?.().name ?? ''
  }

  /** @throws {InputError} when it, or one of its series, cannot be loaded */
  static async load(options: SubjectOptions): Promise<Subject> {
    const { strategy, series = {} } = options
    const sources = Object.entries(series).map(([name, file]) => ({ name, file }))
    const { inspectedSeries } = await inspectMarkets({ tapes: [], books: [], series: sources }, {})
    const loaded = typeof strategy === 'string' ? await loadStrategy(strategy) : undefined
    return new Subject(options, loaded, inspectedSeries)
  }

  /** The strategy with nothing that its modules remember. */
  async fresh(): Promise<Strategy> {
    if (this.#create !== undefined) return this.#create()
    const again = await this.#loaded?.again?.()
    if (again === undefined) throw new InputError('strategy', 'must be a file or a function that can be loaded again')
    return again.strategy
  }

  /** A run of the scenario, made ready. @throws {InputError} for parameters that the strategy refuses */
  async prepare(scenario: Scenario): Promise<PreparedBacktest> {
    const inspected = scenario.markets.map((market) => inspectedOf({ where: 'scenario', ...market }))
    const { balances, latency, fees, liquidity, seed, hasLimits: limits } = scenario
    const { params, paramTexts } = this.#options
    const options = {
      strategy: await this.fresh(),
      params,
      paramTexts,
      latency,
      fees,
      liquidity,
      seed,
      limits,
      tapes: inspected.map(({ source }) => source),
      credits: balances,
      printFilter: 'off',
    }
    const { settings, given } = settingsOfOptions(options as unknown as BacktestOptions)
    return await prepareBacktest(settings, { ...given, inspected, inspectedSeries: this.#series })
  }

  /**
   * Discovers its needs by running it on a few rows.
   *
   * @throws {InputError} if it requests something that no market can provide
   */
  async habits(): Promise<Habits> {
    const symbols = new Set(this.#options.symbols ?? [])
    const hadSymbols = symbols.size > 0
    if (!hadSymbols) symbols.add(DEFAULT_SYMBOL)
    for (const symbol of await this.#namedInParams(DEFAULT_SYMBOL)) symbols.add(symbol)
    const looked = await this.#probeTrades(symbols)
    const scalesMs = [...new Set(looked.flatMap(lengthsOf))].sort((a, b) => a - b)
    const candleMs = await this.#probeCandles([...symbols], scalesMs)
    return { symbols: [...symbols], scalesMs: scalesMs.length > 0 ? scalesMs : [...DEFAULT_SCALES_MS], candleMs }
  }

  /** Symbols in its parameters, including defaults. */
  async #namedInParams(symbol: string): Promise<readonly string[]> {
    const { params } = await this.prepare(probe([symbol], undefined)).catch((error: unknown) => {
      // Its symbol is of another market: the parameters name it, otherwise the error is reported.
      if (error instanceof InputError && error.where === 'params.symbol')
        return { params: { ...this.#options.params, ...this.#options.paramTexts } }
      throw error
    })
    return symbolsIn(params)
  }

  /** Everything that it accessed, once it has the markets that it requests. */
  async #probeTrades(symbols: Set<string>): Promise<readonly (readonly unknown[])[]> {
    for (;;) {
      const looked: (readonly unknown[])[] = []
      const before = symbols.size
      try {
        await this.#probe([...symbols], undefined, (args) => void looked.push(args))
        return looked
      } catch (error) {
        for (const symbol of symbolsIn(looked)) symbols.add(symbol)
        if (symbols.size === before || symbols.size > MAX_SYMBOLS) throw error
      }
    }
  }

  async #probeCandles(symbols: readonly string[], scalesMs: readonly number[]): Promise<number | undefined> {
    const candleMs = Object.values(ALL_CANDLE_INTERVALS).findLast((ms) => scalesMs.every((scale) => scale % ms === 0))
    if (candleMs === undefined || scalesMs.length === 0) return undefined
    try {
      const failure = await this.#probe(symbols, candleMs, () => undefined)
      return isAskingTooMuch(failure) ? undefined : candleMs
    } catch (error) {
      if (error instanceof InputError) return undefined
      throw error
    }
  }

  async #probe(
    symbols: readonly string[],
    candleMs: number | undefined,
    onLook: (args: readonly unknown[]) => void,
  ): Promise<Error | undefined> {
    return await onMachine(USUAL, async () => {
      const prepared = await this.prepare(probe(symbols, candleMs))
      try {
        const options = { onLook: (_: string, args: readonly unknown[]) => onLook(args), within: guardedBy(PROBE_MS) }
        const { failure } = await runTrial(prepared, await this.fresh(), options)
        if (failure?.cause instanceof InputError && candleMs === undefined) throw failure.cause
        return failure
      } catch (error) {
        // A timeout is for the check to find.
        if (isTimeout(error)) return undefined
        throw error
      }
    })
  }
}

const DEFAULT_SYMBOL = 'BTC_USD'
const DEFAULT_SCALES_MS = [1_000, 10_000] as const
const MAX_SYMBOLS = 8
const PROBE_MS = 2_000
const SYMBOL = /^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$/
const LENGTH = /^(\d{1,4})(s|m|h|d|w)$/
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** Asked of a tape that does not have it, later than at the start. */
export const isAskingTooMuch = (failure: Error | undefined): boolean => failure?.cause instanceof InputError

/** Symbols anywhere in a value. */
function symbolsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return SYMBOL.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [...symbolsIn(key), ...symbolsIn(each)])
}

/** Lengths of time among the arguments of a call, such as the interval of candles. */
const lengthsOf = (args: readonly unknown[]): readonly number[] =>
  args.flatMap((arg) => {
    if (typeof arg !== 'string') return []
    const known = CANDLE_INTERVAL_NAMES.find((name) => name === arg)
    if (known !== undefined) return [ALL_CANDLE_INTERVALS[known]]
    const [, count, unit] = LENGTH.exec(arg) ?? []
    return count === undefined ? [] : [Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]]
  })

/** A calm market of a few rows. */
function probe(symbols: readonly string[], candleMs: number | undefined): Scenario {
  const markets = symbols.map((symbol): ScenarioMarket => ({
    symbol,
    rows:
      candleMs === undefined
        ? { kind: 'trades', trades: tradesOf('100 101 99 100 102 98 100', { stepMs: 60_000 }) }
        : { kind: 'candles', candles: candlesOf('100 101 99 100', { stepMs: candleMs }), intervalMs: candleMs },
    pricePrecision: 2,
    qtyPrecision: 4,
    gaps: [],
  }))
  const [, quote = ''] = (symbols[0] ?? '').split('_')
  return {
    markets,
    balances: { [quote]: '10000' },
    latency: { orderMs: 50, responseMs: 0, feedMs: 0 },
    fees: { makerBps: '0', takerBps: '0' },
    liquidity: 'tape',
    seed: 1,
    hasLimits: true,
    faults: [],
    restarts: [],
  }
}
