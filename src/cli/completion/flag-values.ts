/**
 * Completions of flag values: enumerated names, and whether it takes a file.
 *
 * Names come from the settings; only flags without a setting, or with free text as well, are listed here.
 */
import { z } from 'zod'
import { CANDLE_INTERVAL_NAMES } from '../../domain/candle.ts'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import { EACH_READING } from '../../runtime/settings/tape-reading.ts'
import { OBJECTIVE_NAMES } from '../../sweep/objective.ts'
import { SEARCH_NAMES } from '../../sweep/point-search.ts'
import { EACH_EMULATOR_SETTING } from '../../server/emulator/emulator-settings.ts'
import { LIQUIDITY_NAMES } from '../../simulation/liquidity/liquidity-models.ts'
import { flagName } from '../flag-words.ts'
import { LOG_LEVELS } from '../serve/serve-flags.ts'

/** Names by flag, which has the same meaning under every command, or by command and flag. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ...EACH_READING.map(([name, { form }]) => [flagName(name), namesIn(form.schema)] as const),
  ...EACH_TERM.map(([, { key, form }]) => [flagName(key), namesIn(form.schema)] as const),
  ...EACH_EMULATOR_SETTING.map(([name, { form }]) => [flagName(name), namesIn(form.schema)] as const),
  ['candle-interval', CANDLE_INTERVAL_NAMES],
  ['kind', ['depth', 'quotes']],
  ['track kind', ['live', 'paper']],
  ['liquidity', LIQUIDITY_NAMES],
  ['log-level', LOG_LEVELS],
  ['objective', OBJECTIVE_NAMES],
  ['search', SEARCH_NAMES],
])

const OF_FILES: ReadonlySet<string> = new Set([
  ...[
    'admin-token-file',
    'audit-log',
    'cache',
    'config',
    'confirm-file',
    'db',
    'depth',
    'journal',
    'junit',
    'liquidity',
    'objective',
    'out',
    'packages',
    'papertape',
    'parquet',
    'record',
    'replay',
  ],
  ...['series', 'state', 'tape', 'tls-cert', 'tls-key', 'world'],
])

/** @param flag  without hyphens @param path  words of its command */
export const namesBehind = (flag: string, path: string): readonly string[] =>
  NAMES.get(`${path} ${flag}`) ?? NAMES.get(flag) ?? []

/** True if the value is a file or a directory. @param flag  without hyphens */
export const takesFile = (flag: string): boolean => OF_FILES.has(flag)

/** Values of an enumeration or literal schema. */
function namesIn(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  return schema instanceof z.ZodLiteral ? [...schema.values].map(String) : []
}
