/** The options of a program as the settings of a run: checked, nothing coerced, every default filled in. */
import { InputError } from '../domain/errors.ts'
import { parseFeeRate } from '../domain/market.ts'
import { nearestNameHint } from '../domain/nearest-name.ts'
import { setting, SettingName } from '../domain/setting-name.ts'
import type { GivenParts } from '../runtime/backtest/prepared-backtest.ts'
import type { BacktestSettings } from '../runtime/settings/backtest-settings.ts'
import { serviceUrlForm } from '../runtime/settings/live-settings.ts'
import { FORMER_NAMES, renamed } from '../runtime/settings/former-terms.ts'
import {
  currentNames,
  EACH_TERM,
  placeOf,
  resolveTerms,
  type GivenTerms,
  type RunTerms,
} from '../runtime/settings/run-terms.ts'
import { EACH_BOOK_READING, EACH_READING, resolveReading, type TapeReading } from '../runtime/settings/tape-reading.ts'
import type { LiquidityFactory } from '../simulation/liquidity/liquidity-models.ts'
import type { BookTapeSource, TapeSource } from '../import/tape-source.ts'
import type { SeriesSource } from '../tape/series-info.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { BacktestOptions } from './backtest-options.ts'
import type { SetRiskTerms } from '../runtime/settings/risk-limits.ts'

type Fields = Readonly<Record<string, unknown>>

export interface AskedBacktest {
  readonly settings: BacktestSettings
  readonly given: GivenParts
}

const OPTIONS = [
  ...[
    'strategy',
    'params',
    'paramTexts',
    'tapes',
    'books',
    'series',
    'credits',
    'bounds',
    'null',
    'robustness',
    'onRepeat',
    'out',
    'db',
    'force',
    'keepRows',
    'signal',
    'onReading',
    'onProgress',
    'onLog',
  ],
  ...new Set(EACH_TERM.map(([, { option }]) => option.split('.')[0] ?? '')),
]

/** Options of a group, such as `orderMs` of `latency`. */
const optionsIn = (group: string): readonly string[] =>
  EACH_TERM.flatMap(([, { option }]) => (option.startsWith(`${group}.`) ? [option.slice(group.length + 1)] : []))

/** @throws {InputError} naming the invalid option */
export function settingsOfOptions(options: BacktestOptions): AskedBacktest {
  const fields = currentNames(objectAt('options', options), 'option', setting)
  checkKeys('', fields, OPTIONS)
  checkSaveOptions(fields.db)
  const { strategy } = fields
  const isNamed = typeof strategy === 'string'
  if (!isNamed && (typeof strategy !== 'object' || strategy === null)) {
    throw new InputError(setting('strategy'), 'expected a strategy, the name of a ready one, or a file')
  }
  const liquidity = liquidityFields(fields.liquidity)
  const terms = givenTerms({ ...fields, ...liquidity.fields })
  return {
    settings: {
      strategy: isNamed ? strategy : '',
      params: optionalRecord('params', fields.params),
      paramTexts: textRecord('paramTexts', fields.paramTexts),
      tapes:
        fields.tapes === undefined && fields.books !== undefined ? [] : sourcesOf('tapes', fields.tapes, EACH_READING),
      books: fields.books === undefined ? [] : booksOf(fields.books),
      ...(fields.series !== undefined && { series: seriesOf(fields.series) }),
      credit: textRecord('credits', fields.credits),
      ...resolveTerms(terms),
    },
    given: { strategy: isNamed ? undefined : (strategy as Strategy), liquidity: liquidity.given },
  }
}

function checkSaveOptions(db: unknown): void {
  if (db === undefined) return
  if (typeof db !== 'object' || db === null || !('file' in db) || !('now' in db)) {
    throw new InputError(setting('db'), 'expected { file, now }')
  }
  checkKeys('db.', db, ['file', 'now', 'onBusy', 'isCounted'])
  if (typeof db.file !== 'string' || db.file === '') throw new InputError(setting('db.file'), 'expected a path')
  const { isCounted } = db as { isCounted?: unknown }
  if (isCounted !== undefined && typeof isCounted !== 'boolean') {
    throw new InputError(setting('db.isCounted'), 'expected true or false')
  }
  if (typeof db.now !== 'function') throw new InputError(setting('db.now'), 'expected a clock such as Date.now')
}

interface LiquidityFields {
  readonly fields: { readonly liquidity: unknown; readonly 'liquidity.': Fields }
  readonly given: LiquidityFactory | undefined
}

