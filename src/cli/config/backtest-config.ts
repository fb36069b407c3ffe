/**
 * The config file, `papertape.config.ts|js|json`: the settings of a backtest, which its flags override, and a section
 * for each real-time command. Secrets are refused.
 */
import { z } from 'zod'
import type { RiskOptions } from '../../run/backtest-options.ts'
import { InputError } from '../../domain/errors.ts'
import { jsonKeys } from '../../domain/json-keys.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { without } from '../../domain/without.ts'
import { expected } from '../../runtime/settings/form.ts'
import { rebalanceSchema, type RebalanceOptions } from '../../runtime/settings/rebalance-terms.ts'
import { renamed } from '../../runtime/settings/former-terms.ts'
import { currentNames, EACH_TERM, rateLimits } from '../../runtime/settings/run-terms.ts'
import { EACH_BOOK_READING, EACH_READING, type GivenReading } from '../../runtime/settings/tape-reading.ts'
import { serviceUrlForm } from '../../runtime/settings/live-settings.ts'
import { TURN_LIMIT_WORDS, turnLimitForm } from '../thread/turn-limit.ts'
import type { TurnLimit } from '../../runtime/turn-watch.ts'
import {
  isSectionName,
  SECTIONS,
  LIMIT_TERMS,
  limitShape,
  limitValue,
  listedStrategy,
  riskOf,
  type StrategyConfig,
} from './session-sections.ts'

const reading = Object.fromEntries(
  EACH_READING.map(([name, { form, words }]) => [name, form.schema.optional().describe(words)]),
)
const terms = Object.fromEntries(
  EACH_TERM.map(([, { key, form, words }]) => [key, form.schema.optional().describe(words)]),
)

const tapeFile = z.strictObject({ file: z.string().describe('CSV or CSV.gz'), ...reading })
const tape = z.union([z.string(), tapeFile], expected("'[SYMBOL=]FILE' or { file, symbol, ... }"))

const depthFile = z.strictObject({
  file: z.string().describe('CSV or JSON, or either compressed'),
  ...Object.fromEntries(
    EACH_BOOK_READING.map(([name, { form, words }]) => [name, form.schema.optional().describe(words)]),
  ),
})
const depth = z.union([z.string(), depthFile], expected("'SYMBOL=FILE' or { file, symbol, ... }"))

const termSchema = (wanted: string): z.ZodType =>
  EACH_TERM.find(([name]) => name === wanted)?.[1].form.schema ?? z.never()

/** Risk limits of the run by the names that they have in the list of strategies. */
const riskLimits = z.strictObject(limitShape)

const limits = z
  .union([z.boolean(), rateLimits, riskLimits], expected('true, false, or the limits'))
  .optional()
  .describe(
    'risk limits, such as { "dayLoss": "200" }, of all strategies together; or the rate limits of the service: true (default), false, or { general, mutations, windowSeconds }',
  )

/** Settings of a backtest by their flags. */
const ofBacktest = {
  tape: z
    .union([tape, z.array(tape)], expected("'[SYMBOL=]FILE', { file, symbol, ... }, or a list of these"))
    .optional()
    .describe('recorded market: [SYMBOL=]FILE, or { file, symbol, ... } with its own settings, or a list of these'),
  depth: z
    .union(
      [depth, z.array(depth)],
      expected(
        "'SYMBOL=FILE', { file, symbol, ... }, or a list of these (for the size of simulated levels use 'levelSize')",
      ),
    )
    .optional()
    .describe('recorded order book or quotes of a market: SYMBOL=FILE, or { file, symbol, ... }, or a list of these'),
  series: z
    .record(z.string(), z.string())
    .optional()
    .describe('files with the strategy\'s own data by the name that it asks for, such as { "fear-greed": "fng.csv" }'),
  ...reading,
  credit: z
    .record(z.string(), z.string())
    .optional()
    .describe('initial balances, a decimal string by asset (default: 10000 of the quote asset)'),
  ...terms,
  limits,
  bounds: z
    .boolean()
    .optional()
    .describe('if a resting order filled, also run under the best-case and worst-case fill models (default)'),
  out: z.string().optional().describe('directory for the files of the run'),
  force: z.boolean().optional().describe('overwrite an earlier backtest in that directory'),
  db: z.string().optional().describe('database (SQLite file) to save the run in, such as papertape.db'),
  countTrials: z.boolean().optional().describe('count the run as a trial in that database (default)'),
  json: z.boolean().optional().describe('print the report as one line of JSON'),
  quiet: z.boolean().optional().describe('print only errors'),
  turnLimit: turnLimitForm.schema.optional().describe(TURN_LIMIT_WORDS),
}

