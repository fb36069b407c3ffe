/**
 * `papertape serve`: the exchange on one's own machine.
 */
import type { CliCommand } from '../cli-command.ts'

export const serveCommand: CliCommand = {
  command: 'serve',
  describe: 'run a local exchange with REST and WebSocket APIs',
  builder: async (yargs) =>
    yargs
      .options((await import('./serve-flags.ts')).SERVE_FLAGS)
      .example('$0 serve', '')
      .example('$0 serve --state exchange.db --port 8080', '')
      .example('$0 serve --replay BTC_USD=btc.csv.gz --speed 10', '')
      .example('$0 serve --mirror https://example.com/v1', '')
      .example('$0 serve --port 0 --json --virtual-clock --seed 7', ''),
  handler: async (values) => {
    const { serveUntilStopped } = await import('./run-serve-command.ts')
    return await serveUntilStopped(values)
  },
}
