/**
 * The scripts by which shells complete the command line: each asks `papertape --get-completions` for every word, names files where
 * one may stand, and answers for `npx papertape` as well, unless something else already completes npx.
 */
import { BASH_SCRIPT } from './bash-script.ts'
import { FISH_SCRIPT } from './fish-script.ts'
import type { Shell } from './shells.ts'
import { ZSH_SCRIPT } from './zsh-script.ts'

export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH_SCRIPT,
  zsh: ZSH_SCRIPT,
  fish: FISH_SCRIPT,
}
