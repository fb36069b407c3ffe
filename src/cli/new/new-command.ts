/**
 * `papertape new`: a file to begin with, in a project that is there.
 */
import type { CommandModule, Options } from 'yargs'

export const NEW_FLAGS = {
  javascript: { type: 'boolean', describe: 'JavaScript, also in a project in TypeScript' },
} as const satisfies Record<string, Options>

export const newCommand: CommandModule = {
  command: 'new <kind> <name>',
  describe: 'write strategies/NAME.ts from a small template, and its test',
  builder: (yargs) =>
    yargs
      .positional('kind', { type: 'string', demandOption: true, describe: 'strategy' })
      .positional('name', { type: 'string', demandOption: true, describe: 'lower-case, with hyphens: my-strategy' })
      .options(NEW_FLAGS)
      .example('$0 new strategy buy-the-dip', ''),
  handler: async ({ kind, name, javascript }) => {
    const { makeStrategy } = await import('./run-new-command.ts')
    process.stdout.write(makeStrategy(String(kind), String(name), javascript === true))
  },
}
