/**
 * Settings of a live session beside the terms of a run, each with its form and its help text; flags and checks of
 * options are derived from them.
 *
 * A new setting needs a row here, and the code that uses it.
 */
import { z } from 'zod'
import { knownLengthMs } from '../../domain/candle-length.ts'
import { InputError, type Place } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { anyText, choice, duration, integer, onOrOff, orOff, readLength, type Form, type TextForm } from './form.ts'
import { EACH_TERM, resolveTerms, type GivenTerms, type RunTerms, type TermName } from './run-terms.ts'
import { LIVE_COLLAR_PERCENT } from './risk-limits.ts'

const LONGEST_SETTLE_MS = 3_600_000
const LONGEST_TIMEOUT_MS = 300_000

/** An error does not repeat the text, which may contain a key. */
function plainUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return undefined
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return isPlain ? url.href.replace(/\/+$/, '') : undefined
}

const URL_EXPECTED =
  'expected an http or https URL such as http://127.0.0.1:8080/v1, without a user, a query or a fragment; a key goes into PAPERTAPE_API_KEY'

/** Without a trailing slash. */
export const serviceUrlForm: TextForm<string> = {
  schema: z
    .string()
    .refine((text) => plainUrl(text) !== undefined, URL_EXPECTED)
    .transform((text) => plainUrl(text) ?? text),
  ofText: (place: Place, text: string) => {
    const url = plainUrl(text)
    if (url !== undefined) return url
    throw new InputError(place, URL_EXPECTED)
  },
}

/** Group of a setting's flag in the help. */
export type LiveSettingGroup = 'service' | 'orders' | 'files' | 'terms'

export interface LiveSetting<Given> {
  readonly group: LiveSettingGroup
  /** Text in the help of the flag, including the default. */
  readonly words: string
  readonly form: Form<Given>
}

const row = <Given>(group: LiveSettingGroup, form: Form<Given>, words: string): LiveSetting<Given> => ({
  group,
  form,
  words,
})

/** A length of time, kept as it is written. */
const lengthText: TextForm<string> = {
  schema: z.string().refine((text) => knownLengthMs(text) !== undefined, 'expected a length such as 90s, 10m or 2h'),
  ofText: (place, text) => {
    readLength(place, text)
    return text
  },
}

/** Milliseconds of `wait`. */
export function waitMsOf(wait: string | undefined): number | undefined {
  if (wait === undefined) return undefined
  return wait === 'off' ? 0 : readLength(setting('wait'), wait)
}

/** Settings by the name of the option. */
const LIVE_SETTINGS = {
  url: row('service', serviceUrlForm, 'base URL of the service, such as http://127.0.0.1:8080/v1'),
  symbol: row(
    'service',
    anyText,
    'market of strategies that have a symbol parameter (default: the only market of the service)',
  ),
  timeoutMs: row('service', integer(100, LONGEST_TIMEOUT_MS), 'request timeout in milliseconds (default: 10000)'),
  wait: row(
    'service',
    orOff(lengthText),
    'how long to wait at the start for a service that does not answer, such as 10m; off means five tries (default: 10m if orders are open or waiting, otherwise off)',
  ),
  reconcileMs: row(
    'orders',
    integer(0, LONGEST_SETTLE_MS),
    'milliseconds after which an order without a reply, missing from every list, is assumed not to exist (default: 30000; formerly --settle-ms)',
  ),
  uniqueQty: row('orders', onOrOff, 'reduce quantities by a few lots so that no two orders are identical'),
  stopTimeout: row(
    'orders',
    duration,
    'maximum time to shut down; orders that are not cancelled by then are listed (default: 30s)',
  ),
  keepOrders: row('orders', onOrOff, 'leave open orders on the service at the end, like --at-exit keep'),
  atExit: row(
    'orders',
    choice(['cancel', 'keep', 'flatten']),
    'what to do at the end: cancel the orders of the session, keep them, or flatten (cancel them and sell its position) (default: cancel)',
  ),
  out: row('files', anyText, 'directory to write the run to (default: a new one in your user data directory)'),
  record: row(
    'files',
    anyText,
    'record the trades of its markets into a database such as papertape.db, or into a directory with one file per market',
  ),
  received: row(
    'files',
    onOrOff,
    'keep the trades as they arrive in the directory of --out, for papertape twin (default: on; off with --no-received)',
  ),
  nightly: row(
    'files',
    onOrOff,
    'repeat the session as its own backtest after each midnight (UTC), like papertape twin, and report the gap; needs --out',
  ),
  state: row('files', anyText, 'directory for order state and the lock (default: one per account)'),
  shadow: row(
    'terms',
    anyText,
    'strategy to run on paper at the same time, on the same data, and to compare at the end: a file, or the name of a ready one',
  ),
} as const