/** A name, a model factory, or an object with either and its terms. */
function liquidityFields(liquidity: unknown): LiquidityFields {
  const isObject = typeof liquidity === 'object' && liquidity !== null
  const placeOf = (name: string): SettingName => setting(`liquidity.${name}`)
  const more = isObject ? currentNames(liquidity as Fields, 'option', placeOf, 'liquidity.') : {}
  checkKeys('liquidity.', more, ['model', ...optionsIn('liquidity')])
  const model = isObject ? more.model : liquidity
  const isGiven = typeof model === 'function'
  return {
    fields: { liquidity: isGiven ? undefined : model, 'liquidity.': more },
    given: isGiven ? (model as LiquidityFactory) : undefined,
  }
}

/** The terms as they were said, each in its form. */
function givenTerms(fields: Fields): GivenTerms {
  for (const group of ['fees', 'latency', 'risk'])
    checkKeys(`${group}.`, optionalRecord(group, fields[group]), optionsIn(group))
  const given = EACH_TERM.map(([name, { option, form }]) => {
    const value = valueAt(fields, option)
    return [name, value === undefined ? undefined : checked(option, form.schema.safeParse(value))] as const
  })
  return Object.fromEntries(given)
}

/**
 * The given fees, liquidity model and limits as terms of a run that has others.
 *
 * @throws {InputError} naming an unknown or invalid option
 */
export function changedTerms(
  before: RunTerms,
  { fees, liquidity, risk }: Pick<BacktestOptions, 'fees' | 'risk'> & { readonly liquidity?: string | undefined },
): Partial<RunTerms> {
  const given = Object.entries(givenTerms({ fees, liquidity, risk })).filter(([, value]) => value !== undefined)
  const names = given.map(([name]) => name)
  const limits = RISK_TERMS.flatMap(([name]) => (before[name] === null ? [] : [[name, before[name]]]))
  const terms = resolveTerms(Object.fromEntries([...limits, ...given]) as GivenTerms)
  for (const name of ['makerFeeBps', 'takerFeeBps'] as const) parseFeeRate(placeOf(name), terms[name])
  return Object.fromEntries(Object.entries(terms).filter(([name]) => names.includes(name)))
}

const RISK_TERMS = EACH_TERM.filter(([, { option }]) => option.startsWith('risk.'))

/**
 * The limits of all strategies together that are on; undefined if none is.
 *
 * @param given  as in `risk` of a backtest
 * @throws {InputError} naming an unknown or invalid limit
 */
export function walletRiskTerms(given: unknown): SetRiskTerms | undefined {
  const risk = optionalRecord('walletRisk', given)
  checkKeys('walletRisk.', risk, optionsIn('risk'))
  for (const [name, { form }] of RISK_TERMS) {
    if (risk[name] !== undefined) checked(`walletRisk.${name}`, form.schema.safeParse(risk[name]))
  }
  const terms = resolvedRisk(risk)
  const on = RISK_TERMS.flatMap(([name]) => (terms[name] === null ? [] : [[name, terms[name]]]))
  return on.length === 0 ? undefined : (Object.fromEntries(on) as SetRiskTerms)
}

function resolvedRisk(risk: GivenTerms): RunTerms {
  const ofWallet = ({ path, value }: SettingName): SettingName =>
    new SettingName(path.replace(/^risk\./, 'walletRisk.'), value)
  try {
    return resolveTerms(risk)
  } catch (error) {
    throw error instanceof InputError ? error.renamed(ofWallet) : error
  }
}

/** @throws {InputError} unless it is the base URL of a service */
export function checkServiceUrl(url: unknown): void {
  if (url === undefined)
    throw new InputError(setting('url'), 'missing: pass the base URL of the service, such as http://127.0.0.1:8080/v1')
  checked('url', serviceUrlForm.schema.safeParse(url))
}

/** A strategy of a session, with its parameters next to it. */
function checkGivenStrategy(option: string, given: unknown): void {
  const strategy = typeof given === 'object' && given !== null && 'strategy' in given ? given.strategy : undefined
  if (typeof strategy === 'string' || (typeof strategy === 'object' && strategy !== null)) return
  throw new InputError(setting(option), "expected an object with the strategy, such as { strategy: 'sma-cross' }")
}

interface KnownOptions {
  readonly names: readonly string[]
  /** Present name by the former one. */
  readonly former: ReadonlyMap<string, string>
  readonly terms: typeof EACH_TERM
}

/**
 * Validates the options of a real-time session, with its terms under `terms`.
 *
 * @returns the options under their current names
 * @throws {InputError} naming an unknown or invalid option
 */
