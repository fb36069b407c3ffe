/**
 * `papertape backtest`: a strategy on recorded markets.
 */
import type { CommandModule } from 'yargs'
import { hideBin } from 'yargs/helpers'
import { strategyHelp } from './strategy-help.ts'

export const backtestCommand: CommandModule = {
  command: 'backtest [strategy]',
  describe: 'run a strategy on recorded markets',
  builder: async (yargs) =>
    yargs
      .positional('strategy', {
        type: 'string',
        describe: 'name of a ready strategy, or a TypeScript or JavaScript file',
      })
      .options((await import('./backtest-flags.ts')).BACKTEST_FLAGS)
      .example('$0 backtest sma-cross --tape BTC_USD=btc.csv.gz --param fast=12', '')
      .example('$0 backtest ./mine.ts --tape btc.csv --symbol BTC_USDT --taker-fee 10 --out run', '')
      .epilogue(await strategyHelp(hideBin(process.argv))),
  handler: async ({ strategy, watch, ...values }) => {
    const named = strategy as string | undefined
    if (watch === true) {
      const { watchBacktest } = await import('./run-watch-command.ts')
      process.exitCode = await watchBacktest(named, values)
      return
    }
    const { inRunThread } = await import('../thread/run-thread.ts')
    process.exitCode = await inRunThread({ command: 'backtest', strategy: named, values })
  },
}
