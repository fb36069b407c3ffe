/**
 * `papertape why`: why an order filled, filled late, or did not.
 */
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'
import { JSON_FLAG } from '../shared-flags.ts'

export const WHY_FLAGS = { json: JSON_FLAG } as const satisfies Record<string, Options>

export const whyCommand: CliCommand = {
  command: 'why <run> <order>',
  describe: 'explain why an order filled, filled late, or did not fill',
  builder: (yargs) =>
    yargs
      .positional('run', { type: 'string', describe: 'directory written by backtest --out', demandOption: true })
      .positional('order', {
        type: 'string',
        describe: 'id of the order; for a refused order, ref:N with the number of its request in journal.jsonl',
        demandOption: true,
      })
      .options(WHY_FLAGS)
      .example('$0 why run 17', '')
      .example('$0 why run ref:3', ''),
  handler: async ({ run, order, json }) => {
    const { reportWhy } = await import('./run-why-command.ts')
    return reportWhy(String(run), String(order), json === true)
  },
}
