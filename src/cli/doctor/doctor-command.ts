/**
 * `papertape doctor`: whether a live session could start with a service and a key.
 */
import type { CliCommand } from '../cli-command.ts'
import { CONFIG_FLAG } from '../shared-flags.ts'
import type { Options } from 'yargs'

export const DOCTOR_FLAGS = {
  url: { type: 'string', requiresArg: true, describe: 'base URL of the service, such as http://127.0.0.1:8080/v1' },
  'stream-url': {
    type: 'string',
    requiresArg: true,
    describe: 'URL of its WebSocket (default: the base URL followed by /ws)',
  },
  config: CONFIG_FLAG,
  json: { type: 'boolean', describe: 'print only the result, as one line of JSON, on stdout' },
} as const satisfies Record<string, Options>

export const doctorCommand: CliCommand = {
  command: 'doctor',
  describe: 'check whether a live session could start; places no orders',
  builder: (yargs) =>
    yargs
      .options(DOCTOR_FLAGS)
      .epilogue('The API key is read from PAPERTAPE_API_KEY or .env.')
      .example('$0 doctor --url http://127.0.0.1:8080/v1', ''),
  handler: async (values) => {
    const { runDoctor } = await import('./run-doctor-command.ts')
    return await runDoctor(values)
  },
}
