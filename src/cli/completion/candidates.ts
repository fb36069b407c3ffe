/**
 * Words that may stand next in a command line: commands, flags, and names of ready strategies. Files are the shell's to name.
 */
import { readyStrategies } from '../../runtime/strategies/ready-strategies.ts'
import { NEW_KINDS } from '../new/new-kinds.ts'
import { RUNS_COMMANDS } from '../runs/runs-command.ts'
import { COMMANDS, flagsOf, isSwitch } from '../usage-error.ts'
import { SHELLS } from './completion-scripts.ts'

const TAKES_STRATEGY = ['backtest', 'sweep', 'paper', 'live', 'check', 'parity']

/**
 * @param words  those behind `papertape`, the last of which is begun, or empty
 * @returns      none where a value or a file is expected
 */
export async function candidates(words: readonly string[]): Promise<readonly string[]> {
  const [command = ''] = words
  const begun = words.at(-1) ?? ''
  return (await all(command, words)).filter((word) => word.startsWith(begun))
}

async function all(command: string, words: readonly string[]): Promise<readonly string[]> {
  if (words.length <= 1) return [...COMMANDS, '--help', '--version']
  const flags = await flagsOf([command])
  const begun = words.at(-1) ?? ''
  if (begun.startsWith('-')) {
    const own = Object.entries(flags).flatMap(([name, options]) =>
      isSwitch(options) ? [`--${name}`, `--no-${name}`] : [`--${name}`],
    )
    return [...own, '--help']
  }
  const before = words.at(-2) ?? ''
  const valued = flags[before.replace(/^--/, '')]
  // A shell may part a word at its equals sign.
  if (before === '=' || begun === '=' || (before.startsWith('--') && valued !== undefined && !isSwitch(valued)))
    return []
  if (words.length > 2) return []
  if (command === 'completion') return SHELLS
  if (command === 'new') return NEW_KINDS
  if (command === 'runs') return RUNS_COMMANDS.map((each) => String(each.command).split(' ')[0] ?? '')
  return TAKES_STRATEGY.includes(command) ? readyStrategies() : []
}
