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
import { isHash, isReadableHash } from '../http/token-proof.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { seedForm } from '../../runtime/settings/run-terms.ts'

/** Replay speeds; `max` is as fast as possible. */
export const REPLAY_SPEEDS = [1, 10, 'max'] as const

/** Replay speed as a multiple of the recorded speed, or `max`. */
export type ReplaySpeed = (typeof REPLAY_SPEEDS)[number]

const MAX_PORT = 65_535
/** Characters allowed in a header. */
const TOKEN = /^[\x21-\x7e]+$/

const TOKEN_WORDS = 'expected printable ASCII characters without spaces'
const HASH_WORDS = 'begins with $ but is not a hash of `papertape emulator hash-token`'

const tokenFault = (text: string): string | undefined => {
  if (!TOKEN.test(text)) return TOKEN_WORDS
  return isHash(text) && !isReadableHash(text) ? HASH_WORDS : undefined
}

/** A token, or its hash. */
export const tokenForm: TextForm<string> = {
  schema: z
    .string()
    .refine((text) => tokenFault(text) !== HASH_WORDS, HASH_WORDS)
    .regex(TOKEN, TOKEN_WORDS),
  ofText: (place, text) => {
    const fault = tokenFault(text)
    if (fault === undefined) return text
    throw new InputError(place, fault)
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
  host: row(
    'address',
    anyText,
    'address to listen on (default: 127.0.0.1); a public one requires a token, and TLS or a proxy',
  ),
  adminToken: row(
    'address',
    tokenForm,
    'token that requests to /emulator must send, or its hash; others see it, so prefer a file',
  ),
  tlsCert: row('address', anyText, 'file of a certificate (PEM), for https and wss; needs --tls-key'),
  tlsKey: row('address', anyText, 'file of the key of the certificate (PEM)'),
  behindProxy: row('address', anyText, 'addresses of a proxy that encrypts, such as 127.0.0.1,10.0.0.0/8'),
  cors: row('address', originForm, 'origin of web pages allowed to read responses and streams, or * (default: none)'),
  auditLog: row('address', anyText, 'file to append changes, joins, wrong tokens and wrong keys to'),
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
