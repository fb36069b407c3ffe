/** The flags of `papertape parity`: those of a backtest that both sides can have. */
import type { Options } from 'yargs'
import { BACKTEST_FLAGS } from '../backtest/backtest-flags.ts'

/** Both sides run in lock-step without latency and rate limits; nothing is saved, and no statistics are shown. */
const OF_A_BACKTEST_ALONE: ReadonlySet<string> = new Set([
  ...['order-latency', 'response-latency', 'feed-latency', 'limits', 'on-limit'],
  ...['bounds', 'out', 'force', 'db', 'count-trials', 'watch', 'turn-limit', 'vary', 'workers', 'redis'],
  ...['robustness', 'null', 'series'],
  ...['stats-period', 'periods-per-year', 'risk-free-rate'],
])

export const PARITY_FLAGS: Readonly<Record<string, Options>> = {
  ...Object.fromEntries(Object.entries(BACKTEST_FLAGS).filter(([name]) => !OF_A_BACKTEST_ALONE.has(name))),
  json: { ...BACKTEST_FLAGS.json, describe: 'print only the result, as JSON, on stdout' },
  quiet: { ...BACKTEST_FLAGS.quiet, describe: 'print no progress, and only differences' },
}
