/**
 * Several indicators over the same candles, emitted together.
 *
 * Invariant: every value of a row belongs to the candle of that row, whatever the warm-ups.
 */
import type { Observable } from 'rxjs'
import { InputError } from '../../domain/errors.ts'
import { folding, type Fold, type Indicator } from './indicator.ts'
import type { CandleNumbers } from './input.ts'

/** Indicators of candles, by the names of their values. */
export type NamedIndicators = Readonly<Record<string, Indicator<CandleNumbers, unknown>>> & { readonly candle?: never }

/** A candle with the value of each indicator as of it, in the unit of the indicator. */
export type IndicatorRow<Candle, Set extends NamedIndicators> = { readonly candle: Candle } & {
  readonly [Name in keyof Set]: Set[Name] extends Indicator<never, infer Output> ? Output : never
}

/** Options of `indicators`. */
export interface IndicatorsOptions {
  /**
   * Function that records the value of each indicator at every row: pass the `plot` of the strategy's context, and the
   * report draws a line for each. An indicator with several values has a line for each of them, such as
   * `channel upper`.
   *
   * @unit that of the indicator
   */
  readonly plot?: (name: string, value: number) => void
}

/** The operator of several indicators. */
export interface IndicatorSet<Set extends NamedIndicators> {
  /** A row for each candle of a stream, once all indicators are warm. */
  <Candle extends CandleNumbers>(source: Observable<Candle>): Observable<IndicatorRow<Candle, Set>>
  /** Number of candles before the first row: the longest warm-up. */
  readonly warmup: number
}

/**
 * Several indicators of the same candles: `{ candle, ...values }` for every candle, once all are warm.
 *
 * ```ts
 * candles(symbol, '1h').pipe(indicators({ fast: sma(10), slow: sma(30) }), crossing(({ fast, slow }) => fast - slow))
 * ```
 *
 * `indicators({ fast: sma(10) }, { plot })` also draws them in the report.
 *
 * @param set  indicators by name; `candle` is taken
 * @throws {InputError} for no indicator, and for one that is named `candle`
 */
export function indicators<const Set extends NamedIndicators>(
  set: Set,
  { plot }: IndicatorsOptions = {},
): IndicatorSet<Set> {
  const names = Object.keys(set)
  if (names.length === 0) throw new InputError('indicators', 'expected at least one indicator')
  if (names.includes('candle'))
    throw new InputError('indicators', `expected no indicator named 'candle', which the candle has`)
  const warmup = Math.max(...Object.values(set).map((each) => each.warmup))
  const operator = <Candle extends CandleNumbers>(source: Observable<Candle>): Observable<IndicatorRow<Candle, Set>> =>
    source.pipe(folding(() => new Rows<Candle, Set>(set, plot), warmup))
  return Object.assign(operator, { warmup })
}

class Rows<Candle extends CandleNumbers, Set extends NamedIndicators> implements Fold<
  Candle,
  IndicatorRow<Candle, Set>
> {
  readonly #runs: readonly NamedRun[]

  readonly #plot: IndicatorsOptions['plot']

  constructor(set: Set, plot: IndicatorsOptions['plot']) {
    this.#plot = plot
    this.#runs = Object.entries(set).map(([name, each]) => ({ name, run: each.start() }))
  }

  next(candle: Candle): IndicatorRow<Candle, Set> | undefined {
    const row: Record<string, unknown> = { candle }
    let isWarm = true
    for (const { name, run } of this.#runs) {
      const value = run.next(candle)
      if (value === undefined) isWarm = false
      else if (isWarm) row[name] = value
    }
    if (!isWarm) return undefined
    if (this.#plot !== undefined) for (const { name } of this.#runs) plotValue(this.#plot, name, row[name])
    return row as IndicatorRow<Candle, Set>
  }
}

/** A line for a number, or for each number of an object. */
function plotValue(plot: (name: string, value: number) => void, name: string, value: unknown): void {
  if (typeof value === 'number') plot(name, value)
  else if (typeof value === 'object' && value !== null) {
    for (const [field, each] of Object.entries(value)) if (typeof each === 'number') plot(`${name} ${field}`, each)
  }
}

interface NamedRun {
  readonly name: string
  readonly run: Fold<CandleNumbers, unknown>
}
