/**
 * `papertape diff`: where two runs part, and why.
 */
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'

export const DIFF_FLAGS = {
  all: { type: 'boolean', describe: 'list every difference, not only the first' },
  json: { type: 'boolean', describe: 'print only one JSON object on stdout' },
} as const satisfies Record<string, Options>

const RUN = 'directory written by backtest --out, paper or live'

export const diffCommand: CliCommand = {
  command: 'diff <a> <b>',
  describe: 'show where two runs diverge and why; exit code 1 if they do',
  builder: (yargs) =>
    yargs
      .positional('a', { type: 'string', describe: RUN, demandOption: true })
      .positional('b', { type: 'string', describe: 'the run to compare with', demandOption: true })
      .options(DIFF_FLAGS)
      .example('$0 diff backtest-run live-run', ''),
  handler: async ({ a, b, all, json }) => {
    const { reportDifference } = await import('./run-diff-command.ts')
    return reportDifference(String(a), String(b), { all: all === true, json: json === true })
  },
}
