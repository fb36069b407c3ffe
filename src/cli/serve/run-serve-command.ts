/**
 * `papertape serve`, after its flags are parsed: starts the server, prints its addresses, and ends after a signal or a
 * failure.
 */
import { readFileSync, statSync } from 'node:fs'
import type { Logger } from 'pino'
import { InputError, InvariantError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import type { BookTapeSource } from '../../import/tape-source.ts'
import { choice } from '../../runtime/settings/form.ts'
import { version } from '../../runtime/version.ts'
import type { EmulatorConfigInput } from '../../server/emulator/emulator-config.ts'
import type { EmulatorOptions } from '../../server/emulator/emulator-options.ts'
import {
  EACH_EMULATOR_SETTING,
  type GivenEmulatorSettings,
  tokenForm,
} from '../../server/emulator/emulator-settings.ts'
import { type Emulator, startEmulator } from '../../server/emulator/emulator.ts'
import { parseStrictJson } from '../../server/envelope/strict-json.ts'
import type { AnsweredRequest } from '../../server/http/answered-request.ts'
import { givenAdminToken, TOKEN_VARIABLE } from '../api-key.ts'
import { namedFile } from '../backtest/backtest-options-of.ts'
import { io } from '../cli-io.ts'
import { EXIT, exitCodeOf } from '../exit-code.ts'
import { flagName } from '../flag-words.ts'
import { type FlagText, several, single } from '../option-values.ts'
import { onEndSignals } from '../until-signalled.ts'
import { DEFAULT_PORT, LOG_LEVELS, type LogLevel } from './serve-flags.ts'
import { serverLog } from './server-log.ts'

/** Emulator options from the flags of `papertape serve`. */
export interface ServeSettings {
  readonly options: EmulatorOptions
  /** Admin token that the command line shows already. */
  readonly shownToken: string | null
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
      adminToken: adminTokenOf(given.adminToken, values),
      port: given.port ?? DEFAULT_PORT,
      replay: several('--replay', values.replay as FlagText).map(namedFile),
      depth: several('--depth', values.depth as FlagText).map(namedBook),
      ...(configName === undefined
        ? {}
        : { configName, config: readJsonFile('--config', configName) as EmulatorConfigInput }),
    },
    shownToken: given.adminToken ?? null,
    isJson: values.json === true,
    logLevel: logLevel === undefined ? 'warn' : choice(LOG_LEVELS).ofText('--log-level', logLevel),
  }
}

/**
 * Admin token of a flag, or of a file or the environment, where other users of the machine do not see it.
 *
 * @param given  by its flag
 */
