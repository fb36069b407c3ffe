/**
 * `papertape conformance`: the rules of the specification, asked of any service.
 */
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'

export const CONFORMANCE_FLAGS = {
  url: { type: 'string', requiresArg: true, describe: 'base URL of the service, such as http://127.0.0.1:8080/v1' },
  'stream-url': { type: 'string', requiresArg: true, describe: 'of its WebSocket (default: the base URL and /ws)' },
  trade: {
    type: 'boolean',
    describe: 'place orders too: the smallest ones, half the price below the market, and cancelled',
  },
  json: { type: 'boolean', describe: 'print the result as one line of JSON' },
} as const satisfies Record<string, Options>

export const conformanceCommand: CliCommand = {
  command: 'conformance',
  describe: 'ask a service for every rule of the specification',
  builder: (yargs) =>
    yargs
      .options(CONFORMANCE_FLAGS)
      .epilogue('The key is read from PAPERTAPE_API_KEY, or from .env. Without one only public rules are shown.')
      .example('$0 conformance --url http://127.0.0.1:8080/v1', '')
      .example('$0 conformance --url http://127.0.0.1:8080/v1 --trade', ''),
  handler: async (values) => {
    const { runConformance } = await import('./run-conformance-command.ts')
    return await runConformance(values)
  },
}
