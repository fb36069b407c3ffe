/**
 * `papertape runs`: the runs that are kept in a store.
 */
import type { Argv, CommandModule, Options } from 'yargs'
import { chosenOf } from '../chosen-command.ts'
import { DB_FLAG } from '../store-flag.ts'

const JSON_FLAG: Options = { type: 'boolean', describe: 'print JSON on stdout and nothing else' }
const ALL_FLAG: Options = { type: 'boolean', describe: 'tell every parting, not only the first' }

export const RUNS_FLAGS: Readonly<Record<string, Options>> = { db: DB_FLAG, json: JSON_FLAG, all: ALL_FLAG }

const ID = 'first digits of the id of a run'

const withFlags = (yargs: Argv): Argv => yargs.options({ db: DB_FLAG, json: JSON_FLAG })

const list: CommandModule = {
  command: 'list',
  describe: 'list them, as papertape runs does by itself',
  builder: withFlags,
  handler: async ({ db, json }) => {
    const { showRuns } = await import('./run-runs-command.ts')
    showRuns(db, json === true)
  },
}

const show: CommandModule = {
  command: 'show <id>',
  describe: 'show what a run came to, as its backtest did',
  builder: (yargs) => withFlags(yargs).positional('id', { type: 'string', demandOption: true, describe: ID }),
  handler: async ({ id, db, json }) => {
    const { showRun } = await import('./run-runs-command.ts')
    showRun(db, String(id), json === true)
  },
}

const diff: CommandModule = {
  command: 'diff <a> <b>',
  describe: 'tell where two runs part and why; exit code 1 when they do',
  builder: (yargs) =>
    withFlags(yargs)
      .option('all', ALL_FLAG)
      .positional('a', { type: 'string', demandOption: true, describe: ID })
      .positional('b', { type: 'string', demandOption: true, describe: 'the run to lay beside it' }),
  handler: async ({ a, b, db, all, json }) => {
    const { tellStoredDifference } = await import('./run-runs-command.ts')
    process.exitCode = tellStoredDifference(db, [String(a), String(b)], { all: all === true, json: json === true })
  },
}

const add: CommandModule = {
  command: 'add <directory>',
  describe: 'keep a run that backtest --out has written',
  builder: (yargs) =>
    withFlags(yargs).positional('directory', {
      type: 'string',
      demandOption: true,
      describe: 'directory written by backtest --out',
    }),
  handler: async ({ directory, db, json }) => {
    const { addStoredRun } = await import('./run-runs-command.ts')
    addStoredRun(db, String(directory), { now: Date.now(), isJson: json === true })
  },
}

const remove: CommandModule = {
  command: 'rm <id..>',
  describe: 'take runs out of the store, all that are named or none',
  builder: (yargs) =>
    withFlags(yargs).positional('id', { type: 'string', array: true, demandOption: true, describe: ID }),
  handler: async ({ id, db, json }) => {
    const { removeStoredRuns } = await import('./run-runs-command.ts')
    removeStoredRuns(db, (id as readonly unknown[]).map(String), json === true)
  },
}

export const RUNS_COMMANDS: readonly CommandModule[] = [list, show, diff, add, remove]

export const runsCommand: CommandModule = {
  command: 'runs',
  describe: 'list the runs that backtest --db has kept',
  builder: (yargs) =>
    withFlags(yargs)
      .command(chosenOf(RUNS_COMMANDS))
      .example('$0 backtest grid --tape BTC_USD=btc.csv.gz --db papertape.db', '')
      .example('$0 runs', '')
      .example('$0 runs diff 1f4e 9a02', ''),
  handler: async ({ db, json }) => {
    const { showRuns } = await import('./run-runs-command.ts')
    showRuns(db, json === true)
  },
}
