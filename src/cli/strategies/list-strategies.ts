/** The built-in strategies as text of 80 columns, or as JSON. */
import { readFileSync } from 'node:fs'
import { wrapPieces } from '../../report/terminal-text.ts'
import { paramInfos, type ParamInfo } from '../../runtime/strategies/params.ts'
import { readyStrategies } from '../../runtime/strategies/ready-strategies.ts'
import { loadStrategy } from '../../runtime/strategies/strategy-file.ts'
import { premiseIn } from './premise.ts'

interface ListedStrategy {
  readonly name: string
  /** First sentence of the header of its file. */
  readonly premise: string
  readonly params: readonly ParamInfo[]
}

const WIDTH = 80

export async function listStrategies(isJson: boolean): Promise<string> {
  const listed: ListedStrategy[] = []
  for (const name of readyStrategies()) {
    const { strategy, path } = await loadStrategy(name)
    listed.push({
      name,
      premise: premiseIn(path === null ? '' : readFileSync(path, 'utf8')),
      params: paramInfos(strategy),
    })
  }
  if (isJson) return `${JSON.stringify(listed.map(jsonOf))}\n`
  return `${listed.map((each) => linesOf(each).join('\n')).join('\n\n')}\n`
}

function linesOf({ name, premise, params }: ListedStrategy): readonly string[] {
  const width = Math.max(0, ...params.map((param) => param.name.length))
  return [
    name,
    ...indented(premise, 2),
    ...params.flatMap((param) => {
      const [first = '', ...others] = indented(`${param.description} (${defaultText(param)})`, width + 6)
      return [`    ${param.name.padEnd(width)}  ${first.trimStart()}`, ...others]
    }),
  ]
}

const indented = (text: string, by: number): readonly string[] =>
  wrapPieces(text.split(' '), WIDTH - by).map((line) => ' '.repeat(by) + line)

function defaultText({ name, type, defaultValue, isRequired }: ParamInfo): string {
  if (name === 'symbol') return 'default: the first tape'
  if (defaultValue !== undefined) return `default: ${valueText(defaultValue)}`
  return isRequired ? `${type}, required` : type
}

/** Text as in `--param name=value`. */
const valueText = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json)

const jsonOf = ({ name, premise, params }: ListedStrategy): object => ({
  name,
  belief: premise,
  params: params.map(({ defaultValue, ...param }) => ({
    ...param,
    default: defaultValue === undefined ? null : (JSON.parse(defaultValue) as unknown),
  })),
})
