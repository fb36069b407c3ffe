/**
 * `papertape conformance`: the rules of the specification, asked of any service.
 */
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'

export const CONFORMANCE_FLAGS = {
  url: { type: 'string', requiresArg: true, describe: 'base URL of the service, such as http://127.0.0.1:8080/v1' },
  'stream-url': {
    type: 'string',
    requiresArg: true,
    describe: 'URL of its WebSocket (default: the base URL followed by /ws)',
  },
  trade: {
    type: 'boolean',
    describe: 'also place orders: the smallest allowed, at half the market price, cancelled afterwards',
  },
  json: { type: 'boolean', describe: 'print only the result, as one line of JSON, on stdout' },
} as const satisfies Record<string, Options>

export const conformanceCommand: CliCommand = {
  command: 'conformance',
  describe: 'test a service against every rule of the specification',
  builder: (yargs) =>
    yargs
      .options(CONFORMANCE_FLAGS)
      .epilogue('The API key is read from PAPERTAPE_API_KEY or .env. Without a key only public endpoints are tested.')
      .example('$0 conformance --url http://127.0.0.1:8080/v1', '')
      .example('$0 conformance --url http://127.0.0.1:8080/v1 --trade', ''),
  handler: async (values) => {
    const { runConformance } = await import('./run-conformance-command.ts')
    return await runConformance(values)
  },
}
