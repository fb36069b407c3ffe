/**
 * What is wrong with a command line, in one line, with the nearest name of what may have been meant.
 */
import { nearestName } from '../store/nearest-name.ts'
import { BACKTEST_FLAGS } from './backtest-flags.ts'

const COMMANDS = ['backtest', 'verify', 'generate']
const FLAGS = [...Object.keys(BACKTEST_FLAGS), 'no-limits', 'help', 'version']

/**
 * @param message  what yargs says
 * @param args     the command line
 */
export function usageMessage(message: string, args: readonly string[]): string {
  const [, unknown] = /^Unknown arguments?: (.+)$/.exec(message) ?? []
  if (unknown === undefined) return message
  const [name = ''] = unknown.split(', ')
  const isFlag = args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  if (isFlag) return `unknown flag --${name}${hint(nearestName(name, FLAGS), '--')}`
  return args[0] === name
    ? `unknown command '${name}'${hint(nearestName(name, COMMANDS), '')}`
    : `unexpected argument '${name}'`
}

const hint = (nearest: string | undefined, prefix: string): string =>
  nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
