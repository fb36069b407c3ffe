/**
 * `papertape backtest`: a strategy on recorded markets.
 */
import { InputError } from '../../domain/errors.ts'
import type { CliCommand } from '../cli-command.ts'
import { io } from '../cli-io.ts'
import { strategyHelp } from './strategy-help.ts'

export const backtestCommand: CliCommand = {
  command: 'backtest [strategy]',
  describe: 'run a strategy on recorded data',
  builder: async (yargs) =>
    yargs
      .positional('strategy', {
        type: 'string',
        describe: 'a TypeScript or JavaScript file, or the name of a ready strategy',
      })
      .options((await import('./backtest-flags.ts')).BACKTEST_FLAGS)
      .example('$0 backtest sma-cross --tape BTC_USD=btc.csv.gz --param fast=12', '')
      .example('$0 backtest sma-cross --tape BTC_USD=btc.csv.gz --vary taker-fee=0,5,10 --vary seed=1..20', '')
      .example('$0 backtest ./mine.ts --tape btc.csv --symbol BTC_USDT --taker-fee 10 --out run', '')
      .epilogue(await strategyHelp(io.args)),
  handler: async ({ strategy, watch, ...values }) => {
    const named = strategy as string | undefined
    if (values.vary !== undefined) {
      const { varyAndShow } = await import('../vary-command.ts')
      return await varyAndShow(named, { ...values, watch })
    }
    for (const flag of ['workers', 'redis'])
      if (values[flag] !== undefined) throw new InputError(`--${flag}`, 'runs the worlds of --vary: add it')
    if (watch === true) {
      const { watchBacktest } = await import('./run-watch-command.ts')
      return await watchBacktest(named, values)
    }
    return await io.runStrategy({ command: 'backtest', strategy: named, values })
  },
}
