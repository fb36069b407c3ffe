/**
 * The flags of `papertape serve` as options of an emulator.
 */
import { readFileSync, statSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'
import type { EmulatorConfigInput } from '../../server/emulator/emulator-config.ts'
import { REPLAY_SPEEDS, type EmulatorOptions, type ReplaySpeed } from '../../server/emulator/emulator-options.ts'
import { parseStrictJson } from '../../server/envelope/strict-json.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { namedFile } from '../backtest/backtest-options-of.ts'
import { integer, oneOf, several, single, type FlagText } from '../option-values.ts'
import type { SERVE_FLAGS } from './serve-flags.ts'
import { LOG_LEVELS, type LogLevel } from './server-log.ts'

export interface ServeSettings {
  readonly options: EmulatorOptions
  readonly isJson: boolean
  readonly logLevel: LogLevel
}

type Flag = keyof typeof SERVE_FLAGS

const DEFAULT_PORT = 8080
const MOST_PORT = 65_535
const MAX_SEED = 2 ** 31 - 1
/** What a header can carry. */
const TOKEN = /^[\x21-\x7e]+$/

/**
 * Reads the flags.
 *
 * @param values  what yargs has made of them
 * @throws {InputError} naming the flag that is not as it should be, or that makes no sense beside another
 */
export function serveSettingsOf(values: Readonly<Record<string, unknown>>): ServeSettings {
  const read = <T>(flag: Flag, reader: (name: string, value: string) => T): T | undefined => {
    const value = single(`--${flag}`, values[flag] as FlagText)
    return value === undefined ? undefined : reader(`--${flag}`, value)
  }
  const asText = (_: string, value: string): string => value
  const configName = read('config', asText)
  const options: EmulatorOptions = {
    port: read('port', (name, value) => integer(name, value, 0, MOST_PORT)) ?? DEFAULT_PORT,
    host: read('host', asText) ?? '127.0.0.1',
    adminToken: read('admin-token', token),
    state: read('state', asText),
    replay: several('--replay', values.replay as FlagText).map(namedFile),
    speed: read('speed', speed),
    ...(configName === undefined ? {} : { configName, config: readConfig(configName) }),
    seed: read('seed', (name, value) => integer(name, value, -MAX_SEED - 1, MAX_SEED)),
    virtualClock: values['virtual-clock'] === true,
    start: read('start', startTime),
  }
  return {
    options,
    isJson: values.json === true,
    logLevel: read('log-level', (name, value) => oneOf(name, value, LOG_LEVELS)) ?? 'warn',
  }
}

function token(name: string, value: string): string {
  if (TOKEN.test(value)) return value
  throw new InputError(name, 'expected visible ASCII characters without blanks')
}

function speed(name: string, value: string): ReplaySpeed {
  const known = REPLAY_SPEEDS.find((each) => String(each) === value)
  if (known !== undefined) return known
  throw new InputError(name, `expected ${REPLAY_SPEEDS.join(', ')}, got '${value}'`)
}

function startTime(name: string, value: string): number {
  const parsed = parseIsoTime(value)
  if (parsed?.exact && parsed.time >= 0) return parsed.time
  throw new InputError(name, `expected a date from 1970 on, such as 2024-01-01, got '${value}'`)
}

/** What is in the file, which the emulator checks. */
function readConfig(file: string): EmulatorConfigInput {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new InputError('--config', `no such file '${file}'`)
  }
  try {
    const bytes = readFileSync(file)
    // The words of the first for what is no JSON at all, the second for what a lenient reader would swallow.
    JSON.parse(bytes.toString())
    return parseStrictJson(bytes) as EmulatorConfigInput
  } catch (error) {
    throw new InputError(file, error instanceof Error ? error.message : 'not JSON', { cause: error })
  }
}
