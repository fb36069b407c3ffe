/**
 * The track record of a strategy: all its live and paper sessions on one service as one curve.
 *
 * Invariant: the return is time-weighted. A change of the equity while no session ran is shown as moved, and is never a
 * profit.
 * Known limits: a drawdown over several sessions is seen at their starts, ends and ends of periods only, that of one
 * session at every price. The files of a session do not name its account: two accounts of one strategy on one service
 * must be in different directories.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { maxDrawdown } from '../analysis/drawdown.ts'
import { type EquityAt, returnSamples, withoutTransfers } from '../analysis/returns/return-samples.ts'
import { returnStatistics, type ReturnStatistics } from '../analysis/returns/return-statistics.ts'
import { toDecimal, unitsOf } from '../domain/decimal.ts'
import { InputError } from '../domain/errors.ts'
import { formatTrimmed } from '../domain/fixed-point.ts'
import { DAY_MS } from '../domain/time.ts'
import type { Line } from '../report/page/page-data.ts'
import { monthReturns } from '../report/page/return-maps.ts'
import { csvTable } from '../report/run/csv-table.ts'
import { seededRandom } from '../runtime/strategies/seeded-random.ts'
import {
  type FinishedSession,
  type FoundSessions,
  type LeftOutSession,
  type SessionReport,
  sessionsIn,
  type UnfinishedSession,
} from './track-sessions.ts'

export interface TrackOptions {
  readonly name: string
  /** Run directories, or directories of these. */
  readonly directories: readonly string[]
  /** Base URL of the service; needed if there are sessions on several. */
  readonly url?: string | undefined
  /** Needed if there are live and paper sessions. */
  readonly kind?: TrackSession['kind'] | undefined
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
  /**
   * `prices` if the balances are those at the end of the session before, so that only prices moved; `new-wallet` for a
   * paper session that continued none.
   */
  readonly movedBy: 'prices' | 'balances' | 'new-wallet' | null
}

export interface TrackMonth {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** Fraction; null if no session ran in it. */
  readonly value: number | null
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
  /** Empty if all sessions are in one month. */
  readonly months: readonly TrackMonth[]
  /** Computed from the ends of days, as in `docs/statistics.md`. */
  readonly statistics: ReturnStatistics
  /** Sessions of the strategy without a report. */
  readonly unfinished: readonly UnfinishedSession[]
  /** Sessions whose reports cannot be used. */
  readonly leftOut: readonly LeftOutSession[]
}

/** A point with its equity in units, and its time-weighted growth. */
interface Sample extends EquityAt {
  readonly factor: number
  readonly isStart: boolean
}

/** @throws {InputError} if there are no sessions of this name, or if they are no single account */
export function track(options: TrackOptions): Track {
  const { name } = options
  const found = sessionsIn(options.directories, name)
  const { named, first } = wanted(found, options)
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
    months: monthsOf(line, named),
    statistics: returnStatistics({
      samples: returnSamples(grown, { periodMs: DAY_MS, riskFreeRate: 0 }),
      benchmark: [],
      durationMs: (named.at(-1)?.to ?? first.to) - first.from,
      periodMs: DAY_MS,
      maxDrawdown: drawdown,
      random: seededRandom(1),
    }),
    unfinished: found.unfinished.filter((each) => (each.kind ?? first.kind) === first.kind),
    leftOut: found.leftOut,
  }
}

/** Those of the options, oldest first. @throws {InputError} if there are none */
function wanted(
  { finished, unfinished, leftOut }: FoundSessions,
  { name, directories, url, kind }: TrackOptions,
): { readonly named: readonly FinishedSession[]; readonly first: FinishedSession } {
  const named = finished
    .filter((session) => url === undefined || session.url === url)
    .filter((session) => kind === undefined || session.kind === kind)
  const [first] = named
  if (first !== undefined) return { named, first }
  const which = `${kind === undefined ? '' : `${kind} `}session of '${name}'${url === undefined ? '' : ` on ${url}`}`
  const others = [
    ...unfinished.map(({ directory }) => `${directory} has no report: that session runs, or was killed`),
    ...leftOut.map(({ directory, why }) => `${directory} is left out: ${why}`),
  ]
  throw new InputError('track', [`no ${which} in ${directories.join(', ')}`, ...others].join('; '))
}

function monthsOf(line: Line, sessions: readonly FinishedSession[]): readonly TrackMonth[] {
  return monthReturns(line, { times: [], values: [] }).map(({ year, month, value }) => {
    const [from, to] = [Date.UTC(year, month - 1), Date.UTC(year, month)]
    return { year, month, value: sessions.some((each) => each.from < to && each.to > from) ? value : null }
  })
}

/** @throws {InputError} for sessions of several services, quote assets or accounts */
function checkOneAccount(sessions: readonly FinishedSession[], first: FinishedSession): void {
  const urls = [...new Set(sessions.map(({ url }) => url))]
  if (urls.length > 1)
    throw new InputError('--url', `expected one of ${urls.join(', ')}: there are sessions on several services`)
  if (sessions.some(({ kind }) => kind !== first.kind))
    throw new InputError('--kind', 'expected live or paper: there are sessions of both')
  sessions.forEach(({ directory, from, report }, index) => {
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
    const inner = own.at(-1)?.factor ?? factorAtEnd(report)
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
      movedBy: before === undefined ? null : causeOf(before.report, report),
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

/** Factor by which the last equity continues that of before all transfers. */
function factorAtEnd({ transfers, initialEquity, finalEquity, statistics }: SessionReport): number {
  const final = Number(finalEquity)
  if (transfers === undefined || statistics.return === null || final <= 0) return 1
  return ((1 + statistics.return) * Number(initialEquity)) / final
}

function causeOf(before: SessionReport, after: SessionReport): TrackSession['movedBy'] {
  if (after.paper !== undefined && after.paper.continued === undefined) return 'new-wallet'
  return hasSameBalances(before, after) ? 'prices' : 'balances'
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
