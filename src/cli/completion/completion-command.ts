/**
 * `papertape completion`: the script by which a shell completes commands, flags, what they take, and strategies.
 */
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { COMPLETION_SCRIPTS } from './completion-scripts.ts'
import { SHELLS } from './shells.ts'

export const completionCommand: CliCommand = {
  command: 'completion <shell>',
  describe: 'print the completion script for bash, zsh or fish',
  builder: (yargs) =>
    yargs
      .positional('shell', { type: 'string', demandOption: true, describe: 'bash, zsh or fish' })
      .example('source <($0 completion bash)', '')
      .example('source <($0 completion zsh)', '')
      .example('$0 completion fish > ~/.config/fish/conf.d/papertape.fish', '')
      .epilogue(
        'Put the first line into ~/.bashrc, or the second into ~/.zshrc. Completion also works after npx papertape.',
      ),
  handler: ({ shell }) => {
    const found = SHELLS.find((name) => name === shell)
    if (found === undefined) {
      const hint = nearestNameHint(String(shell), SHELLS)
      throw new InputError('completion', `expected ${SHELLS.join(', ')}, got '${String(shell)}'${hint}`)
    }
    io.stdout.write(COMPLETION_SCRIPTS[found])
    return EXIT.done
  },
}
