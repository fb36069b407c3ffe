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
import type { BacktestResult, BacktestWatcher } from './simulated-run.ts'

const BOUNDS = ['through', 'tape', 'touch'] as const satisfies readonly LiquidityName[]

/** What a run came to under one model. */
export interface BoundingRun {
  /** Decimal string. */
  readonly finalEquity: string
  /** Fills of resting orders by the market: their count, and their quantity as decimal strings by symbol. */
  readonly makerFills: number
  readonly makerQty: Readonly<Record<string, string>>
}

/** Null when the strategy failed under that model. */
export type LiquidityBounds = Readonly<Record<(typeof BOUNDS)[number], BoundingRun | null>>

const SILENT: BacktestWatcher = {
  onOrder: () => undefined,
  onFill: () => undefined,
  onProgress: () => undefined,
  onLog: () => undefined,
}

/** Runs the same backtest again under the models that it did not run under. Undefined when no resting order was filled. */
export async function liquidityBounds(
  result: BacktestResult,
  signal?: AbortSignal,
): Promise<LiquidityBounds | undefined> {
  if (result.figures.quality.makerFills === 0 || result.failure !== undefined) return undefined
  const runs: [string, BoundingRun | null][] = []
  for (const name of BOUNDS) runs.push([name, await boundingRun(result, name, signal)])
  return Object.fromEntries(runs) as LiquidityBounds
}

async function boundingRun(
  { prepared, figures }: BacktestResult,
  name: LiquidityName,
  signal: AbortSignal | undefined,
): Promise<BoundingRun | null> {
  if (prepared.liquidity.reference === name) return runOf(figures)
  // Loaded anew, so that nothing that the strategy's module remembers comes from the run before; one that a program gave is as it is.
  const loaded = (await prepared.loaded.again?.()) ?? prepared.loaded
  const choice = { reference: name, ...liquidity(name), sha256: null }
  const { figures: other, failure } = await runBacktest({ ...prepared, loaded, liquidity: choice }, SILENT, signal)
  return failure === undefined ? runOf(other) : null
}

const runOf = ({ equity, quality }: AccountFigures): BoundingRun => ({
  finalEquity: formatTrimmed(equity.equity(), equity.scale),
  makerFills: quality.makerFills,
  makerQty: quality.makerQty,
})
