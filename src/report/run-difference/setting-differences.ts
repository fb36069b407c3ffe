/**
 * Settings that differ between two runs.
 *
 * Invariant: a missing setting equals one that is off; settings that only one run can have are not compared.
 */
import {
  bothOf,
  fieldsAt,
  isFields,
  isLiveRun,
  listAt,
  type ComparedRun,
  type Fields,
  type Sides,
} from './run-trace.ts'
import { changedTerms } from '../run/fork-text.ts'
import { isoTime } from '../../domain/time.ts'
import { currentTerms } from '../../runtime/settings/former-terms.ts'
import { trimmed } from './request-text.ts'

/** Area that a setting influences. */
export type SettingGroup =
  'strategy' | 'fork' | 'start' | 'market-data' | 'latency' | 'fills' | 'fees' | 'risk' | 'limits' | 'version'

export interface SettingDifference {
  readonly setting: string
  readonly group: SettingGroup
  /** Values as text; null if not set. */
  readonly a: string | null
  readonly b: string | null
}

const GROUPS: Readonly<Record<string, SettingGroup>> = {
  version: 'version',
  strategy: 'strategy',
  params: 'strategy',
  fork: 'fork',
  seed: 'strategy',
  credit: 'start',
  markets: 'start',
  tape: 'market-data',
  series: 'market-data',
  live: 'market-data',
  feedLatencyMs: 'market-data',
  printFilter: 'market-data',
  from: 'market-data',
  to: 'market-data',
  orderLatencyMs: 'latency',
  responseLatencyMs: 'latency',
  makerFeeBps: 'fees',
  takerFeeBps: 'fees',
  maxOrder: 'risk',
  maxPosition: 'risk',
  collarPercent: 'risk',
  ordersPerMinute: 'risk',
  dayLoss: 'risk',
  drawdownPercent: 'risk',
  atLimit: 'risk',
  onLimit: 'limits',
  rounding: 'limits',
  limits: 'limits',
}

/** Settings of a simulation, meaningless on a live exchange. */
const SIMULATED = new Set([
  'queueSize',
  'levelSize',
  'spread',
  'staleAfterMs',
  'printFilter',
  'orderLatencyMs',
  'responseLatencyMs',
  'feedLatencyMs',
  'onLimit',
  'limits',
  'from',
  'to',
  'liquiditySha256',
  'tape',
])

/** Fields of the first line that are not settings. */
const NO_TERMS = new Set(['t', 'type', 'journal', 'strategy', 'params', 'markets'])

export function settingDifferences(runs: Sides<ComparedRun>): readonly SettingDifference[] {
  const isWhole = runs.a.report !== undefined && runs.b.report !== undefined
  const { a, b } = bothOf(runs, (run) => settingsOf(run, isWhole))
  const isLive = isLiveRun(runs.a) || isLiveRun(runs.b)
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((setting) => {
    const [head = setting] = setting.split('.')
    const values = { a: a.get(setting) ?? null, b: b.get(setting) ?? null }
    if (values.a === values.b || (isLive && SIMULATED.has(head))) return []
    return [{ setting, group: groupOf(setting, head), ...values }]
  })
}

const groupOf = (setting: string, head: string): SettingGroup =>
  /^markets\..*FeeBps$/.test(setting) ? 'fees' : (GROUPS[head] ?? 'fills')

/** @param isWhole  false to use only what every journal contains, because the other run has no report */
function settingsOf({ report, head, trace }: ComparedRun, isWhole: boolean): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  const put = (name: string, value: unknown): void => {
    flatten(settings, name, value)
  }
  const terms = Object.fromEntries(Object.entries(head ?? {}).filter(([name]) => !NO_TERMS.has(name)))
  const config = isWhole ? fieldsAt(report, 'config') : { ...terms, credit: trace.credits }
  if (isWhole) {
    put('version', report?.version)
    const { name, sha256 } = fieldsAt(report, 'strategy')
    put('strategy', { name, sha256 })
  } else put('strategy.name', head?.strategy)
  put('params', isWhole ? report?.params : head?.params)
  put('fork', forkOf(report))
  for (const [name, value] of Object.entries(currentTerms(config))) put(name, value)
  for (const { symbol, ...market } of listAt(head, 'markets')) put(`markets.${String(symbol)}`, market)
  if (!isWhole) return settings
  tapesOf(report).forEach((tape, index) => {
    put(index === 0 ? `tape.${tape.symbol}` : `tape.${tape.symbol}.${index + 1}`, tape.fields)
  })
  for (const { symbol, kind, sha256, reading } of listAt(report, 'books')) {
    put(`books.${String(symbol)}.${String(kind)}`, { sha256, reading })
  }
  for (const { name, sha256 } of listAt(report, 'series')) put(`series.${String(name)}`, sha256)
  put('live.url', fieldsAt(report, 'live').url)
  return settings
}

/** Changes of a fork; of all its parameters only those that changed. */
function forkOf(report: Fields | undefined): Fields | undefined {
  const { at, params, strategy, without, added, isRestarted, terms: given, ...rest } = fieldsAt(report, 'fork')
  const { orderLatencyMs, responseLatencyMs } = rest
  if (typeof at !== 'number') return undefined
  const before = fieldsAt(report, 'params')
  const changed = Object.entries(isFields(params) ? params : {}).filter(
    ([name, value]) => isFields(strategy) || JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  const file = isFields(strategy) ? strategy.file : undefined
  const order = isFields(without) ? without.orderId : undefined
  const latencies = { orderLatencyMs, responseLatencyMs }
  const terms = changedTerms(isFields(given) ? given : {}, fieldsAt(report, 'config'))
  const settings = { ...latencies, ...Object.fromEntries(terms.map(([name, value]) => [name, value ?? 'off'])) }
  const from = isoTime(at)
  return { from, strategy: file, isRestarted, params: Object.fromEntries(changed), without: order, added, ...settings }
}

/** Compares tapes by hash, not by path. */
const tapesOf = (report: Fields | undefined): readonly { readonly symbol: string; readonly fields: Fields }[] =>
  listAt(report, 'tapes').map((tape) => {
    const { symbol, sha256, reading } = tape
    return { symbol: String(symbol), fields: { sha256, reading, gaps: fieldsAt(tape, 'gaps').sha256 } }
  })

function flatten(into: Map<string, string>, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (isFields(value)) {
    for (const [key, each] of Object.entries(value)) flatten(into, `${name}.${key}`, each)
    return
  }
  into.set(name, typeof value === 'string' ? trimmed(value) : JSON.stringify(value))
}
