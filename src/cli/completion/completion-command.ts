/** `papertape completion`: prints the shell script that completes commands, flags, their values, and strategies. */
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'
import type { CliCommand } from '../cli-command.ts'
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { BASH_SCRIPT } from './bash-script.ts'
import { FISH_SCRIPT } from './fish-script.ts'
import { ZSH_SCRIPT } from './zsh-script.ts'

/** The shells that complete a command line. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/**
 * Completion scripts: each calls `papertape --get-completions` for every word, completes file names where they are
 * valid, and also completes `npx papertape`, unless something else already completes npx.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH_SCRIPT,
  zsh: ZSH_SCRIPT,
  fish: FISH_SCRIPT,
}

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
