/**
 * `papertape parity`: a strategy in process and through the live adapter, compared.
 */
import type { CliCommand } from '../cli-command.ts'

export const parityCommand: CliCommand = {
  command: 'parity [strategy]',
  describe: 'compare a backtest with the same run through the live adapter',
  builder: async (yargs) =>
    yargs
      .positional('strategy', {
        type: 'string',
        describe: 'a TypeScript or JavaScript file, or the name of a ready strategy',
      })
      .options((await import('./parity-flags.ts')).PARITY_FLAGS)
      .example('$0 parity grid --tape BTC_USD=btc.csv.gz --to 2024-01-02', ''),
  handler: async ({ strategy, ...values }) => {
    const { compareAndShow } = await import('./run-parity-command.ts')
    return await compareAndShow(strategy as string | undefined, values)
  },
}