const backtestSection = z.strictObject({
  tapes: z
    .record(z.string(), z.union([z.string(), tapeFile], expected('a file, or { file, ... }')))
    .optional()
    .describe('recorded markets by symbol, such as { "BTC_USD": "data/btc_usd.csv.gz" }, instead of `tape`'),
  fees: z
    .strictObject({
      makerBps: termSchema('makerFeeBps').optional().describe('fee of resting orders, in basis points'),
      takerBps: termSchema('takerFeeBps').optional().describe('fee of taking orders, in basis points'),
    })
    .optional()
    .describe('instead of `makerFee` and `takerFee`'),
  ...ofBacktest,
})

const backtestConfig = z.strictObject({
  $schema: z
    .string()
    .optional()
    .describe('schema of this file, for editors: ./node_modules/papertape/config.schema.json'),
  strategy: z.string().optional().describe('name of a ready strategy, or a TypeScript or JavaScript file'),
  params: z.record(z.string(), z.unknown()).optional().describe('parameters of the strategy'),
  strategies: z
    .array(listedStrategy)
    .min(1, 'expected at least one strategy')
    .optional()
    .describe('several strategies on one wallet, instead of `strategy` and `params`'),
  rebalance: rebalanceSchema
    .optional()
    .describe(
      'moves free quote asset between the strategies at given times, such as { "rule": "equal", "every": "1w" }',
    ),
  ...ofBacktest,
  url: serviceUrlForm.schema.optional().describe('base URL of the service that live, paper and record use'),
  backtest: backtestSection.optional().describe('settings of papertape backtest and sweep; they win over those above'),
  live: SECTIONS.live.optional().describe('settings of papertape live; they win over those above'),
  paper: SECTIONS.paper.optional().describe('settings of papertape paper; they win over those above'),
  record: SECTIONS.record.optional().describe('settings of papertape record; they win over those above'),
})

/** JSON Schema of a config file, the content of `config.schema.json`. */
export const configJsonSchema = (): object => ({
  ...z.toJSONSchema(backtestConfig, { io: 'input', target: 'draft-7' }),
  title: 'papertape.config.json',
})

export type TapeConfig = string | ({ readonly file: string } & GivenReading)

