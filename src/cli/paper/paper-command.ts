/**
 * `papertape paper`: strategies on live market data, filled in this process.
 */
import type { CliCommand } from '../cli-command.ts'
import { chosenOf } from '../chosen-command.ts'
import { io } from '../cli-io.ts'
import { PAPER_OPERATOR_COMMANDS } from '../operator/operator-commands.ts'

export const paperCommand: CliCommand = {
  command: 'paper [strategy..]',
  describe: 'run strategies on live market data with simulated fills',
  builder: async (yargs) =>
    yargs
      .command(chosenOf(PAPER_OPERATOR_COMMANDS))
      .positional('strategy', {
        type: 'string',
        array: true,
        default: [],
        describe: 'TypeScript or JavaScript files, or names of ready strategies',
      })
      // Without this, the help of the commands below lists it, too.
      .option('strategy', { global: false })
      .options((await import('./paper-flags.ts')).PAPER_FLAGS)
      .example('$0 paper sma-cross --url http://127.0.0.1:8080/v1 --symbol BTC_USD', '')
      .example('$0 paper ./mine.ts --url http://127.0.0.1:8080/v1 --for 8h --record tapes', '')
      .example('$0 paper sma-cross grid --url http://127.0.0.1:8080/v1 --symbol BTC_USD --state paper-state', ''),
  handler: async ({ strategy, ...values }) => {
    const { paperUntilStopped } = await import('./run-paper-command.ts')
    return await io.life.notBeforeDone(() => paperUntilStopped(strategy as readonly string[], values))
  },
}
