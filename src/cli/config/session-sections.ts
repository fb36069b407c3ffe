/**
 * Sections of a config file: settings of `live`, `paper` and `record` that a backtest lacks or has with another value.
 *
 * A setting outside of a section applies to every command that has it; the section takes precedence.
 */
import type { RiskOptions } from '../../run/backtest-options.ts'
import { z } from 'zod'
import { anyText, duration, expected, onOrOff, type TextForm } from '../../runtime/settings/form.ts'
import {
  EACH_LIVE_SETTING,
  EACH_LIVE_TERM,
  type LiveSettingGroup,
  serviceUrlForm,
} from '../../runtime/settings/live-settings.ts'
import type { RebalanceOptions } from '../../runtime/settings/rebalance-terms.ts'
import { EACH_TERM } from '../../runtime/settings/run-terms.ts'
import type { FlagValues } from '../cli-command.ts'
import { DB_FLAG } from '../shared-flags.ts'
import { WINDOW_ROW } from '../window-port.ts'
import { type SettingRows, shapeOfRows } from './setting-rows.ts'

const marketsForm: TextForm<string | string[]> = {
  schema: z.union([z.string(), z.array(z.string())], expected("'BTC_USD,ETH_USD', or a list of markets")),
  ofText: (_, text) => text,
}

export const RECORD_PLACE_ROWS: SettingRows = {
  url: { words: 'base URL of the service, such as http://127.0.0.1:8080/v1', form: serviceUrlForm },
  symbols: { words: 'markets to record, separated by commas', form: marketsForm },
  db: { words: DB_FLAG.describe ?? '', form: anyText },
  out: {
    words: 'record into this directory instead, one CSV file per market; existing recordings are continued',
    form: anyText,
  },
}

export const RECORD_OUTPUT_ROWS: SettingRows = {
  json: { words: 'print only JSON lines on stdout', form: onOrOff },
  quiet: { words: 'print only errors and warnings', form: onOrOff },
}

/** Every setting of `record` that a config file can hold. */
export const RECORD_ROWS: SettingRows = { ...RECORD_PLACE_ROWS, ...RECORD_OUTPUT_ROWS }

export const PAPER_GROUPS = { service: 'Service:', terms: 'Terms of the run:', output: 'Output:' } as const

/** A paper session starts when the command starts. */
export const PAPER_TERMS = EACH_TERM.filter(([name]) => name !== 'from' && name !== 'to')

/** Settings that a session on paper shares with a live one. */
const liveRows = (group: keyof typeof PAPER_GROUPS, ...names: readonly string[]): SettingRows =>
  Object.fromEntries(
    EACH_LIVE_SETTING.flatMap(([name, { words, form }]) =>
      names.includes(name) ? [[name, { words, form, group: PAPER_GROUPS[group] }]] : [],
    ),
  )

export const PAPER_SERVICE_ROWS: SettingRows = {
  ...liveRows('service', 'url', 'symbol'),
  for: {
    words: 'how long to run, such as 90s, 30m or 8h (default: until Ctrl-C)',
    form: duration,
    group: PAPER_GROUPS.terms,
  },
}

const PAPER_STATE_ROW: SettingRows = {
  state: {
    words: 'directory of a state to continue: balances, orders, limits; takes the commands of operators',
    form: anyText,
    group: PAPER_GROUPS.output,
  },
}

export const PAPER_TERM_ROWS: SettingRows = Object.fromEntries(
  PAPER_TERMS.map(([, { key, words, form, option }]) => [key, { words, form, option, group: PAPER_GROUPS.terms }]),
)

export const PAPER_OUTPUT_ROWS: SettingRows = {
  ...PAPER_STATE_ROW,
  ...liveRows('output', 'out', 'record', 'received', 'nightly'),
  window: WINDOW_ROW,
  json: { words: 'print only JSON lines on stdout', form: onOrOff, group: PAPER_GROUPS.output },
  quiet: { words: 'print only errors and warnings', form: onOrOff, group: PAPER_GROUPS.output },
}

/** Every setting of `paper` that a config file can hold. */
export const PAPER_ROWS: SettingRows = { ...PAPER_SERVICE_ROWS, ...PAPER_TERM_ROWS, ...PAPER_OUTPUT_ROWS }