export function sessionOptions<Options extends object>(
  options: Options,
  { names, former, terms }: KnownOptions,
): Options {
  const fields = renamed(objectAt('options', options), former, setting)
  checkKeys('', fields, names)
  checkServiceUrl(fields.url)
  if (names.includes('apiKey') && (typeof fields.apiKey !== 'string' || fields.apiKey === ''))
    throw new InputError(setting('apiKey'), 'missing: pass the API key of the account')
  if (fields.strategy !== undefined) checkGivenStrategy('strategy', fields.strategy)
  const { strategies = names.includes('strategy') ? [] : undefined } = fields
  if (!Array.isArray(strategies)) throw new InputError(setting('strategies'), 'expected a list of strategies')
  strategies.forEach((each, index) => {
    checkGivenStrategy(`strategies.${index}`, each)
  })
  const given = renamed(optionalRecord('terms', fields.terms), FORMER_NAMES, (name) => setting(`terms.${name}`))
  checkKeys(
    'terms.',
    given,
    terms.map(([name]) => name),
  )
  for (const [name, { form }] of terms) {
    if (given[name] !== undefined) checked(`terms.${name}`, form.schema.safeParse(given[name]))
  }
  return { ...fields, terms: given } as unknown as Options
}

function valueAt(fields: Fields, option: string): unknown {
  const [head = '', key] = option.split('.')
  if (key === undefined) return fields[head]
  return optionalRecord(head, head === 'liquidity' ? fields['liquidity.'] : fields[head])[key]
}

interface Parsed {
  readonly data?: unknown
  readonly error?:
    { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] } | undefined
}

function checked(option: string, { data, error }: Parsed): unknown {
  if (error === undefined) return data
  const [issue] = error.issues
  throw new InputError(
    setting([option, ...(issue?.path ?? [])].map(String).join('.')),
    issue?.message ?? 'not as expected',
  )
}

/** @param readings  options allowed besides the file */
function sourcesOf(option: string, sources: unknown, readings: typeof EACH_READING): readonly TapeSource[] {
  const sourceAt = (at: string, source: unknown, symbol?: string): TapeSource =>
    sourceOf(`${option}.${at}`, source, symbol, readings)
  if (Array.isArray(sources)) return sources.map((source: unknown, index) => sourceAt(String(index), source))
  const bySymbol = objectAt(option, sources)
  return Object.entries(bySymbol).flatMap(([symbol, files]) =>
    [files].flat().map((source: unknown) => sourceAt(symbol, source, symbol)),
  )
}

/** @throws {InputError} for one that does not say its market */
function booksOf(books: unknown): readonly BookTapeSource[] {
  const sources = sourcesOf('books', books, EACH_BOOK_READING)
  const unnamed = sources.find(({ symbol }) => symbol === undefined)
  if (unnamed === undefined) return sources
  throw new InputError(setting('books'), `expected the symbol of ${unnamed.file}: write SYMBOL=${unnamed.file}`)
}

export const seriesOf = (series: unknown): readonly SeriesSource[] =>
  Object.entries(textRecord('series', series)).map(([name, file]) => ({ name, file }))

function sourceOf(
  option: string,
  source: unknown,
  symbol: string | undefined,
  readings: typeof EACH_READING,
): TapeSource {
  const { file, ...said } = typeof source === 'string' ? { file: source } : objectAt(option, source)
  if (typeof file !== 'string') throw new InputError(setting(`${option}.file`), 'expected the path of a file')
  checkKeys(`${option}.`, said, ['file', ...readings.map(([name]) => name)])
  if (symbol !== undefined && said.symbol !== undefined && said.symbol !== symbol) {
    throw new InputError(setting(`${option}.symbol`), `expected '${symbol}', as the tape is called`)
  }
  const given = readings.map(([name, { form }]): readonly [keyof TapeReading, unknown] => {
    const value = said[name]
    return [name, value === undefined ? undefined : checked(`${option}.${name}`, form.schema.safeParse(value))] as const
  })
  return { file, ...resolveReading({ ...Object.fromEntries(given), ...(symbol !== undefined && { symbol }) }) }
}

function objectAt(option: string, value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new InputError(setting(option), `expected an object, got ${value === null ? 'null' : typeof value}`)
}

const optionalRecord = (option: string, value: unknown): Fields => (value === undefined ? {} : objectAt(option, value))

/** Texts by name. */
function textRecord(option: string, value: unknown): Readonly<Record<string, string>> {
  const fields = optionalRecord(option, value)
  for (const [name, text] of Object.entries(fields)) {
    if (typeof text !== 'string')
      throw new InputError(setting(`${option}.${name}`), `expected a string, got ${typeof text}`)
  }
  return fields as Readonly<Record<string, string>>
}

function checkKeys(prefix: string, fields: Fields, known: readonly string[]): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw new InputError(setting(`${prefix}${unknown}`), `no such option${nearestNameHint(unknown, known)}`)
}
