/**
 * The track record of a strategy: all its live and paper sessions on one service as one curve.
 *
 * Invariant: the return is time-weighted. A change of the equity while no session ran is shown as moved, and is never a
 * profit.
 * Known limits: a drawdown over several sessions is seen at their starts, ends and ends of periods only, that of one
 * session at every price. The files of a session do not name its account: two accounts of one strategy on one service
 * must be in different directories.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { maxDrawdown } from '../analysis/drawdown.ts'
import { type EquityAt, returnSamples, withoutTransfers } from '../analysis/returns/return-samples.ts'
import { returnStatistics, type ReturnStatistics } from '../analysis/returns/return-statistics.ts'
import { toDecimal, unitsOf } from '../domain/decimal.ts'
import { InputError } from '../domain/errors.ts'
import { formatTrimmed } from '../domain/fixed-point.ts'
import { DAY_MS } from '../domain/time.ts'
import type { MonthReturn } from '../report/page/page-data.ts'
import { monthReturns } from '../report/page/return-maps.ts'
import { csvTable } from '../report/run/csv-table.ts'
import { seededRandom } from '../runtime/strategies/seeded-random.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'

export interface TrackOptions {
  readonly name: string
  /** Run directories, or directories of these. */
  readonly directories: readonly string[]
  /** Base URL of the service; needed if there are sessions on several. */
  readonly url?: string | undefined
}

/** A session of a track; amounts are decimal strings. */
export interface TrackSession {
  readonly directory: string
  readonly kind: 'live' | 'paper'
  /** Unix milliseconds. */
  readonly from: number
  readonly to: number
  readonly initialEquity: string
  readonly finalEquity: string
  /** Fraction, without transfers. */
  readonly return: number
  readonly fills: number
  /** Change of the equity since the session before; null for the first one. */
  readonly moved: string | null
  /** `prices` if the balances are those at the end of the session before, so that only prices moved. */
  readonly movedBy: 'prices' | 'balances' | null
}

/** One moment of the joined curve. */
export interface TrackPoint {
  readonly time: number
  readonly equity: string
  /** Growth of 1 since the first session. */
  readonly growth: number
  /** True for the first moment of a session. */
  readonly isStart: boolean
}

export interface Track {
  readonly name: string
  readonly url: string
  readonly quoteAsset: string
  readonly sessions: readonly TrackSession[]
  readonly curve: readonly TrackPoint[]
  /** Time-weighted, a fraction. */
  readonly return: number
  readonly maxDrawdown: number
  readonly months: readonly MonthReturn[]
  /** Computed from the ends of days, as in `docs/statistics.md`. */
  readonly statistics: ReturnStatistics
  /** Directories without a report: of sessions that run, or were killed. */
  readonly unfinished: readonly string[]
}

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)
const times = z.object({ url: z.string(), startedAt: z.number(), endedAt: z.number() })

/** The part of `run.json` of a session that a track needs. */
const sessionReport = z.object({
  strategy: z.object({ name: z.string() }),
  live: times.extend({ owner: z.string() }).optional(),
  paper: times.optional(),
  quoteAsset: z.string(),
  partial: z.boolean(),
  initialEquity: decimal,
  finalEquity: decimal,
  fills: z.number(),
  balances: z.record(z.string(), z.object({ available: decimal, locked: decimal })),
  config: z.object({ credit: z.record(z.string(), decimal) }),
  statistics: z.object({ return: z.number().nullable(), maxDrawdown: z.number(), periods: z.number().nullable() }),
})

type SessionReport = z.output<typeof sessionReport>

interface FinishedSession {
  readonly directory: string
  readonly report: SessionReport
  readonly kind: TrackSession['kind']
  readonly url: string
  readonly from: number
  readonly to: number
}

/** A point with its equity in units, and its time-weighted growth. */
interface Sample extends EquityAt {
  readonly factor: number
  readonly isStart: boolean
}