export const LIVE_GROUPS: Readonly<Record<LiveSettingGroup | 'reading' | 'terms' | 'risk' | 'output', string>> = {
  service: 'Service:',
  orders: 'Orders:',
  files: 'Files:',
  reading: 'Terms of the run:',
  terms: 'Terms of the run:',
  risk: 'Risk:',
  output: 'Output:',
}

/** Defaults that are others in a live session than in a backtest. */
const OTHER_DEFAULTS: Readonly<Record<string, string>> = { onLimit: 'wait', collarPercent: '10' }

const liveWords = (name: string, words: string): string => {
  const fallback = OTHER_DEFAULTS[name]
  return fallback === undefined ? words : words.replace(/ \(default: .*\)$/, ` (default: ${fallback})`)
}

export const LIVE_SETTING_ROWS: SettingRows = Object.fromEntries(
  EACH_LIVE_SETTING.map(([name, { group, words, form }]) => [name, { words, form, group: LIVE_GROUPS[group] }]),
)

export const LIVE_TERM_ROWS: SettingRows = Object.fromEntries(
  EACH_LIVE_TERM.map(([name, { key, option, group, words, form }]) => [
    key,
    { words: liveWords(name, words), form, group: LIVE_GROUPS[group], option },
  ]),
)

export const LIVE_OUTPUT_ROWS: SettingRows = {
  window: WINDOW_ROW,
  json: { words: 'print only JSON lines on stdout, one per event', form: onOrOff, group: LIVE_GROUPS.output },
}

/** Every setting of `live` that a config file can hold. */
export const LIVE_ROWS: SettingRows = { ...LIVE_SETTING_ROWS, ...LIVE_TERM_ROWS, ...LIVE_OUTPUT_ROWS }

const FILE_FORM = "'telegram:CHAT_ID', 'discord' or 'mailto:ADDRESS' (pass an http address as a flag: it can be secret)"
const notSecret = z.string().regex(/^(?:telegram:.+|discord|mailto:.+)$/, expected(FILE_FORM))

const textOrList = (each: z.ZodType<string>, form: string): TextForm<string | string[]> => ({
  schema: z.union([each, z.array(each)], expected(form)),
  ofText: (_, text) => text,
})

/** Settings of a config file; the flags can be repeated. */
export const NOTIFY_ROWS: SettingRows = {
  notify: {
    words:
      'report starts, states, halts, twins and ends to URL, telegram:CHAT_ID, discord or mailto:ADDRESS; repeatable',
    form: textOrList(notSecret, `${FILE_FORM}, or a list of these`),
  },
  notifyFills: { words: 'with --notify, also report fills to telegram, discord and mailto', form: onOrOff },
  telegramAllow: {
    words: "another chat that may send commands to the bot of --notify, or 'off' for none; repeatable",
    form: textOrList(z.string(), "a chat id, a list of these, or 'off'"),
  },
}

const params = z.record(z.string(), z.unknown()).optional().describe('parameters of the strategy, over those above')
const credit = z.record(z.string(), z.string()).optional().describe('initial balances, a decimal string by asset')

export const SERIES_WORDS =
  "the strategy's own data, NAME=FILE: CSV or JSON with a column 'timestamp', read on as rows are added; repeatable"

const series = z
  .record(z.string(), z.string())
  .optional()
  .describe('files with the own data of the strategies by the name that they ask for; new rows are read as they come')

export const SECTIONS = {
  live: z.strictObject({ params, series, ...shapeOfRows({ ...LIVE_ROWS, ...NOTIFY_ROWS }) }),
  paper: z.strictObject({ params, series, credit, ...shapeOfRows({ ...PAPER_ROWS, ...NOTIFY_ROWS }) }),
  record: z.strictObject(shapeOfRows(RECORD_ROWS)),
} as const

export type SectionName = keyof typeof SECTIONS

export const isSectionName = (name: PropertyKey): name is SectionName => Object.hasOwn(SECTIONS, name)

/**
 * Settings that apply only to a backtest if they are outside of a section: its directory, database, and tape market.
 */
const NOT_SHARED: readonly string[] = ['out', 'db', 'symbol']

/** The settings of a file for one command. */
export interface SessionConfig {
  readonly strategy: string | undefined
  readonly strategies: readonly StrategyConfig[] | undefined
  /** Limits of all strategies of the list together. */
  readonly walletRisk: RiskOptions | undefined
  /** When and how capital moves between the strategies of the list. */
  readonly rebalance: RebalanceOptions | undefined
  /** Values by key. */
  readonly values: Readonly<Record<string, unknown>>
  readonly credit: Readonly<Record<string, string>> | undefined
  /** Files by name. */
  readonly series: Readonly<Record<string, string>> | undefined
  /** Parameters, without `symbol` if the flag `--symbol` is given. */
  paramsBeside(flags: FlagValues): Readonly<Record<string, unknown>>
}

