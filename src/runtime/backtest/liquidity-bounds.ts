/**
 * A run under the fewest fills, the model, and the most fills: a strategy that lives only under `touch` is the result to show.
 *
 * Known limit: the models bound fills, one order at a time. The equity can lie outside, for a strategy can end better with fewer fills,
 * and one that reacts to its fills sends other orders.
 */
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { liquidity, type LiquidityName } from '../../simulation/liquidity/liquidity-models.ts'
import type { AccountFigures } from '../figures/account-figures.ts'
import { runBacktest } from './backtest.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'
import type { BacktestResult, BacktestWatcher } from './simulated-run.ts'

const BOUNDS = ['through', 'tape', 'touch'] as const satisfies readonly LiquidityName[]

export type BoundName = (typeof BOUNDS)[number]

/** What a run came to under one model. */
export interface BoundingRun {
  /** Decimal string. */
  readonly finalEquity: string
  /** Fills of resting orders by the market: their count, and their quantity as decimal strings by symbol. */
  readonly makerFills: number
  readonly makerQty: Readonly<Record<string, string>>
}

/** Null when the strategy failed under that model. */
export type LiquidityBounds = Readonly<Record<BoundName, BoundingRun | null>>

/** Where bounding runs may be done beside this thread, one at a time. */
export interface BoundsElsewhere {
  /** @returns as `boundingRun`; undefined where it cannot be told, so that it has to be done here */
  run(prepared: PreparedBacktest, name: BoundName): Promise<BoundingRun | null | undefined>
  /** Does one here, without showing what its strategy prints: the run before has shown it. */
  quietly<T>(action: () => Promise<T>): Promise<T>
}

const SILENT: BacktestWatcher = {
  onOrder: () => undefined,
  onFill: () => undefined,
  onProgress: () => undefined,
  onLog: () => undefined,
}

/**
 * Runs the same backtest again under the models that it did not run under. Undefined when no resting order was filled.
 *
 * @param elsewhere  takes part of the runs; the result is the same without
 */
export async function liquidityBounds(
  result: BacktestResult,
  signal?: AbortSignal,
  elsewhere?: BoundsElsewhere,
): Promise<LiquidityBounds | undefined> {
  const { prepared, figures, failure } = result
  if (figures.quality.makerFills === 0 || failure !== undefined) return undefined
  const runs = new Map<string, BoundingRun | null>([[prepared.liquidity.reference, runOf(figures)]])
  const open = BOUNDS.filter((name) => !runs.has(name))
  const work = async (run: (name: BoundName) => Promise<BoundingRun | null | undefined>): Promise<void> => {
    for (let name = open.shift(); name !== undefined; name = open.shift()) {
      const done = await run(name)
      if (done === undefined) {
        open.push(name)
        return
      }
      runs.set(name, done)
    }
  }
  const here = (name: BoundName): Promise<BoundingRun | null> => {
    const run = (): Promise<BoundingRun | null> => runAgain(prepared, name, signal)
    return elsewhere === undefined ? run() : elsewhere.quietly(run)
  }
  // That of elsewhere first: it begins at once.
  await Promise.all([elsewhere && work((name) => elsewhere.run(prepared, name)), work(here)])
  // What could not be done elsewhere.
  await work(here)
  return Object.fromEntries(BOUNDS.map((name) => [name, runs.get(name) ?? null])) as LiquidityBounds
}

async function runAgain(
  prepared: PreparedBacktest,
  name: BoundName,
  signal: AbortSignal | undefined,
): Promise<BoundingRun | null> {
  // Loaded anew, so that nothing that the strategy's module remembers comes from the run before; one that a program gave is as it is.
  const loaded = (await prepared.loaded.again?.()) ?? prepared.loaded
  return boundingRun({ ...prepared, loaded }, name, signal)
}

/** @returns null when the strategy failed */
export async function boundingRun(
  prepared: PreparedBacktest,
  name: BoundName,
  signal?: AbortSignal,
): Promise<BoundingRun | null> {
  const choice = { reference: name, ...liquidity(name), sha256: null }
  const { figures, failure } = await runBacktest({ ...prepared, liquidity: choice }, SILENT, signal)
  return failure === undefined ? runOf(figures) : null
}

const runOf = ({ equity, quality }: AccountFigures): BoundingRun => ({
  finalEquity: formatTrimmed(equity.equity(), equity.scale),
  makerFills: quality.makerFills,
  makerQty: quality.makerQty,
})
