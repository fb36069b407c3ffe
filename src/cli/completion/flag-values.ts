/**
 * Values of flags: the names that one chooses from, and whether it takes a file.
 *
 * The names are those of the settings; here stand only flags that are not made of one, or take any text beside their
 * names.
 */
import { z } from 'zod'
import { CANDLE_INTERVAL_NAMES } from '../../domain/candle.ts'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import { EACH_READING } from '../../runtime/settings/tape-reading.ts'
import { OBJECTIVE_NAMES } from '../../runtime/sweep/objective.ts'
import { SEARCH_NAMES } from '../../runtime/sweep/point-search.ts'
import { EACH_EMULATOR_SETTING } from '../../server/emulator/emulator-settings.ts'
import { LIQUIDITY_NAMES } from '../../simulation/liquidity/liquidity-models.ts'
import { flagName } from '../flag-words.ts'
import { LOG_LEVELS } from '../serve/log-levels.ts'

/** By the name of the flag, which means the same under every command. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ...EACH_READING.map(([name, { form }]) => [flagName(name), namesIn(form.schema)] as const),
  ...EACH_TERM.map(([, { key, form }]) => [flagName(key), namesIn(form.schema)] as const),
  ...EACH_EMULATOR_SETTING.map(([name, { form }]) => [flagName(name), namesIn(form.schema)] as const),
  ['candle-interval', CANDLE_INTERVAL_NAMES],
  ['kind', ['depth', 'quotes']],
  ['liquidity', LIQUIDITY_NAMES],
  ['log-level', LOG_LEVELS],
  ['objective', OBJECTIVE_NAMES],
  ['search', SEARCH_NAMES],
])

const OF_FILES: ReadonlySet<string> = new Set([
  ...['cache', 'config', 'db', 'depth', 'liquidity', 'objective', 'out', 'packages', 'papertape', 'record', 'replay'],
  ...['state', 'tape'],
])

/** @param flag  without its hyphens */
export const namesBehind = (flag: string): readonly string[] => NAMES.get(flag) ?? []

/** Whether a file or a directory may stand there. @param flag  without its hyphens */
export const takesFile = (flag: string): boolean => OF_FILES.has(flag)

/** The texts that a schema chooses from. */
function namesIn(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  return schema instanceof z.ZodLiteral ? [...schema.values].map(String) : []
}
