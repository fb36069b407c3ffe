/**
 * Final equities of a run under the lower bound, the model, and the upper bound: a strategy that lives only under `touch` is the
 * result to show.
 */
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { liquidity, type LiquidityName } from '../../simulation/liquidity/liquidity-models.ts'
import { runBacktest, type BacktestResult, type BacktestWatcher } from './backtest.ts'
import { loadStrategy } from '../strategies/strategy-file.ts'

const BOUNDS = ['through', 'tape', 'touch'] as const satisfies readonly LiquidityName[]

/** Final equity, a decimal string; null when the strategy failed under that model. */
export type LiquidityBounds = Readonly<Record<(typeof BOUNDS)[number], string | null>>

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
  const equities: [string, string | null][] = []
  for (const name of BOUNDS) equities.push([name, await finalEquity(result, name, signal)])
  return Object.fromEntries(equities) as LiquidityBounds
}

async function finalEquity(
  { prepared, figures }: BacktestResult,
  name: LiquidityName,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (prepared.liquidity.reference === name) return formatTrimmed(figures.equity.equity(), figures.equity.scale)
  // Loaded anew, so that nothing that the strategy's module remembers comes from the run before; one that a program gave is as it is.
  const { isReady, reference, path } = prepared.loaded
  const loaded = path === null ? prepared.loaded : await loadStrategy(isReady ? reference : path)
  const choice = { reference: name, ...liquidity(name), sha256: null }
  const { figures: other, failure } = await runBacktest({ ...prepared, loaded, liquidity: choice }, SILENT, signal)
  return failure === undefined ? formatTrimmed(other.equity.equity(), other.equity.scale) : null
}
