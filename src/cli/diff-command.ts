/**
 * `papertape diff`: where two runs part, and why.
 */
import type { CliCommand } from './cli-command.ts'
import type { Options } from 'yargs'

export const DIFF_FLAGS = {
  all: { type: 'boolean', describe: 'tell every parting, not only the first' },
  json: { type: 'boolean', describe: 'print one JSON object' },
} as const satisfies Record<string, Options>

const RUN = 'directory written by backtest --out, or by a live session'

export const diffCommand: CliCommand = {
  command: 'diff <a> <b>',
  describe: 'tell where two runs part and why; exit code 1 when they do',
  builder: (yargs) =>
    yargs
      .positional('a', { type: 'string', describe: RUN, demandOption: true })
      .positional('b', { type: 'string', describe: 'the run to lay beside it', demandOption: true })
      .options(DIFF_FLAGS)
      .example('$0 diff backtest-run live-run', ''),
  handler: async ({ a, b, all, json }) => {
    const { tellDifference } = await import('./run-diff-command.ts')
    return tellDifference(String(a), String(b), { all: all === true, json: json === true })
  },
}
