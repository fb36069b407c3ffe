/**
 * `papertape strategies`: the ready strategies, what each believes, and its parameters.
 */
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'

export const STRATEGIES_FLAGS: Readonly<Record<string, Options>> = {
  json: { type: 'boolean', describe: 'print only one JSON array on stdout' },
}

export const strategiesCommand: CliCommand = {
  command: 'strategies',
  describe: 'list the ready strategies and their parameters',
  builder: (yargs) => yargs.options(STRATEGIES_FLAGS),
  handler: async ({ json }) => {
    const { listStrategies } = await import('./list-strategies.ts')
    io.stdout.write(await listStrategies(json === true))
    return EXIT.done
  },
}
