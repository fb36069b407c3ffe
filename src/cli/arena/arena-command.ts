/** `papertape arena`: contests whose results everybody can compute again. */
import type { Argv, Options } from 'yargs'
import { chosenOf } from '../chosen-command.ts'
import type { CliCommand } from '../cli-command.ts'
import { command, EMULATOR_FLAGS } from '../emulator/emulator-command.ts'

export const INVITE_FLAGS = {
  count: { type: 'string', requiresArg: true, describe: 'number of invitations (default: 1)' },
  name: { type: 'string', requiresArg: true, describe: 'name of the only player that may use them (default: any)' },
} as const satisfies Record<string, Options>

const serve: CliCommand = {
  command: 'serve <season>',
  describe: 'host a season: a local exchange with players, a board and a journal',
  builder: async (yargs) =>
    yargs
      .positional('season', { type: 'string', describe: 'JSON file of the season', demandOption: true })
      .options((await import('./arena-serve-flags.ts')).ARENA_SERVE_FLAGS),
  handler: async (values) => {
    const { serveArena } = await import('./run-arena-command.ts')
    return await serveArena(values)
  },
}

const verify: CliCommand = {
  command: 'verify <journal>',
  describe: 'compute a season again from its journal, and compare the result',
  builder: (yargs) =>
    yargs
      .positional('journal', { type: 'string', describe: 'journal of a season that is over', demandOption: true })
      .options({ json: { type: 'boolean', describe: 'print the verdict as one line of JSON' } }),
  handler: async (values) => {
    const { verifyJournal } = await import('./run-arena-command.ts')
    return verifyJournal(String(values.journal), values.json === true)
  },
}

export const ARENA_COMMANDS: readonly CliCommand[] = [
  serve,
  command('invite', ['invite', 'make links with which one player each can join'], {}, INVITE_FLAGS),
  command('reset-player', ['reset <name>', 'let a player join again before the start'], { name: 'name of the player' }),
  verify,
]

const board = command('board', ['arena', 'host a contest, show its board, verify its result'])

export const arenaCommand: CliCommand = {
  ...board,
  builder: (yargs) =>
    Object.entries(EMULATOR_FLAGS)
      .reduce<Argv>((all, [name, options]) => all.option(name, { ...options, global: false }), yargs)
      .command(chosenOf(ARENA_COMMANDS))
      .example('$0 arena serve season.json', '')
      .example('$0 arena invite --count 20', '')
      .example('$0 arena verify season.journal', ''),
}
