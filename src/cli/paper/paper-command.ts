/**
 * `papertape paper`: a strategy on live market data, filled in this process.
 */
import type { CliCommand } from '../cli-command.ts'
import { io } from '../cli-io.ts'

export const paperCommand: CliCommand = {
  command: 'paper [strategy]',
  describe: 'run a strategy on live market data with simulated fills',
  builder: async (yargs) =>
    yargs
      .positional('strategy', {
        type: 'string',
        describe: 'a TypeScript or JavaScript file, or the name of a ready strategy',
      })
      .options((await import('./paper-flags.ts')).PAPER_FLAGS)
      .example('$0 paper sma-cross --url http://127.0.0.1:8080/v1 --symbol BTC_USD', '')
      .example('$0 paper ./mine.ts --url http://127.0.0.1:8080/v1 --for 8h --record tapes', ''),
  handler: async ({ strategy, ...values }) => {
    const { paperUntilStopped } = await import('./run-paper-command.ts')
    return await io.life.notBeforeDone(() => paperUntilStopped(strategy as string | undefined, values))
  },
}
