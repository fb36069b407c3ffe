/**
 * The end of a help text: the parameters of the strategy that is named in the command line, or the ready strategies.
 */
import { wrapPieces } from '../../report/terminal-text.ts'
import type { ParamInfo } from '../../runtime/strategies/params.ts'

const WIDTH = 80

/** @returns text for the end of the help; empty when no help is asked for */
export async function strategyHelp(args: readonly string[]): Promise<string> {
  const [command, reference] = args
  if (!['backtest', 'sweep'].includes(command ?? '') || !args.some((arg) => arg === '--help' || arg === '-h')) return ''
  const { readyStrategies } = await import('../../runtime/strategies/ready-strategies.ts')
  if (reference === undefined || reference.startsWith('-')) return `Ready strategies: ${readyStrategies().join(', ')}`
  const { loadStrategy } = await import('../../runtime/strategies/strategy-file.ts')
  const { paramInfos } = await import('../../runtime/strategies/params.ts')
  const { strategy } = await loadStrategy(reference)
  const infos = paramInfos(strategy)
  const width = Math.max(0, ...infos.map(({ name }) => flagOf(name).length))
  return [`Parameters of ${strategy.name}:`, ...infos.flatMap((info) => linesOf(info, width))].join('\n')
}

const flagOf = (name: string): string => `--param ${name}=`

function linesOf({ name, type, description, defaultValue, isRequired }: ParamInfo, width: number): readonly string[] {
  const given = name === 'symbol' ? '[default: the first tape]' : defaultText(defaultValue, isRequired)
  const words = [description, `[${type}]`, given].flatMap((part) => part.split(' ')).filter(Boolean)
  const [first = '', ...others] = wrapPieces(words, WIDTH - width - 4)
  const indent = ' '.repeat(width + 4)
  return [`  ${flagOf(name).padEnd(width)}  ${first}`, ...others.map((line) => indent + line)]
}

function defaultText(value: string | undefined, isRequired: boolean): string {
  if (value !== undefined) return `[default: ${value}]`
  return isRequired ? '[required]' : ''
}
