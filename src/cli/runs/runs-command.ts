/** `papertape runs`: the runs saved in a database. */
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'
import type { Argv, Options } from 'yargs'
import { chosenOf } from '../chosen-command.ts'
import { DB_FLAG } from '../shared-flags.ts'

const JSON_FLAG: Options = { type: 'boolean', describe: 'print only JSON on stdout' }
const ALL_FLAG: Options = { type: 'boolean', describe: 'list every difference, not only the first' }

export const RUNS_FLAGS: Readonly<Record<string, Options>> = { db: DB_FLAG, json: JSON_FLAG, all: ALL_FLAG }

const ID = 'first digits of the id of a run'

const withFlags = (yargs: Argv): Argv => yargs.options({ db: DB_FLAG, json: JSON_FLAG })

const list: CliCommand = {
  command: 'list',
  describe: 'list the runs (same as papertape runs)',
  builder: withFlags,
  handler: async ({ db, json }) => {
    const { showRuns } = await import('./run-runs-command.ts')
    showRuns(db, json === true)
    return EXIT.done
  },
}

const show: CliCommand = {
  command: 'show <id>',
  describe: 'show the summary of a run',
  builder: (yargs) => withFlags(yargs).positional('id', { type: 'string', demandOption: true, describe: ID }),
  handler: async ({ id, db, json }) => {
    const { showRun } = await import('./run-runs-command.ts')
    showRun(db, String(id), json === true)
    return EXIT.done
  },
}

const diff: CliCommand = {
  command: 'diff <a> <b>',
  describe: 'show where two runs diverge and why; exit code 1 if they do',
  builder: (yargs) =>
    withFlags(yargs)
      .option('all', ALL_FLAG)
      .positional('a', { type: 'string', demandOption: true, describe: ID })
      .positional('b', { type: 'string', demandOption: true, describe: 'the run to compare with' }),
  handler: async ({ a, b, db, all, json }) => {
    const { reportStoredDifference } = await import('./run-runs-command.ts')
    return reportStoredDifference(db, [String(a), String(b)], { all: all === true, json: json === true })
  },
}

const add: CliCommand = {
  command: 'add <directory>',
  describe: 'save a run directory written by backtest --out',
  builder: (yargs) =>
    withFlags(yargs).positional('directory', {
      type: 'string',
      demandOption: true,
      describe: 'directory written by backtest --out',
    }),
  handler: async ({ directory, db, json }) => {
    const { addStoredRun } = await import('./run-runs-command.ts')
    addStoredRun(db, String(directory), { now: Date.now(), isJson: json === true })
    return EXIT.done
  },
}

const remove: CliCommand = {
  command: 'rm <id..>',
  describe: 'remove runs from the database: all the named ones or none',
  builder: (yargs) =>
    withFlags(yargs).positional('id', { type: 'string', array: true, demandOption: true, describe: ID }),
  handler: async ({ id, db, json }) => {
    const { removeStoredRuns } = await import('./run-runs-command.ts')
    removeStoredRuns(db, (id as readonly unknown[]).map(String), json === true)
    return EXIT.done
  },
}

export const RUNS_COMMANDS: readonly CliCommand[] = [list, show, diff, add, remove]

export const runsCommand: CliCommand = {
  command: 'runs',
  describe: 'list the runs saved by backtest --db',
  builder: (yargs) =>
    withFlags(yargs)
      .command(chosenOf(RUNS_COMMANDS))
      .example('$0 backtest grid --tape BTC_USD=btc.csv.gz --db papertape.db', '')
      .example('$0 runs', '')
      .example('$0 runs diff 1f4e 9a02', ''),
  handler: async ({ db, json }) => {
    const { showRuns } = await import('./run-runs-command.ts')
    showRuns(db, json === true)
    return EXIT.done
  },
}
