/**
 * The settings of an emulator, each with its type and description, from which flags and option checks are derived.
 *
 * A new setting needs a row here, a field in `EmulatorOptions`, and code that uses it.
 */
import { z } from 'zod'
import { InputError } from '../../domain/errors.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { anyText, integer, onOrOff, unixMs, type Form, type TextForm } from '../../runtime/settings/form.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { seedForm } from '../../runtime/settings/run-terms.ts'

/** Replay speeds; `max` is as fast as possible. */
export const REPLAY_SPEEDS = [1, 10, 'max'] as const

/** Replay speed as a multiple of the recorded speed, or `max`. */
export type ReplaySpeed = (typeof REPLAY_SPEEDS)[number]

const MAX_PORT = 65_535
/** Characters allowed in a header. */
const TOKEN = /^[\x21-\x7e]+$/

const tokenForm: TextForm<string> = {
  schema: z.string().regex(TOKEN, 'expected printable ASCII characters without spaces'),
  ofText: (place, text) => {
    if (TOKEN.test(text)) return text
    throw new InputError(place, 'expected printable ASCII characters without spaces')
  },
}

const ORIGIN = /^(?:\*|https?:\/\/[a-z0-9.:[\]-]+)$/
const ORIGIN_WORDS = 'expected an origin such as http://localhost:3000, or *'

const originForm: TextForm<string> = {
  schema: z.string().regex(ORIGIN, ORIGIN_WORDS),
  ofText: (place, text) => {
    if (ORIGIN.test(text)) return text
    throw new InputError(place, ORIGIN_WORDS)
  },
}

const speedForm: TextForm<ReplaySpeed> = {
  schema: z.literal(REPLAY_SPEEDS),
  ofText: (place, text) => {
    const known = REPLAY_SPEEDS.find((each) => String(each) === text)
    if (known !== undefined) return known
    throw new InputError(place, `expected ${REPLAY_SPEEDS.join(', ')}, got '${text}'`)
  },
}

const mirrorForm: TextForm<string> = {
  schema: serviceUrlForm.schema,
  ofText: (place, text) => {
    if (/^https?:/i.test(text)) return serviceUrlForm.ofText(place, text)
    throw new InputError(
      place,
      worded`expected the URL of a service, got '${text}'; play a recording with ${setting('replay')}`,
    )
  },
}

/** Unix milliseconds; as text an ISO 8601 date. */
const startForm: TextForm<number> = {
  schema: unixMs,
  ofText: (place, text) => {
    const parsed = parseIsoTime(text)
    if (parsed?.exact && parsed.time >= 0) return parsed.time
    throw new InputError(place, `expected a date from 1970 on, such as 2024-01-01, got '${text}'`)
  },
}

/** Heading of a flag in the help. */
export type EmulatorSettingGroup = 'address' | 'world' | 'time'

export interface EmulatorSetting<Given> {
  readonly group: EmulatorSettingGroup
  /** Help text of the flag, including the default. */
  readonly words: string
  readonly form: Form<Given>
}

const row = <Given>(group: EmulatorSettingGroup, form: Form<Given>, words: string): EmulatorSetting<Given> => ({
  group,
  form,
  words,
})

/** Settings by option name. */
const EMULATOR_SETTINGS = {
  port: row('address', integer(0, MAX_PORT), 'port to listen on; 0 picks a free port'),
  host: row('address', anyText, 'address to listen on (default: 127.0.0.1); a public address requires --admin-token'),
  adminToken: row('address', tokenForm, 'token that requests to /emulator must send, as authorization: Bearer TOKEN'),
  cors: row('address', originForm, 'origin of web pages allowed to read responses and streams, or * (default: none)'),
  state: row('world', anyText, 'file to save the exchange in (default: memory only)'),
  mirror: row('world', mirrorForm, 'follow the markets and trades of a live service, such as https://example.com/v1'),
  world: row('world', anyText, 'file of an exported snapshot to continue from, with its markets and users'),
  speed: row('world', speedForm, 'replay speed: 1 (default), 10 or max'),
  virtualClock: row('time', onOrOff, 'move time only by POST /emulator/clock; ids and keys depend only on --seed'),
  start: row('time', startForm, 'start of the virtual clock, ISO 8601 (default: 2024-01-01)'),
  seed: row('time', seedForm, '32-bit seed of the simulated traders and of a virtual clock (default: 1)'),
} as const

type Settings = typeof EMULATOR_SETTINGS
export type EmulatorSettingName = keyof Settings

/** Given settings. */
export type GivenEmulatorSettings = {
  readonly [Name in EmulatorSettingName]?:
    (Settings[Name] extends EmulatorSetting<infer Given> ? Given : never) | undefined
}

export const EACH_EMULATOR_SETTING = Object.entries(EMULATOR_SETTINGS) as readonly (readonly [
  EmulatorSettingName,
  EmulatorSetting<unknown>,
])[]

/** @throws {InputError} naming the first invalid setting */
export function checkForms(given: GivenEmulatorSettings): void {
  for (const [name, { form }] of EACH_EMULATOR_SETTING) {
    const value = given[name]
    if (value === undefined) continue
    const { error } = form.schema.safeParse(value)
    if (error !== undefined) throw new InputError(setting(name), error.issues[0]?.message ?? 'is invalid')
  }
}
