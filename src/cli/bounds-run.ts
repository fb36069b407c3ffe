/** One bounding run of a backtest that another thread has prepared and run. */
import { heartbeat } from '../runtime/heartbeat.ts'
import { boundingRun, type BoundingRun } from '../runtime/backtest/liquidity-bounds.ts'
import { prepareBacktest } from '../runtime/backtest/prepared-backtest.ts'
import type { BoundsJob } from './thread/bounds-thread.ts'

/** @returns as `boundingRun`; undefined if the strategy changed, or cannot be loaded here */
export async function boundsRun({
  settings,
  name,
  sha256,
  ...recordings
}: BoundsJob): Promise<BoundingRun | null | undefined> {
  heartbeat().enter('ours')
  try {
    const prepared = await prepareBacktest(settings, recordings)
    return prepared.loaded.sha256 === sha256 ? await boundingRun(prepared, name) : undefined
  } catch {
    // The main thread does the run instead, and reports the same error.
    return undefined
  } finally {
    heartbeat().enter('waiting')
  }
}
