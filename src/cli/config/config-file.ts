/**
 * Finds and reads `papertape.config.ts|js|json`: the named file, otherwise the one in the working directory, if any.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { duplicateKey } from '../../domain/json-keys.ts'
import { InputError } from '../../domain/errors.ts'
import { without } from '../../domain/without.ts'
import type { RiskOptions } from '../../run/backtest-options.ts'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import { importFile } from '../../runtime/strategies/strategy-file.ts'
import { printable } from '../../report/terminal-text.ts'
import { io } from '../cli-io.ts'
import type { FlagValues } from '../cli-command.ts'
import { single, type FlagText } from '../option-values.ts'
import { checkConfig, type BacktestConfig, withRiskTerms } from './backtest-config.ts'

/** Default names, in search order. */
export const CONFIG_FILES = ['papertape.config.ts', 'papertape.config.js', 'papertape.config.json']

/** @returns the path as named; undefined if there is no file */
export const configFileOf = (named: string | undefined): string | undefined =>
  named ?? CONFIG_FILES.find((name) => existsSync(name))

/** @throws {InputError} if the named file does not exist, or is not a valid config */
export async function readConfigFile(named: string | undefined): Promise<BacktestConfig> {
  const file = configFileOf(named)
  if (file === undefined) return {}
  const path = resolve(file)
  if (!existsSync(path)) throw new InputError('--config', `no such file '${file}'`)
  if (path.endsWith('.json')) return checkConfig(file, ...parseJson(file, path))
  const { exports } = await importFile(file, path)
  const { default: config } = exports
  if (config === undefined) throw new InputError(file, 'has no default export')
  return checkConfig(file, config)
}

/**
 * The config file of a command that runs strategies. Its parameters apply only to its own strategy; for others they are
 * dropped with a notice.
 *
 * @param strategies  named on the command line; none to run that of the file
 * @throws {InputError} as `readConfigFile`
 */
export async function readConfigOf(strategies: readonly string[], flags: FlagValues): Promise<BacktestConfig> {
  return configOf(await readConfigFile(single('--config', flags.config as FlagText)), strategies, flags)
}

/** The settings of a run that varies one strategy, and that strategy. */
export interface VariedConfig {
  readonly file: BacktestConfig
  /** Undefined for that of the file. */
  readonly strategy: string | undefined
}

/**
 * The config file of a command that varies one strategy. One of a list is named as there, and has its parameters and
 * limits, and the whole credit.
 *
 * @throws {InputError} as `readConfigOf`, and if it does not say which one of several
 */
export async function readVariedConfig(
  where: string,
  strategy: string | undefined,
  flags: FlagValues,
): Promise<VariedConfig> {
  const file = await readConfigFile(single('--config', flags.config as FlagText))
  const { strategies = [], ...rest } = file
  const listed = strategies.filter(({ name, use }) => (name ?? use) === strategy || use === strategy)
  const found =
    listed.find(({ name, use }) => (name ?? use) === strategy) ?? (listed.length === 1 ? listed[0] : undefined)
  if (found !== undefined) {
    const { use, params, limits } = found
    const own = withRiskTerms('strategies', { ...without(rest, 'rebalance'), strategy: use, params, limits })
    return { file: ofOne(own, [use]), strategy: use }
  }
  if (strategies.length > 0 && (strategy === undefined || listed.length > 0)) {
    const names = strategies.map(({ name, use }) => name ?? use).join(', ')
    throw new InputError(where, `varies one strategy, and the config file lists several: name one of ${names}`)
  }
  return { file: configOf(file, strategy === undefined ? [] : [strategy], flags), strategy }
}

function configOf(config: BacktestConfig, strategies: readonly string[], flags: FlagValues): BacktestConfig {
  const named = single('--config', flags.config as FlagText)
  const file = ofOne(config, strategies)
  const { strategy, params, live, paper } = file
  for (const named of strategies) refuseListed(named, file)
  const isOther = strategies.every((each) => strategy !== undefined && resolve(each) !== resolve(strategy))
  if (!isOther || strategies.length === 0 || strategy === undefined) return file
  if (
    (flags.quiet ?? file.quiet) !== true &&
    [params, live?.params, paper?.params].some((each) => each !== undefined)
  ) {
    const line = `${configFileOf(named) ?? ''}: params are for '${strategy}', so '${strategies.join("', '")}' runs without them`
    io.stderr.write(`${printable(line)}\n`)
  }
  return { ...file, params: undefined, live: withoutParams(live), paper: withoutParams(paper) }
}

/** The limits of all strategies together are those of one that runs alone. */
function ofOne(file: BacktestConfig, strategies: readonly string[]): BacktestConfig {
  const { walletRisk, ...rest } = file
  if (walletRisk === undefined || strategies.length !== 1) return file
  const keys = EACH_TERM.flatMap(([name, { key, option }]) =>
    option.startsWith('risk.') ? [[key, walletRisk[name as keyof RiskOptions]] as const] : [],
  )
  const given = keys.filter(([key, value]) => value !== undefined && rest[key] === undefined)
  return { ...rest, ...Object.fromEntries(given) }
}

/** Strategies of a list run together, so none is chosen by its name there. */
function refuseListed(named: string, { strategies = [] }: BacktestConfig): void {
  if (!strategies.some(({ name, use }) => name === named && use !== named)) return
  const why = `'${named}' is in the list of the config file, whose strategies run together: leave out the name, or name a file`
  throw new InputError('strategy', why)
}

const withoutParams = (section: BacktestConfig['live']): BacktestConfig['live'] =>
  section === undefined ? undefined : { ...section, params: undefined }

/** Parsed value and source text. */
function parseJson(file: string, path: string): readonly [unknown, string] {
  // Some editors write a byte order mark.
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InputError(file, error instanceof Error ? error.message : 'not JSON', { cause: error })
  }
  const twice = duplicateKey(text)
  if (twice !== undefined) throw new InputError(`${file}:${twice.line}`, `the key '${twice.key}' appears twice`)
  return [value, text]
}
