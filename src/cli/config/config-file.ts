/**
 * Finds and reads `papertape.config.ts|js|json`: the one that is named, else the one in the working directory, else none.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { duplicateKey } from '../../domain/json-keys.ts'
import { InputError } from '../../domain/errors.ts'
import { importFile } from '../../runtime/strategies/strategy-file.ts'
import { checkConfig, type BacktestConfig } from './backtest-config.ts'

/** In the order in which they are looked for. */
export const CONFIG_FILES = ['papertape.config.ts', 'papertape.config.js', 'papertape.config.json']

/** @returns as it is named; undefined where there is none */
export const configFileOf = (named: string | undefined): string | undefined =>
  named ?? CONFIG_FILES.find((name) => existsSync(name))

/** @throws {InputError} when the named file is not there, or what it holds is no config */
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

/** The value, and its text. */
function parseJson(file: string, path: string): readonly [unknown, string] {
  // Some editors begin a file with a mark of its byte order.
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