function adminTokenOf(given: string | undefined, values: FlagValues): string | undefined {
  const file = single('--admin-token-file', values['admin-token-file'] as FlagText)
  if (file === undefined) {
    if (given !== undefined) return given
    const token = givenAdminToken()
    return token === undefined ? undefined : tokenForm.ofText(TOKEN_VARIABLE, token)
  }
  if (given !== undefined) {
    throw new InputError('--admin-token-file', 'cannot be combined with --admin-token')
  }
  try {
    return tokenForm.ofText(file, readFileSync(file, 'utf8').trim())
  } catch (error) {
    if (error instanceof InputError) throw error
    throw new InputError('--admin-token-file', `'${file}' cannot be read (${thrownText(error)})`, { cause: error })
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

/** @param place  of the error for a missing file */
export function readJsonFile(place: string, file: string): unknown {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new InputError(place, `no such file '${file}'`)
  }
  try {
    const whole = readFileSync(file)
    // Some editors write a byte order mark.
    const bytes = whole.subarray(whole.indexOf('\u{feff}') === 0 ? 3 : 0)
    // JSON.parse has the better message for invalid JSON; the strict parser finds what JSON.parse accepts.
    JSON.parse(bytes.toString())
    return parseStrictJson(bytes)
  } catch (error) {
    throw new InputError(file, error instanceof Error ? error.message : 'not JSON', { cause: error })
  }
}

/** Maximum wait for remaining handles after the server is closed, such as pending requests. */
const LAST_MS = 500

/** The line printed by `--json`. @param adminToken  if the command line has it; one of a file stays there */
function serverLine(emulator: Emulator, options: EmulatorOptions, adminToken: string | null): string {
  const { baseUrl, streamUrl, emulatorUrl, windowUrl, users } = emulator
  return `${JSON.stringify({ baseUrl, streamUrl, emulatorUrl, windowUrl, adminToken, mirror: options.mirror ?? null, users })}\n`
}

type Row = readonly [name: string, value: string]

/** The same as text for people. */
function serverLines(emulator: Emulator, options: EmulatorOptions): string {
  const { baseUrl, streamUrl, emulatorUrl, windowUrl, users } = emulator
  const rows: readonly Row[] = [
    ['REST', baseUrl],
    ['stream', streamUrl],
    ['window', windowUrl],
    ['emulator', emulatorUrl],
    ['markets', `${symbolsOf(emulator)}, ${tradedBy(emulator, options)}`],
    ['state', options.state ?? 'in memory only (use --state FILE to keep it)'],
    ...users.flatMap(({ id, email, keys }) => [
      [
        'user',
        `${id}, ${email}${keys.length === 0 ? `; create an API key with POST ${emulatorUrl}/users/${id}/keys` : ', API key (shown only once):'}`,
      ] as const,
      ...keys.map((key): Row => ['key', key]),
    ]),
  ]
  const lines = rows.map(([name, value]) => `${name.padEnd(10)}${value}`)
  return [`papertape ${version()} is running; press Ctrl-C to stop`, '', ...lines, ''].join('\n')
}

export const symbolsOf = ({ markets }: Pick<Emulator, 'markets'>): string =>
  markets.map(({ symbol }) => symbol).join(', ')

/** Source of the trades. */
function tradedBy(
  { hasAgents }: Emulator,
  { replay = [], depth = [], mirror, speed = 1, virtualClock = false }: EmulatorOptions,
): string {
  if (mirror !== undefined) return `following ${mirror}`
  const time = virtualClock ? '; move time with POST /emulator/clock' : ''
  if (replay.length > 0) {
    const pace = virtualClock ? '' : speed === 'max' ? ' at full speed' : ` at ${speed}x`
    return `replayed from ${[...replay, ...depth].map(({ file }) => file).join(', ')}${pace}${time}`
  }
  return `${hasAgents ? 'traded by simulated agents' : 'no agents'}${time}`
}

/**
 * Serves until a signal or a failure.
 *
 * @param values  flags as parsed by yargs
 * @returns       the exit code
 * @throws {InputError} for invalid options or unusable files
 */
export const serveUntilStopped = (values: FlagValues): Promise<number> =>
  runServer(serveSettingsOf(values), startEmulator, (emulator, { options, shownToken, isJson }) =>
    isJson ? serverLine(emulator, options, shownToken) : serverLines(emulator, options),
  )

/** A server that can be stopped. */
type Running = Pick<Emulator, 'addedMarkets' | 'baseUrl' | 'close' | 'setAside'>

/**
 * Runs a server until a signal or a failure.
 *
 * @param textOf  printed once it listens
 * @returns       the exit code
 */
export async function runServer<Server extends Running>(
  settings: ServeSettings,
  start: (options: EmulatorOptions) => Promise<Server>,
  textOf: (server: Server, settings: ServeSettings) => string,
): Promise<number> {
  const { options, logLevel } = settings
  const log = serverLog(logLevel, options.adminToken)
  const ending = new Ending(log)
  const starting = start({
    ...options,
    onNotice: (message) => {
      log.warn(message)
    },
    onError: (error, requestId) => {
      log.error({ err: error, requestId }, 'internal error')
    },
    onFailure: ending.onFailure,
    onAnswer: log.isLevelEnabled('debug') ? answerLog(log) : undefined,
  })
  const emulator = await Promise.race([starting, ending.end])
  if ('code' in emulator) {
    // A service to mirror may not answer for long.
    io.life.endWithin(0, emulator.code)
    return emulator.code
  }
  const { addedMarkets } = emulator
  if (addedMarkets.length > 0) log.warn({ markets: addedMarkets }, 'markets were added to the state')
  io.stdout.write(textOf(emulator, settings))
  io.life.outliveOutput()
  log.info({ baseUrl: emulator.baseUrl }, 'serving')
  const { code, error } = await ending.end
  await emulator.close()
  if (error !== undefined) report(error, emulator, log)
  log.info('stopped')
  io.life.endWithin(LAST_MS, code)
  return code
}

const answerLog =
  (log: Logger) =>
  (answer: AnsweredRequest): void => {
    log.debug(answer, 'answered')
  }

interface End {
  /** Exit code. */
  readonly code: number
  /** The failure that ended the server; undefined after a signal. */
  readonly error?: unknown
}

/** Waits for a signal or a failure. */
class Ending {
  readonly end: Promise<End>
  readonly #log: Logger
  #report: (end: End) => void = () => undefined

  constructor(log: Logger) {
    this.#log = log
    this.end = new Promise((resolve) => {
      this.#report = resolve
    })
    onEndSignals({
      first: (signal) => {
        this.#log.info({ signal }, 'stopping')
        this.#report({ code: EXIT.done })
      },
    })
  }

  readonly onFailure = (error: unknown): void => {
    this.#log.fatal({ err: error }, 'fatal error, stopping')
    this.#report({ code: exitCodeOf(error), error })
  }
}

/** Prints the reason for the end on stderr, regardless of the log level. */
function report(error: unknown, emulator: Running, log: Logger): void {
  const isOurs = error instanceof InvariantError
  const text = isOurs ? (error.stack ?? error.message) : String(error).replace(/^\w*Error: /, '')
  io.stderr.write(`${text}\n`)
  if (!isOurs) return
  const aside = emulator.setAside()
  log.fatal({ file: aside }, 'the state was saved for a bug report')
  io.stderr.write(`the state was saved in ${aside}\n`)
}
