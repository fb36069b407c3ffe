/**
 * The flags of `papertape sweep`: those of a backtest, and what is swept.
 */
import type { Options } from 'yargs'
import { BACKTEST_FLAGS } from '../backtest/backtest-flags.ts'

const GROUP = 'The sweep:'

const text = (describe: string, group = GROUP): Options => ({ type: 'string', requiresArg: true, describe, group })

/** A sweep does without, or has something else under their names. */
const OTHERS = ['param', 'bounds', 'out', 'force', 'db', 'ledger', 'json', 'quiet', 'watch']

const OUTPUT = 'Output:'
const TRUTH = 'The truth about the best:'

export const SWEEP_FLAGS: Readonly<Record<string, Options>> = {
  param: text('values of a parameter, NAME=20,50,100 or NAME=5..50/5 or both; repeat for several'),
  where: text("combinations to run, such as 'fast < slow and slow <= 200' (default: all)"),
  random: text('draw this many of the combinations, by the seed (default: all of them)'),
  search: text('tpe or cma: choose each next combination by what came of those before; needs --trials'),
  trials: text('with --search, run this many combinations'),
  objective: text(
    'statistic to rank by, such as sharpe, return or maxDrawdown; -NAME for the other direction; or a file; repeat for a Pareto front (default: sharpe)',
  ),
  workers: text('threads (default: one a core)'),
  redis: text('have the points run by papertape worker on any machine, through this Redis: redis://127.0.0.1:6379'),
  'walk-forward': text(
    'the best on each train window trades the next test window: train=30d,test=7d[,anchored][,purge=1h]',
    TRUTH,
  ),
  kfold: text('groups of time for combinatorial cross-validation: 2 to 20', TRUTH),
  embargo: text('with --kfold, leave this much out after a group that is left out, such as 1h', TRUTH),
  null: text('the same sweep on this many shuffled tapes, so that the best has a p-value', TRUTH),
  'monte-carlo': text('draw round trips and returns of the best anew, this many times', TRUTH),
  ...Object.fromEntries(Object.entries(BACKTEST_FLAGS).filter(([name]) => !OTHERS.includes(name))),
  out: text(
    'directory for points.jsonl, sweep.csv and sweep.json; the same command goes on there where it was',
    OUTPUT,
  ),
  force: { type: 'boolean', describe: 'begin anew, whatever sweep is in that directory', group: OUTPUT },
  db: text('store whose ledger of trials the points are counted in, such as papertape.db', OUTPUT),
  ledger: {
    type: 'boolean',
    describe: 'count the points in the ledger of trials of that store (default); --no-ledger to leave them out',
    group: OUTPUT,
  },
  json: { type: 'boolean', describe: 'print sweep.json on stdout and nothing else', group: OUTPUT },
  quiet: { type: 'boolean', describe: 'no progress, no table', group: OUTPUT },
}
