/**
 * `papertape record`: live trades as tapes that a backtest takes.
 */
import type { CliCommand } from '../cli-command.ts'

export const recordCommand: CliCommand = {
  command: 'record',
  describe: 'record live trades of a service for later backtests',
  builder: async (yargs) =>
    yargs
      .options((await import('./record-flags.ts')).RECORD_FLAGS)
      .example('$0 record --url http://127.0.0.1:8080/v1 --symbols BTC_USD,ETH_USD', '')
      .example('$0 backtest sma-cross --tape papertape.db --symbol BTC_USD', '')
      .example('$0 record --url http://127.0.0.1:8080/v1 --symbols BTC_USD --out tapes', ''),
  handler: async (values) => {
    const { recordUntilStopped } = await import('./run-record-command.ts')
    return await recordUntilStopped(values)
  },
}
