/** The flags of `papertape sweep`: those of a backtest, and those of the sweep. */
import type { Options } from 'yargs'
import { BACKTEST_FLAGS } from '../backtest/backtest-flags.ts'

const GROUP = 'The sweep:'

const text = (describe: string, group = GROUP): Options => ({ type: 'string', requiresArg: true, describe, group })

/** A sweep does without, or has something else under their names. */
const OTHERS = [
  'param',
  'vary',
  'robustness',
  'null',
  'workers',
  'redis',
  'bounds',
  'out',
  'force',
  'db',
  'count-trials',
  'json',
  'quiet',
  'watch',
]

const OUTPUT = 'Output:'
const TRUTH = 'Tests of the best result:'

export const SWEEP_FLAGS: Readonly<Record<string, Options>> = {
  param: text('values of a parameter, NAME=20,50,100 or NAME=5..50/5 or both; repeatable'),
  where: text("combinations to run, such as 'fast < slow and slow <= 200' (default: all)"),
  random: text('run this many combinations, drawn at random by --seed (default: all)'),
  search: text('tpe or cma: choose each combination from the results so far; needs --trials'),
  trials: text('with --search, run this many combinations'),
  objective: text(
    'statistic to rank by, such as sharpe, return or maxDrawdown; -NAME reverses it; or a file; repeat it for a Pareto front (default: sharpe)',
  ),
  workers: text('number of threads (default: one per core)'),
  redis: text('run the points on papertape worker processes through this Redis, such as redis://127.0.0.1:6379'),
  'walk-forward': text(
    'trade each test window with the best parameters of the train window before it: train=30d,test=7d[,anchored][,purge=1h]',
    TRUTH,
  ),
  kfold: text('number of time groups for combinatorial cross-validation: 2 to 20', TRUTH),
  embargo: text('with --kfold, drop this much data after each held-out group, such as 1h', TRUTH),
  null: text('repeat the sweep on this many shuffled tapes to get a p-value of the best', TRUTH),
  'monte-carlo': text('bootstrap the trades and returns of the best run this many times', TRUTH),
  ...Object.fromEntries(Object.entries(BACKTEST_FLAGS).filter(([name]) => !OTHERS.includes(name))),
  out: text('directory for points.jsonl, sweep.csv and sweep.json; run the same command again to resume', OUTPUT),
  force: { type: 'boolean', describe: 'start over and overwrite the sweep in that directory', group: OUTPUT },
  db: text('database that counts the points as trials, such as papertape.db', OUTPUT),
  'count-trials': {
    type: 'boolean',
    describe: 'count the points as trials in that database (default: on); --no-count-trials turns it off',
    group: OUTPUT,
  },
  json: { type: 'boolean', describe: 'print only sweep.json on stdout', group: OUTPUT },
  quiet: { type: 'boolean', describe: 'print no progress and no table', group: OUTPUT },
}
