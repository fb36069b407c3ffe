/**
 * The end of a help text: the parameters of the strategy that is named in the command line, or the ready strategies.
 */

/** @returns text for the end of the help; empty when no help is asked for */
export async function strategyHelp(args: readonly string[]): Promise<string> {
  const [command, reference] = args
  if (!['backtest', 'sweep'].includes(command ?? '') || !args.some((arg) => arg === '--help' || arg === '-h')) return ''
  const { readyStrategies } = await import('../../runtime/strategies/ready-strategies.ts')
  if (reference === undefined || reference.startsWith('-')) return `Ready strategies: ${readyStrategies().join(', ')}`
  const { loadStrategy } = await import('../../runtime/strategies/strategy-file.ts')
  const { paramInfos } = await import('../../runtime/strategies/params.ts')
  const { strategy } = await loadStrategy(reference)
  const lines = paramInfos(strategy).map(({ name, type, description, defaultValue, isRequired }) => {
    const given = name === 'symbol' ? '[default: of the first tape]' : defaultText(defaultValue, isRequired)
    return ['', `--param ${name}=`.padEnd(24), description, `[${type}]`, given].join('  ').trimEnd()
  })
  return [`Parameters of ${strategy.name}:`, ...lines].join('\n')
}

function defaultText(value: string | undefined, isRequired: boolean): string {
  if (value !== undefined) return `[default: ${value}]`
  return isRequired ? '[required]' : ''
}