/** @throws {InputError} if there are no sessions of this name, or if they are no single account */
export function track({ name, directories, url }: TrackOptions): Track {
  const places = directories.flatMap(runsIn)
  const named = places
    .filter((directory) => existsSync(join(directory, REPORT_FILE)))
    .flatMap((directory) => sessionIn(directory, name))
    .filter((session) => url === undefined || session.url === url)
    .sort((a, b) => a.from - b.from)
  const [first] = named
  if (first === undefined) throw new InputError('track', `no session of '${name}' in ${directories.join(', ')}`)
  checkOneAccount(named, first)
  const { quoteAsset } = first.report
  const scale = Math.max(...named.map(({ report }) => scaleOf(report)))
  const { sessions, samples } = joined(named, scale)
  const days = endsOfDays(samples, named)
  const growthOf = (sample: Sample): bigint => withoutTransfers(sample)
  const grown = days.map((sample) => ({ ...sample, equity: growthOf(sample), factor: 1 }))
  const drawdowns = named.map(({ report }) => report.statistics.maxDrawdown)
  const drawdown = Math.max(...drawdowns, maxDrawdown(samples.map((sample) => Number(growthOf(sample)))))
  const [start, end] = [grown[0]?.equity ?? 1n, grown.at(-1)?.equity ?? 1n]
  const line = { times: grown.map(({ time }) => time), values: grown.map(({ equity }) => Number(equity)) }
  return {
    name,
    url: first.url,
    quoteAsset,
    sessions,
    curve: samples.map((sample) => ({
      time: sample.time,
      equity: formatTrimmed(sample.equity, scale),
      growth: Number(growthOf(sample)) / Number(start),
      isStart: sample.isStart,
    })),
    return: Number(end - start) / Number(start),
    maxDrawdown: drawdown,
    months: monthReturns(line, { times: [], values: [] }),
    statistics: returnStatistics({
      samples: returnSamples(grown, { periodMs: DAY_MS, riskFreeRate: 0 }),
      benchmark: [],
      durationMs: (named.at(-1)?.to ?? first.to) - first.from,
      periodMs: DAY_MS,
      maxDrawdown: drawdown,
      random: seededRandom(1),
    }),
    unfinished: places.filter((directory) => !existsSync(join(directory, REPORT_FILE))),
  }
}

/** Run directories with a journal, in this directory or one below. @throws {InputError} if it is missing */
function runsIn(directory: string): readonly string[] {
  if (existsSync(join(directory, 'journal.jsonl'))) return [directory]
  if (!existsSync(directory)) throw new InputError(directory, 'no such directory')
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(directory, entry.name))
    .flatMap((each) => (existsSync(join(each, 'journal.jsonl')) ? [each] : partsIn(each)))
}

/** Runs of the strategies of a session that had several. */
const partsIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(directory, entry.name))
    .filter((each) => existsSync(join(each, 'journal.jsonl')))

/** None for a backtest, or a session of another name. @throws {InputError} for an unreadable report */
function sessionIn(directory: string, name: string): readonly FinishedSession[] {
  const report = reportAt(join(directory, REPORT_FILE))
  const facts = report?.live ?? report?.paper
  if (report === undefined || facts === undefined || (report.live?.owner ?? report.strategy.name) !== name) return []
  if (report.partial)
    throw new InputError(directory, 'something that the session held had no price, so its equity is not known')
  const kind = report.live === undefined ? 'paper' : 'live'
  return [{ directory, report, kind, url: facts.url, from: facts.startedAt, to: facts.endedAt }]
}

/** Undefined for a backtest. @throws {InputError} if the file is not JSON, or a field is invalid */
function reportAt(path: string): SessionReport | undefined {
  let json: object
  try {
    json = JSON.parse(readFileSync(path, 'utf8')) as object
  } catch (error) {
    throw new InputError(path, 'is not JSON', { cause: error })
  }
  if (!('live' in json) && !('paper' in json)) return undefined
  const parsed = sessionReport.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new InputError(`${path} ${issue?.path.join('.') ?? ''}`.trim(), issue?.message ?? 'is not a run')
}

