/**
 * `papertape new`: a file to begin with, in a project that is there.
 */
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'
import { JSON_FLAG, printJson } from '../shared-flags.ts'

export const NEW_FLAGS = {
  javascript: { type: 'boolean', describe: 'write JavaScript, even in a TypeScript project' },
  json: JSON_FLAG,
} as const satisfies Record<string, Options>

export const newCommand: CliCommand = {
  command: 'new <kind> <name>',
  describe: 'create strategies/NAME.ts and its test from a template',
  builder: (yargs) =>
    yargs
      .positional('kind', { type: 'string', demandOption: true, describe: 'strategy' })
      .positional('name', {
        type: 'string',
        demandOption: true,
        describe: 'lower case with hyphens, such as my-strategy',
      })
      .options(NEW_FLAGS)
      .example('$0 new strategy buy-the-dip', ''),
  handler: async ({ kind, name, javascript, json }) => {
    const { makeStrategy } = await import('./run-new-command.ts')
    const { text, files } = makeStrategy(String(kind), String(name), javascript === true)
    if (json === true) printJson({ files })
    else io.stdout.write(text)
    return EXIT.done
  },
}
