/** Emulator options from the flags of `papertape serve`. */
import { readFileSync, statSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'
import type { BookTapeSource } from '../../import/tape-source.ts'
import { setting } from '../../domain/setting-name.ts'
import { choice } from '../../runtime/settings/form.ts'
import type { EmulatorConfigInput } from '../../server/emulator/emulator-config.ts'
import type { EmulatorOptions } from '../../server/emulator/emulator-options.ts'
import { EACH_EMULATOR_SETTING, type GivenEmulatorSettings } from '../../server/emulator/emulator-settings.ts'
import { parseStrictJson } from '../../server/envelope/strict-json.ts'
import { namedFile } from '../backtest/backtest-options-of.ts'
import { flagName } from '../flag-words.ts'
import { several, single, type FlagText } from '../option-values.ts'
import { LOG_LEVELS, type LogLevel } from './log-levels.ts'
import { DEFAULT_PORT } from './serve-flags.ts'

export interface ServeSettings {
  readonly options: EmulatorOptions
  readonly isJson: boolean
  readonly logLevel: LogLevel
}

type FlagValues = Readonly<Record<string, unknown>>

/**
 * Converts the flags.
 *
 * @param values  flags as parsed by yargs
 * @throws {InputError} naming an invalid flag, or one that contradicts another
 */
export function serveSettingsOf(values: FlagValues): ServeSettings {
  const given = givenSettings(values)
  const configName = single('--config', values.config as FlagText)
  const logLevel = single('--log-level', values['log-level'] as FlagText)
  return {
    options: {
      ...given,
      port: given.port ?? DEFAULT_PORT,
      replay: several('--replay', values.replay as FlagText).map(namedFile),
      depth: several('--depth', values.depth as FlagText).map(namedBook),
      ...(configName === undefined ? {} : { configName, config: readConfig(configName) }),
    },
    isJson: values.json === true,
    logLevel: logLevel === undefined ? 'warn' : choice(LOG_LEVELS).ofText('--log-level', logLevel),
  }
}

/** @throws {InputError} without a symbol */
function namedBook(text: string): BookTapeSource {
  const { file, symbol } = namedFile(text)
  if (symbol === undefined) throw new InputError('--depth', `expected SYMBOL=FILE, got '${text}'`)
  return { file, symbol }
}

function givenSettings(values: FlagValues): GivenEmulatorSettings {
  const given = EACH_EMULATOR_SETTING.map(([name, { form }]) => {
    const flag = flagName(name)
    if (form.ofText === undefined) return [name, values[flag]] as const
    const text = single(`--${flag}`, values[flag] as FlagText)
    return [name, text === undefined ? undefined : form.ofText(setting(name), text)] as const
  })
  return Object.fromEntries(given)
}

/** Content of the file, which the emulator validates. */
function readConfig(file: string): EmulatorConfigInput {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new InputError('--config', `no such file '${file}'`)
  }
  try {
    const whole = readFileSync(file)
    // Some editors write a byte order mark.
    const bytes = whole.subarray(whole.indexOf('\u{feff}') === 0 ? 3 : 0)
    // JSON.parse has the better message for invalid JSON; the strict parser finds what JSON.parse accepts.
    JSON.parse(bytes.toString())
    return parseStrictJson(bytes) as EmulatorConfigInput
  } catch (error) {
    throw new InputError(file, error instanceof Error ? error.message : 'not JSON', { cause: error })
  }
}