/** @throws {InputError} for sessions of several services, quote assets or accounts */
function checkOneAccount(sessions: readonly FinishedSession[], first: FinishedSession): void {
  sessions.forEach((session, index) => {
    const { directory, url, kind, from, report } = session
    if (url !== first.url)
      throw new InputError('--url', `expected one of ${first.url} and ${url}: the sessions are on several services`)
    if (kind !== first.kind)
      throw new InputError(
        directory,
        `is a ${kind} session, and ${first.directory} is not: name the directories of one`,
      )
    if (report.quoteAsset !== first.report.quoteAsset)
      throw new InputError(directory, `is valued in ${report.quoteAsset}, and ${first.directory} in another asset`)
    const before = sessions[index - 1]
    if (before !== undefined && before.to > from)
      throw new InputError(
        directory,
        `ran at the same time as ${before.directory}: name the directories of one account`,
      )
  })
}

/** Decimals of the amounts of a report. */
function scaleOf({ initialEquity, finalEquity }: SessionReport): number {
  return Math.max(...[initialEquity, finalEquity].map((text) => text.split('.')[1]?.length ?? 0), MIN_SCALE)
}

/** Enough for the samples of a session, which have the decimals of its equity. */
const MIN_SCALE = 40

/** The sessions one after the other, each continuing the growth of the one before. */
function joined(
  named: readonly FinishedSession[],
  scale: number,
): { readonly sessions: readonly TrackSession[]; readonly samples: readonly Sample[] } {
  const samples: Sample[] = []
  const sessions = named.map((session, index): TrackSession => {
    const { directory, kind, from, to, report } = session
    const [initial, final] = [report.initialEquity, report.finalEquity].map((text) => unitsOf(toDecimal(text), scale))
    const last = samples.at(-1)
    const before = named[index - 1]
    const start = initial ?? 0n
    const factor = last === undefined ? 1 : Number(withoutTransfers(last)) / Number(start)
    const own = samplesIn(session, scale)
    const inner = own.at(-1)?.factor ?? 1
    samples.push({ time: from, equity: start, factor, isStart: true })
    for (const sample of own.filter(({ time }) => time < to))
      samples.push({ ...sample, factor: sample.factor * factor })
    samples.push({ time: to, equity: final ?? 0n, factor: inner * factor, isStart: false })
    const grown = Number(withoutTransfers({ equity: final ?? 0n, factor: inner }))
    return {
      ...{ directory, kind, from, to },
      initialEquity: report.initialEquity,
      finalEquity: report.finalEquity,
      return: report.statistics.return ?? grown / Number(start) - 1,
      fills: report.fills,
      moved: last === undefined ? null : formatTrimmed(start - last.equity, scale),
      movedBy: before === undefined ? null : hasSameBalances(before.report, report) ? 'prices' : 'balances',
    }
  })
  return { sessions, samples }
}

/** The ends of the periods of a session, and its own end; none if something had no price at one of them. */
function samplesIn({ directory, report }: FinishedSession, scale: number): readonly Sample[] {
  const path = join(directory, 'periods.csv')
  if (report.statistics.periods === null || !existsSync(path)) return []
  const samples: Sample[] = []
  for (const row of csvTable(path, readFileSync(path, 'utf8'))) {
    const [time, factor] = [Number(row('time_ms')), Number(row('factor') || 1)]
    samples.push({ time, equity: unitsOf(toDecimal(row('equity')), scale), factor, isStart: false })
  }
  return samples
}

/** True if a session began with what the one before ended with. */
function hasSameBalances(before: SessionReport, after: SessionReport): boolean {
  const assets = new Set([...Object.keys(before.balances), ...Object.keys(after.config.credit)])
  return [...assets].every((asset) => {
    const { available = '0', locked = '0' } = before.balances[asset] ?? {}
    return toDecimal(available)
      .plus(toDecimal(locked))
      .eq(toDecimal(after.config.credit[asset] ?? '0'))
  })
}

/** The start, the end of each day in UTC, and the end; days without a session count as not traded. */
function endsOfDays(samples: readonly Sample[], sessions: readonly FinishedSession[]): readonly Sample[] {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return []
  const ends: Sample[] = [first]
  let next = 0
  for (let time = (Math.floor(first.time / DAY_MS) + 1) * DAY_MS; time < last.time; time += DAY_MS) {
    while ((samples[next + 1]?.time ?? Infinity) <= time) next += 1
    const isTraded = sessions.some(({ from, to }) => from < time && to > time - DAY_MS)
    ends.push({ ...(samples[next] ?? first), time, isTraded })
  }
  return [...ends, last]
}
