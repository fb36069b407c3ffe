/**
 * Words that may stand next in a command line: commands, flags, and names of ready strategies. Files are the shell's to name.
 */
import { readyStrategies } from '../../runtime/strategies/ready-strategies.ts'
import { commandOf, commandsBelow, commandWords } from '../commands.ts'
import { NEW_KINDS } from '../new/new-kinds.ts'
import { COMMANDS, flagsOf, isSwitch } from '../usage-error.ts'
import { SHELLS } from './completion-scripts.ts'

const TAKES_STRATEGY = ['backtest', 'sweep', 'paper', 'live', 'check', 'parity']

/**
 * @param words  those behind `papertape`, the last of which is begun, or empty
 * @returns      none where a value or a file is expected
 */
export async function candidates(words: readonly string[]): Promise<readonly string[]> {
  const begun = words.at(-1) ?? ''
  return (await all(words.slice(0, -1), begun)).filter((word) => word.startsWith(begun))
}

/** @param before  the words in front of the one that is begun */
async function all(before: readonly string[], begun: string): Promise<readonly string[]> {
  if (before.length === 0) return [...COMMANDS, 'help', '--help', '--version']
  if (before[0] === 'help') return before.length === 1 ? COMMANDS : []
  const flags = await flagsOf(before)
  if (begun.startsWith('-')) {
    const own = Object.entries(flags).flatMap(([name, options]) =>
      isSwitch(options) ? [`--${name}`, `--no-${name}`] : [`--${name}`],
    )
    return [...own, '--help']
  }
  const last = before.at(-1) ?? ''
  const valued = flags[last.replace(/^--/, '')]
  // A shell may part a word at its equals sign.
  if (last === '=' || begun === '=' || (last.startsWith('--') && valued !== undefined && !isSwitch(valued))) return []
  return positionals(before)
}

function positionals(before: readonly string[]): readonly string[] {
  const path = commandOf(before)?.path ?? ''
  // Only at once behind the words of the command: what stands behind a flag may be a file.
  if (path !== before.join(' ')) return []
  if (path === 'completion') return SHELLS
  if (path === 'new') return NEW_KINDS
  const below = commandsBelow(path).map((each) => commandWords(each).name)
  return TAKES_STRATEGY.includes(path) ? [...below, ...readyStrategies()] : below
}
