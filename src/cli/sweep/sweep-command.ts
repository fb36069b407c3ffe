/**
 * `papertape sweep`: a strategy on recorded markets with many parameters.
 */
import type { CliCommand } from '../cli-command.ts'
import { strategyHelp } from '../backtest/strategy-help.ts'
import { io } from '../cli-io.ts'

export const sweepCommand: CliCommand = {
  command: 'sweep [strategy]',
  describe: 'run a strategy with many parameter values and rank the results',
  builder: async (yargs) =>
    yargs
      .positional('strategy', {
        type: 'string',
        describe: 'a TypeScript or JavaScript file, or the name of a ready strategy',
      })
      .options((await import('./sweep-flags.ts')).SWEEP_FLAGS)
      .example(
        "$0 sweep sma-cross --tape btc.csv --param fast=5..50/5 --param slow=20,50,100 --where 'fast < slow'",
        '',
      )
      .example('$0 sweep ./mine.ts --tape btc.csv --param fast=2..200 --random 100 --objective return --out sweep', '')
      .epilogue(await strategyHelp(io.args)),
  handler: async ({ strategy, ...values }) => {
    const { sweepAndShow } = await import('./run-sweep-command.ts')
    return await sweepAndShow(strategy as string | undefined, values)
  },
}
