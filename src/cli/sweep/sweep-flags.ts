/**
 * The flags of `papertape sweep`: those of a backtest, and what is swept.
 */
import type { Options } from 'yargs'
import { BACKTEST_FLAGS } from '../backtest/backtest-flags.ts'

const GROUP = 'The sweep:'

const text = (describe: string, group = GROUP): Options => ({ type: 'string', requiresArg: true, describe, group })

/** A sweep does without, or has something else under their names. */
const OTHERS = ['param', 'bounds', 'out', 'force', 'db', 'json', 'quiet']

const OUTPUT = 'Output:'

export const SWEEP_FLAGS: Readonly<Record<string, Options>> = {
  param: text('values of a parameter, NAME=20,50,100 or NAME=5..50/5 or both; repeat for several'),
  where: text("combinations to run, such as 'fast < slow and slow <= 200' (default: all)"),
  random: text('draw this many of the combinations, by the seed (default: all of them)'),
  objective: text(
    'statistic to rank by, such as sharpe, return or maxDrawdown; -NAME for the other direction; or a file; repeat for a Pareto front (default: sharpe)',
  ),
  workers: text('threads (default: one a core)'),
  ...Object.fromEntries(Object.entries(BACKTEST_FLAGS).filter(([name]) => !OTHERS.includes(name))),
  out: text(
    'directory for points.jsonl, sweep.csv and sweep.json; the same command goes on there where it was',
    OUTPUT,
  ),
  force: { type: 'boolean', describe: 'begin anew, whatever sweep is in that directory', group: OUTPUT },
  json: { type: 'boolean', describe: 'print sweep.json on stdout and nothing else', group: OUTPUT },
  quiet: { type: 'boolean', describe: 'no progress, no table', group: OUTPUT },
}