/** Terms of the run by key, each in its own type. */
export interface BacktestConfig extends GivenReading {
  readonly [key: string]: unknown
  readonly strategy?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly strategies?: readonly StrategyConfig[] | undefined
  readonly tape?: TapeConfig | readonly TapeConfig[] | undefined
  readonly depth?: TapeConfig | readonly TapeConfig[] | undefined
  /** Files by name. */
  readonly series?: Readonly<Record<string, string>> | undefined
  /** Decimal strings by asset. */
  readonly credit?: Readonly<Record<string, string>> | undefined
  readonly bounds?: boolean | undefined
  readonly out?: string | undefined
  readonly force?: boolean | undefined
  readonly db?: string | undefined
  readonly countTrials?: boolean | undefined
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
  /** Time limit for a turn of the strategy and for loading it, in seconds. */
  readonly turnLimit?: TurnLimit | undefined
  /** Limits of all strategies of the list together, by the names of their terms. */
  readonly walletRisk?: RiskOptions | undefined
  /** When and how capital moves between the strategies of the list. */
  readonly rebalance?: RebalanceOptions | undefined
  readonly backtest?: Readonly<Record<string, unknown>> | undefined
  readonly live?: Readonly<Record<string, unknown>> | undefined
  readonly paper?: Readonly<Record<string, unknown>> | undefined
  readonly record?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Validates the content of a config file.
 *
 * @param json  source text, if errors can name its lines
 * @throws {InputError} at the first unknown or invalid key
 */
export function checkConfig(where: string, value: unknown, json?: string): BacktestConfig {
  const parsed = backtestConfig.safeParse(withCurrentNames(where, value))
  if (parsed.success) {
    const { strategy, params, strategies, rebalance } = parsed.data
    if (rebalance !== undefined && strategies === undefined)
      throw new InputError(`${where} rebalance`, "is for several strategies: list them under 'strategies'")
    if (strategies === undefined) return withRiskTerms(where, parsed.data)
    if ((strategy ?? params) === undefined) return withWalletRisk(parsed.data)
    throw new InputError(where, "has 'strategies' and also 'strategy' or 'params': give each strategy its own params")
  }
  const [first] = parsed.error.issues
  if (first === undefined) throw new InputError(where, 'not a config')
  const issue = issueOfLimits(innermost(first), value)
  const key = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const line = json === undefined ? undefined : lineOf(json, key === undefined ? issue.path : [...issue.path, key])
  const place = [line === undefined ? where : `${where}:${line}`, ...issue.path].join(' ')
  throw key === undefined ? new InputError(place, issue.message) : unknownKey(place, key, issue.path)
}

/**
 * The settings of a backtest: its section over those of all commands.
 *
 * @throws {InputError} for a setting given twice
 */
export function backtestSettings(file: BacktestConfig): BacktestConfig {
  const { backtest = {}, ...shared } = file
  const isList = file.strategies !== undefined
  const { tapes, fees, ...own } = isList ? withWalletRisk(backtest) : withRiskTerms('backtest', backtest)
  const { makerBps, takerBps } = (fees ?? {}) as Readonly<Record<string, unknown>>
  for (const [twin, other] of [
    ['tapes', 'tape'],
    ['fees', 'makerFee'],
    ['fees', 'takerFee'],
  ] as const) {
    if (backtest[twin] !== undefined && backtest[other] !== undefined)
      throw new InputError('backtest', `has '${twin}' and also '${other}': leave out one of them`)
  }
  return {
    ...shared,
    ...own,
    ...(tapes !== undefined && {
      tape: Object.entries(tapes as TapesBySymbol).map(([symbol, each]) => tapeAs(symbol, each)),
    }),
    ...(makerBps !== undefined && { makerFee: makerBps }),
    ...(takerBps !== undefined && { takerFee: takerBps }),
  }
}

type TapesBySymbol = Readonly<Record<string, TapeConfig>>

const tapeAs = (symbol: string, tape: TapeConfig): TapeConfig =>
  typeof tape === 'string' ? { file: tape, symbol } : { ...tape, symbol }

/** Risk limits under `limits` become the terms that they are. @throws {InputError} for a limit that is given twice */
export function withRiskTerms(where: string, config: BacktestConfig): BacktestConfig {
  const parsed = riskLimits.safeParse(config.limits)
  if (!parsed.success) return config
  const others: BacktestConfig = without(config, 'limits')
  const risk = Object.entries(parsed.data).map(([name, value]) => {
    const { key } = EACH_TERM.find(([term]) => term === LIMIT_TERMS[name as keyof typeof LIMIT_TERMS])?.[1] ?? {
      key: name,
    }
    if (others[key] !== undefined)
      throw new InputError(where, `has the limit '${name}' and also '${key}': leave out one of them`)
    return [key, limitValue(value, name)] as const
  })
  return { ...others, ...Object.fromEntries(risk) }
}

/** Risk limits under `limits` next to a list of strategies are those of all together. */
function withWalletRisk(config: BacktestConfig): BacktestConfig {
  const parsed = riskLimits.safeParse(config.limits)
  if (!parsed.success) return config
  return { ...without(config, 'limits'), walletRisk: riskOf({ limits: parsed.data }) }
}

/** Former keys, besides those of terms. */
const FORMER_KEYS: ReadonlyMap<string, string> = new Map([['ledger', 'countTrials']])
const FORMER_LIVE_KEYS: ReadonlyMap<string, string> = new Map([['settleMs', 'reconcileMs']])

/** The content with current keys, sections included. */
function withCurrentNames(where: string, value: unknown): unknown {
  if (!isObject(value)) return value
  const { paper, live } = value
  return {
    ...renamed(
      currentNames(value, 'key', (name) => `${where} ${name}`),
      FORMER_KEYS,
      (name) => `${where} ${name}`,
    ),
    ...(isObject(paper) && { paper: currentNames(paper, 'key', (name) => `${where} paper ${name}`) }),
    ...(isObject(live) && { live: renamed(live, FORMER_LIVE_KEYS, (name) => `${where} live ${name}`) }),
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Issue = z.core.$ZodIssue

/**
 * The most specific error of a union: that of the alternative that matches furthest. An unknown key says more than the
 * missing key that it causes.
 */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().map((each) => innermost({ ...each, path: [...issue.path, ...each.path] }))
  const depth = ({ code, path }: Issue): number => path.length + (code === 'unrecognized_keys' ? 2 : 0)
  return inner.reduce<Issue>((best, each) => (depth(each) > depth(best) ? each : best), issue)
}

/** The error of the kind of limits to which the keys belong, because a union may report that of the other. */
function issueOfLimits(issue: Issue, value: unknown): Issue {
  const at = issue.path.indexOf('limits')
  const given = at === -1 ? undefined : valueAt(value, issue.path.slice(0, at + 1))
  if (!isObject(given) || issue.path[0] === 'strategies') return issue
  const isRate = Object.keys(given).some((key) => Object.hasOwn(rateLimits.shape, key))
  const issues = (isRate ? rateLimits : riskLimits).safeParse(given).error?.issues ?? []
  const first = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  return first === undefined ? issue : innermost({ ...first, path: [...issue.path.slice(0, at + 1), ...first.path] })
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((inner, key) => (isObject(inner) ? inner[String(key)] : undefined), value)

function lineOf(json: string, path: readonly PropertyKey[]): number | undefined {
  const wanted = JSON.stringify(path)
  for (const { key, path: outer, line } of jsonKeys(json)) if (JSON.stringify([...outer, key]) === wanted) return line
  return undefined
}

function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const [top] = path
  if (top === undefined) return Object.keys(backtestConfig.shape)
  if (top === 'rebalance') return Object.keys(rebalanceSchema.shape)
  if (top === 'strategies')
    return path.at(-1) === 'limits' ? Object.keys(LIMIT_TERMS) : Object.keys(listedStrategy.shape)
  if (path.at(-1) === 'limits') return [...Object.keys(LIMIT_TERMS), ...Object.keys(rateLimits.shape)]
  if (top === 'backtest')
    return Object.keys(path.at(-1) === 'fees' ? { makerBps: 0, takerBps: 0 } : backtestSection.shape)
  if (isSectionName(top)) return Object.keys(SECTIONS[top].shape)
  return Object.keys(top === 'depth' ? depthFile.shape : tapeFile.shape)
}

const SECRET = /key$|secret|token|password|notify/i

function unknownKey(where: string, key: string, path: readonly PropertyKey[]): InputError {
  const section = Object.keys(SECTIONS).find((name) => isSectionName(name) && Object.hasOwn(SECTIONS[name].shape, key))
  if (path.length === 0 && section !== undefined) {
    return new InputError(where, `unknown key '${key}' here; move it into '${section}'`)
  }
  const remedy = SECRET.test(key)
    ? '; a config file has no secrets: set PAPERTAPE_API_KEY in the environment or in .env, and pass --notify as a flag'
    : nearestNameHint(key, keysAt(path))
  return new InputError(where, `unknown key '${key}'${remedy}`)
}