type Given = Readonly<Record<string, unknown>>

/** The parts of a config file used here. */
type FileConfig = Given &
  Readonly<Partial<Record<SectionName | 'params', Given | undefined>>> & {
    readonly strategy?: string | undefined
    readonly strategies?: readonly StrategyConfig[] | undefined
    readonly walletRisk?: RiskOptions | undefined
    readonly rebalance?: RebalanceOptions | undefined
  }

export function sessionConfig(file: FileConfig, name: SectionName): SessionConfig {
  const section = file[name] ?? {}
  const isShared = (key: string): boolean =>
    Object.hasOwn(SECTIONS[name].shape, key) && !NOT_SHARED.includes(key) && !isSectionName(key)
  const shared = Object.fromEntries(Object.entries(file).filter(([key]) => isShared(key)))
  // A deployment has one service, which need not be named again for paper and record.
  const service = file.live?.url === undefined ? {} : { url: file.live.url }
  const values: Given = { ...service, ...shared, ...section }
  return {
    strategy: file.strategy,
    strategies: file.strategies,
    walletRisk: file.walletRisk,
    rebalance: file.rebalance,
    values,
    credit: values.credit as SessionConfig['credit'],
    series: values.series as SessionConfig['series'],
    paramsBeside: ({ symbol }) => {
      const all: Readonly<Record<string, unknown>> = { ...file.params, ...(section.params as object | undefined) }
      return symbol === undefined ? all : Object.fromEntries(Object.entries(all).filter(([key]) => key !== 'symbol'))
    },
  }
}

/** Name in `limits` of a strategy, and of the term. */
export const LIMIT_TERMS = {
  order: 'maxOrder',
  position: 'maxPosition',
  collarPercent: 'collarPercent',
  ordersPerMinute: 'ordersPerMinute',
  dayLoss: 'dayLoss',
  drawdownPercent: 'drawdownPercent',
  atLimit: 'atLimit',
} as const

/** Each limit with the form of its term; a percentage may also be a number. */
export const limitShape = Object.fromEntries(
  Object.entries(LIMIT_TERMS).map(([name, term]) => {
    const row = EACH_TERM.find(([each]) => each === term)?.[1]
    const schema = row?.form.schema ?? z.never()
    const form = name.endsWith('Percent') ? z.union([schema, z.number()], expected("a percentage, or 'off'")) : schema
    return [name, form.optional().describe(row?.words ?? '')]
  }),
)

/** Value of a limit as its term has it. */
export const limitValue = (value: unknown, name: string): unknown =>
  name.endsWith('Percent') && typeof value === 'number' ? String(value) : value

export const listedStrategy = z.strictObject({
  use: z.string().describe('name of a ready strategy, or a TypeScript or JavaScript file'),
  name: z.string().optional().describe('unique name (default: that of the strategy)'),
  params: z.record(z.string(), z.unknown()).optional().describe('parameters of the strategy'),
  capital: z
    .union(
      [z.strictObject({ share: z.number() }), z.strictObject({ amount: z.string() })],
      expected("{ share: 0.5 } or { amount: '5000' }"),
    )
    .optional()
    .describe('part of the credit, or of the live account (default: an equal part of what the others leave)'),
  limits: z.strictObject(limitShape).optional().describe('risk limits, checked against the book of this strategy'),
})

/** A strategy of the list. */
export interface StrategyConfig {
  readonly use: string
  readonly name?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly capital?: { readonly share: number } | { readonly amount: string } | undefined
  readonly limits?: Readonly<Partial<Record<keyof typeof LIMIT_TERMS, unknown>>> | undefined
}

/** The limits of a strategy as options. */
export const riskOf = ({ limits = {} }: Pick<StrategyConfig, 'limits'>): RiskOptions =>
  Object.fromEntries(
    Object.entries(LIMIT_TERMS).flatMap(([name, term]) => {
      const value = limits[name as keyof typeof LIMIT_TERMS]
      return value === undefined ? [] : [[term, limitValue(value, name)]]
    }),
  )
