/**
 * The flags of `papertape parity`: those of a backtest that both sides can have.
 */
import type { Options } from 'yargs'
import { BACKTEST_FLAGS } from '../backtest/backtest-flags.ts'

/** Nothing is late in lock-step, and no limit of a key is reached. */
const OF_A_BACKTEST_ALONE: ReadonlySet<string> = new Set([
  ...['order-latency', 'response-latency', 'feed-latency', 'limits', 'on-limit'],
  ...['bounds', 'config', 'out', 'watch'],
])

export const PARITY_FLAGS: Readonly<Record<string, Options>> = {
  ...Object.fromEntries(Object.entries(BACKTEST_FLAGS).filter(([name]) => !OF_A_BACKTEST_ALONE.has(name))),
  json: { ...BACKTEST_FLAGS.json, describe: 'print only the result, as JSON, on stdout' },
  quiet: { ...BACKTEST_FLAGS.quiet, describe: 'print no progress, and only differences' },
}