type Settings = typeof LIVE_SETTINGS
export type LiveSettingName = keyof Settings

/** Given values of the settings. */
export type GivenLiveSettings = {
  readonly [Name in LiveSettingName]?: (Settings[Name] extends LiveSetting<infer Given> ? Given : never) | undefined
}

export const EACH_LIVE_SETTING = Object.entries(LIVE_SETTINGS) as readonly (readonly [
  LiveSettingName,
  LiveSetting<unknown>,
])[]

export const DEFAULT_TIMEOUT_MS = 10_000
export const DEFAULT_SETTLE_MS = 30_000
export const DEFAULT_STOP_TIMEOUT = '30s'

/** @throws {InputError} naming the first invalid one */
export function checkedLiveSettings(given: GivenLiveSettings): GivenLiveSettings {
  const checked = EACH_LIVE_SETTING.map(([name, { form }]) => {
    const value = given[name]
    if (value === undefined) return [name, undefined] as const
    const { data, error } = form.schema.safeParse(value)
    if (error !== undefined) throw new InputError(setting(name), error.issues[0]?.message ?? 'not as expected')
    return [name, data] as const
  })
  return Object.fromEntries(checked)
}

export type AtExit = 'cancel' | 'keep' | 'flatten'

/** @throws {InputError} if both are given and contradict each other */
export function atExitOf({ atExit, keepOrders }: Pick<GivenLiveSettings, 'atExit' | 'keepOrders'>): AtExit {
  if (keepOrders === true && atExit !== undefined && atExit !== 'keep') {
    throw new InputError(setting('atExit'), `'${atExit}' and --keep-orders exclude each other: pass one of them`)
  }
  return atExit ?? (keepOrders === true ? 'keep' : 'cancel')
}

/** The terms of a run that a live session supports; the service determines the others. */
const LIVE_TERM_NAMES = [
  'warmupMs',
  'makerFeeBps',
  'takerFeeBps',
  'onLimit',
  'rounding',
  'maxOrder',
  'maxPosition',
  'collarPercent',
  'ordersPerMinute',
  'dayLoss',
  'drawdownPercent',
  'atLimit',
  'statsPeriod',
  'periodsPerYear',
  'riskFreeRate',
  'seed',
] as const satisfies readonly TermName[]

export type GivenLiveTerms = Pick<GivenTerms, (typeof LIVE_TERM_NAMES)[number]>

const isLiveTerm = (name: TermName): boolean => (LIVE_TERM_NAMES as readonly TermName[]).includes(name)

export const EACH_LIVE_TERM = EACH_TERM.filter(([name]) => isLiveTerm(name))

/** With the defaults of a live session. */
export const liveTermsOf = (given: GivenLiveTerms): GivenLiveTerms => ({
  ...given,
  onLimit: given.onLimit ?? 'wait',
  collarPercent: given.collarPercent ?? LIVE_COLLAR_PERCENT,
})

/**
 * Disables simulated rate limits and latency, since the service has real ones.
 *
 * @throws {InputError} naming an invalid setting
 */
export const resolveLiveTerms = (given: GivenLiveTerms): RunTerms =>
  resolveTerms({ ...liveTermsOf(given), limits: false, orderLatencyMs: 0 })
