/** `papertape emulator`: commands to a running emulator, such as one that `papertape serve` has started. */
import type { Argv, Options } from 'yargs'
import { chosenOf } from '../chosen-command.ts'
import type { CliCommand } from '../cli-command.ts'
import type { EmulatorAction } from './emulator-action.ts'

export const EMULATOR_FLAGS = {
  url: {
    type: 'string',
    requiresArg: true,
    describe: 'address of the emulator (default: http://127.0.0.1:8080)',
  },
  'admin-token': {
    type: 'string',
    requiresArg: true,
    describe: 'its admin token (default: PAPERTAPE_ADMIN_TOKEN in the environment)',
  },
  json: { type: 'boolean', describe: 'print only the answer, as one line of JSON, on stdout' },
} as const satisfies Record<string, Options>

export const SNAPSHOT_FLAGS = {
  replace: { type: 'boolean', describe: 'replace a snapshot of that name' },
} as const satisfies Record<string, Options>

export const BRANCH_FLAGS = {
  snapshot: { type: 'string', requiresArg: true, describe: 'snapshot to start from (default: the present)' },
  port: { type: 'string', requiresArg: true, describe: 'port to listen on (default: a free one)' },
} as const satisfies Record<string, Options>

export const REWIND_FLAGS = {
  'before-order': { type: 'string', requiresArg: true, describe: 'id of an order: go to the moment before it' },
} as const satisfies Record<string, Options>

type Arguments = Readonly<Record<string, string>>

/** A command that asks an emulator for something. @param action  of `run-emulator-command.ts` */
export function command(
  action: EmulatorAction,
  [name, describe]: readonly [string, string],
  given: Arguments = {},
  flags: Record<string, Options> = {},
  below: readonly CliCommand[] = [],
): CliCommand {
  const isNeeded = (argument: string): boolean => name.includes(`<${argument}>`)
  return {
    command: name,
    describe,
    builder: (yargs) =>
      Object.entries(given).reduce<Argv>(
        (all, [argument, words]) =>
          all.positional(argument, { type: 'string', describe: words, demandOption: isNeeded(argument) }),
        yargs.options({ ...flags, ...EMULATOR_FLAGS }).command(chosenOf(below)),
      ),
    handler: async (values) => {
      const { runEmulatorCommand } = await import('./run-emulator-command.ts')
      return await runEmulatorCommand(action, values)
    },
  }
}

const NAME = { name: 'name of the snapshot: letters, digits, dots, hyphens' }
const FILE = 'file of an exported snapshot'

export const SNAPSHOT_COMMANDS: readonly CliCommand[] = [
  command('save', ['save <name>', 'save the present world under a name'], NAME, SNAPSHOT_FLAGS),
  command('list', ['list', 'list all snapshots']),
  command('load', ['load <name>', 'go back to a snapshot; streams close'], NAME),
  command('diff', ['diff <name> [to]', 'show what differs between a snapshot and the present'], {
    ...NAME,
    to: 'another snapshot to compare with',
  }),
  command('export', ['export <name> <file>', 'write a snapshot to a new file, for serve --world'], {
    ...NAME,
    file: 'file to create',
  }),
  command('import', ['import <name> <file>', 'add a snapshot from a file'], { ...NAME, file: FILE }, SNAPSHOT_FLAGS),
  command('delete', ['delete <name>', 'remove a snapshot'], NAME),
]

const BRANCH = { name: 'name of the branch' }

export const BRANCH_COMMANDS: readonly CliCommand[] = [
  command(
    'start-branch',
    ['start <name>', 'start another emulator, from a snapshot or the present'],
    BRANCH,
    BRANCH_FLAGS,
  ),
  command('list-branches', ['list', 'list all branches with their addresses']),
  command('close-branch', ['close <name>', 'close a branch'], BRANCH),
]

export const SCENARIO_COMMANDS: readonly CliCommand[] = [
  command('play', ['play <scenario> [market]', 'play a scenario from now on'], {
    scenario: 'JSON or TypeScript file of a scenario, or flash-crash, news-shock or bad-connection',
    market: 'market of a ready scenario (default: BTC_USD)',
  }),
  command('list-actions', ['list', 'list the actions to come']),
  command('stop', ['stop', 'cancel the actions to come']),
]

export const EMULATOR_COMMANDS: readonly CliCommand[] = [
  command('list', ['snapshot', 'save the world under names, and go back to one'], {}, {}, SNAPSHOT_COMMANDS),
  command('list-branches', ['branch', 'run other emulators from a snapshot'], {}, {}, BRANCH_COMMANDS),
  command(
    'rewind',
    ['rewind [time]', 'go back to a moment of the past, or show what is kept of it'],
    { time: 'time to go back to, ISO 8601 or Unix milliseconds' },
    REWIND_FLAGS,
  ),
  command('list-actions', ['scenario', 'play news, crashes and faults at planned times'], {}, {}, SCENARIO_COMMANDS),
  command('hash-token', ['hash-token', 'make an admin token, or hash the one given, for --admin-token-file']),
]

const whole = command(
  'show',
  ['emulator', 'save the world of an emulator, go back to it, branch from it'],
  {},
  {},
  EMULATOR_COMMANDS,
)

export const emulatorCommand: CliCommand = {
  ...whole,
  builder: (yargs) =>
    (whole.builder as (yargs: Argv) => Argv)(yargs)
      .example('$0 emulator snapshot save before-news', '')
      .example('$0 emulator snapshot load before-news', ''),
}
