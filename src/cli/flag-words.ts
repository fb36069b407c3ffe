/** Settings in the words of the command line: `latency.orderMs` is `--order-latency` there. */
import type { SettingWords } from '../domain/setting-name.ts'

/** `orderLatency` is `order-latency`. */
export const flagName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Options that stand under another name on the command line: the option's path, and the flag's in camel case. */
export type OtherNames = ReadonlyMap<string, string>

/** Options that are parts of a flag: `params.fast` is `--param fast`, and `--set fast` of `fork`. */
const KEYED: ReadonlyMap<string, string> = new Map([
  ['params', '--param'],
  ['set', '--set'],
  ['credits', '--credit'],
  ['series', '--series'],
  ['vary', '--vary'],
])

/** @param others  every other option is the flag of its name */
export const flagWords =
  (others: OtherNames): SettingWords =>
  ({ path, value }) => {
    const flag = flagOf(path, others)
    return value === undefined ? flag : `${flag} ${value}`
  }

/** Names of limits that differ from those of their options. */
const LIMIT_NAMES: ReadonlyMap<string, string> = new Map([
  ['maxOrder', 'order'],
  ['maxPosition', 'position'],
])

const limitName = (option: string): string => LIMIT_NAMES.get(option) ?? option

function flagOf(path: string, others: OtherNames): string {
  const [head = '', ...rest] = path.split('.')
  // Only a config file has them.
  if (head === 'strategies')
    return [head, ...rest.map((each) => (each === 'risk' ? 'limits' : limitName(each)))].join(' ')
  if (head === 'rebalance') return [head, ...rest].join(' ')
  if (head === 'walletRisk') return ['limits', ...rest.map(limitName)].join(' ')
  const keyed = KEYED.get(head)
  if (keyed !== undefined) return [keyed, rest.join('.')].filter(Boolean).join(' ')
  return `--${flagName(others.get(path) ?? path)}`
}
