/**
 * `papertape check`: markets are made up, and a strategy is tried in them.
 */
import type { CliCommand } from '../cli-command.ts'
import { io } from '../cli-io.ts'

export const checkCommand: CliCommand = {
  command: 'check [strategy]',
  describe: 'test a strategy on randomly generated markets',
  builder: async (yargs) =>
    yargs
      .positional('strategy', {
        type: 'string',
        describe:
          'a TypeScript or JavaScript file, or the name of a ready strategy (default: those of the config file)',
      })
      .options((await import('./check-flags.ts')).CHECK_FLAGS)
      .example('$0 check ./mine.ts --param fast=12', '')
      .example('$0 check ./mine.ts --types', '')
      .example('$0 check ./mine.ts --runs 5000 --seed 7', '')
      .example('$0 check ./mine.ts --replay papertape-check/mine/throws', ''),
  handler: async ({ strategy, ...values }) => {
    return await io.runStrategy({ command: 'check', strategy: strategy as string | undefined, values })
  },
}
