/** `papertape expect`: holds backtests to the figures that they had. */
import type { Options } from 'yargs'
import { InputError } from '../../domain/errors.ts'
import { chosenOf } from '../chosen-command.ts'
import type { CliCommand } from '../cli-command.ts'
import { JSON_FLAG } from '../shared-flags.ts'

const CHECK_FLAGS = {
  update: { type: 'boolean', describe: 'accept what differs: save these expectations again' },
  junit: { type: 'string', requiresArg: true, describe: 'file to write the outcomes to, as JUnit XML' },
  json: JSON_FLAG,
} as const satisfies Record<string, Options>

const SAVE_FLAGS = {
  figure: {
    type: 'string',
    requiresArg: true,
    describe:
      'figure of run.json to hold it to, NAME or NAME=TOLERANCE, such as return=1% or orders=2; digest for every detail; repeatable',
  },
  force: { type: 'boolean', describe: 'overwrite the expectation of that name' },
  json: JSON_FLAG,
} as const satisfies Record<string, Options>

export const EXPECT_FLAGS: Readonly<Record<string, Options>> = { ...CHECK_FLAGS, ...SAVE_FLAGS }

const save: CliCommand = {
  command: 'save <name>',
  describe: 'run a backtest, and save its figures as what to expect',
  builder: (yargs) =>
    yargs
      .positional('name', { type: 'string', demandOption: true, describe: 'name of the expectation' })
      .options(SAVE_FLAGS)
      .example('$0 expect save trend -- backtest sma-cross --tape BTC_USD=btc.csv.gz', ''),
  handler: async ({ name, figure, force, json, ...others }) => {
    const given = ['update', 'junit'].find((flag) => others[flag] !== undefined)
    if (given !== undefined) throw new InputError(`--${given}`, 'is for checking expectations, not for saving one')
    const { saveExpectation } = await import('./run-expect-command.ts')
    return await saveExpectation(String(name), { figure, isForced: force === true, isJson: json === true })
  },
}

export const EXPECT_COMMANDS: readonly CliCommand[] = [save]

export const expectCommand: CliCommand = {
  command: 'expect [names..]',
  describe: 'run saved backtests again; exit code 1 if a result differs',
  builder: (yargs) =>
    yargs
      .command(chosenOf(EXPECT_COMMANDS))
      .positional('names', { type: 'string', array: true, describe: 'expectations to check (default: all)' })
      .options(CHECK_FLAGS)
      .example('$0 expect save trend -- backtest sma-cross --tape BTC_USD=btc.csv.gz', '')
      .example('$0 expect --junit results.xml', '')
      .example('$0 expect trend --update', ''),
  handler: async ({ names, update, junit, json }) => {
    const { checkExpectations } = await import('./run-expect-command.ts')
    const given = ((names ?? []) as readonly unknown[]).map(String)
    return await checkExpectations(given, { junit, isUpdated: update === true, isJson: json === true })
  },
}
