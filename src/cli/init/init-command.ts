/**
 * `papertape init`: a small project to begin with.
 */
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'
import type { Options } from 'yargs'
import { JSON_FLAG, printJson } from '../shared-flags.ts'

export const INIT_FLAGS = {
  javascript: { type: 'boolean', describe: 'write JavaScript instead of TypeScript' },
  papertape: {
    type: 'string',
    requiresArg: true,
    describe: 'papertape to install: a packed .tgz or a folder (default: from the npm registry)',
  },
  json: JSON_FLAG,
} as const satisfies Record<string, Options>

export const initCommand: CliCommand = {
  command: 'init <directory>',
  describe: 'create a project: a strategy, its test, a tape and a config',
  builder: (yargs) =>
    yargs
      .positional('directory', {
        type: 'string',
        demandOption: true,
        describe: 'directory to create; it must be empty if it exists',
      })
      .options(INIT_FLAGS)
      .example('$0 init my-bot', ''),
  handler: async ({ directory, ...values }) => {
    const { makeProject } = await import('./run-init-command.ts')
    const { text, ...made } = await makeProject(String(directory), values)
    if (values.json === true) printJson(made)
    else io.stdout.write(text)
    return EXIT.done
  },
}
