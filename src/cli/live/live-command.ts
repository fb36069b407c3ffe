/**
 * `papertape live`: strategies on an account of a service.
 */
import type { CliCommand } from '../cli-command.ts'
import { chosenOf } from '../chosen-command.ts'
import { OPERATOR_COMMANDS } from '../operator/operator-commands.ts'

export const liveCommand: CliCommand = {
  command: 'live [strategy..]',
  describe: 'trade strategies on an account of a service in real time',
  builder: async (yargs) =>
    yargs
      .command(chosenOf(OPERATOR_COMMANDS))
      .positional('strategy', {
        type: 'string',
        array: true,
        default: [],
        describe: 'TypeScript or JavaScript files, or names of ready strategies',
      })
      // Without this, the help of the commands below lists it, too.
      .option('strategy', { global: false })
      .options((await import('./live-flags.ts')).LIVE_FLAGS)
      .example('$0 live ./mine.ts --url http://127.0.0.1:8080/v1 --symbol BTC_USD', '')
      .example('$0 live sma-cross market-maker --url http://127.0.0.1:8080/v1 --symbol BTC_USD --out run', '')
      .epilogue('The API key is read from PAPERTAPE_API_KEY, in the environment or in .env.'),
  handler: async ({ strategy, ...values }) => {
    const { liveUntilStopped } = await import('./run-live-command.ts')
    return await liveUntilStopped(strategy as readonly string[], values)
  },
}
