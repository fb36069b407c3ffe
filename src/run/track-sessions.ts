/**
 * The sessions of a strategy, read from their directories for its track record.
 *
 * Invariant: whatever is in a directory of another strategy, it is skipped. One of this strategy is a finished session,
 * or it is listed with the reason why not.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../domain/errors.ts'
import { LIVE_LIQUIDITY } from '../runtime/live/live-session.ts'
import { lineTexts } from '../store/runs/line-reader.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)
const times = z.object({ url: z.string(), startedAt: z.number(), endedAt: z.number() })

/** Enough of any `run.json` to see whose it is; the name is undefined for a backtest. */
const anyReport = z
  .object({
    strategy: z.object({ name: z.string() }),
    live: z.object({ owner: z.string().optional() }).optional(),
    paper: z.unknown().optional(),
    partOf: z.string().optional(),
  })
  .transform(({ strategy, live, paper, partOf }) => ({
    name: live === undefined && paper === undefined ? undefined : (live?.owner ?? partOf ?? strategy.name),
  }))

/** The part of `run.json` of a session that a track needs. */
const sessionReport = z.object({
  live: times.optional(),
  paper: times.extend({ continued: z.unknown().optional() }).optional(),
  quoteAsset: z.string(),
  partial: z.boolean(),
  initialEquity: decimal,
  finalEquity: decimal,
  fills: z.number(),
  balances: z.record(z.string(), z.object({ available: decimal, locked: decimal })),
  config: z.object({ credit: z.record(z.string(), decimal) }),
  statistics: z.object({ return: z.number().nullable(), maxDrawdown: z.number(), periods: z.number().nullable() }),
  transfers: z.unknown().optional(),
})

export type SessionReport = z.output<typeof sessionReport>

export interface FinishedSession {
  readonly directory: string
  readonly report: SessionReport
  readonly kind: 'live' | 'paper'
  readonly url: string
  readonly from: number
  readonly to: number
}

/** A session without a report: it runs, or was killed. */
export interface UnfinishedSession {
  readonly directory: string
  /** Start, Unix milliseconds; null if its journal has no first line, like `kind`. */
  readonly from: number | null
  readonly kind: FinishedSession['kind'] | null
}

/** A session whose report cannot be used. */
export interface LeftOutSession {
  readonly directory: string
  readonly why: string
}

export interface FoundSessions {
  /** Oldest first. */
  readonly finished: readonly FinishedSession[]
  readonly unfinished: readonly UnfinishedSession[]
  readonly leftOut: readonly LeftOutSession[]
}

/**
 * @param name         of the strategy, in its sessions
 * @param directories  of runs, or directories of these
 * @throws {InputError} if a directory is missing
 */
export function sessionsIn(directories: readonly string[], name: string): FoundSessions {
  const places = new Map(directories.flatMap(runsIn).map((directory) => [realpathSync(directory), directory] as const))
  const [finished, leftOut]: [FinishedSession[], LeftOutSession[]] = [[], []]
  const unfinished: UnfinishedSession[] = []
  for (const directory of places.values()) {
    if (!existsSync(join(directory, REPORT_FILE))) {
      if (isOf(directory, name) === true) unfinished.push(unfinishedAt(directory))
      continue
    }
    const read = sessionAt(directory, name)
    if (typeof read === 'string') leftOut.push({ directory, why: read })
    else if (read !== undefined) finished.push(read)
  }
  return { finished: finished.sort((a, b) => a.from - b.from), unfinished, leftOut }
}

function unfinishedAt(directory: string): UnfinishedSession {
  const head = headOf(directory)
  if (head === undefined) return { directory, from: null, kind: null }
  return { directory, from: head.t, kind: head.liquidity === LIVE_LIQUIDITY ? 'live' : 'paper' }
}

/** Run directories with a journal, in this directory or up to two below. @throws {InputError} if it is missing */
function runsIn(directory: string): readonly string[] {
  if (existsSync(join(directory, 'journal.jsonl'))) return [directory]
  if (!existsSync(directory)) throw new InputError(directory, 'no such directory')
  return foldersIn(directory).flatMap((each) => (isRun(each) ? [each] : foldersIn(each).filter(isRun)))
}

/** Without hidden ones: a backtest that was killed has left its files there. */
const foldersIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(directory, entry.name))

const isRun = (directory: string): boolean => existsSync(join(directory, 'journal.jsonl'))

/** @returns why a session of this name cannot be used; undefined for a backtest, or a session of another name */
function sessionAt(directory: string, name: string): FinishedSession | string | undefined {
  const json = jsonAt(join(directory, REPORT_FILE))
  const whose = anyReport.safeParse(json).data
  if (whose === undefined) return isOf(directory, name) === false ? undefined : `${REPORT_FILE} cannot be read`
  if (whose.name !== name) return undefined
  const { data: report, error } = sessionReport.safeParse(json)
  if (report !== undefined) return faultOf(report) ?? sessionOf(directory, report)
  const [issue] = error.issues
  return `${REPORT_FILE} ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not a run'}`
}

function faultOf({ partial, initialEquity }: SessionReport): string | undefined {
  if (partial) return 'something that it held had no price, so its equity is not known'
  return /^(?!-).*[1-9]/.test(initialEquity) ? undefined : 'it began with no equity, so it has no return'
}

function sessionOf(directory: string, report: SessionReport): FinishedSession | undefined {
  const facts = report.live ?? report.paper
  if (facts === undefined) return undefined
  const kind = report.live === undefined ? 'paper' : 'live'
  return { directory, report, kind, url: facts.url, from: facts.startedAt, to: facts.endedAt }
}

/** Undefined if it cannot be read. */
function jsonAt(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

const journalHead = z.object({ t: z.number(), strategy: z.string(), liquidity: z.string() })

/** First line of the journal; undefined if it cannot be read. */
function headOf(directory: string): z.output<typeof journalHead> | undefined {
  try {
    const [line = ''] = lineTexts(join(directory, 'journal.jsonl'))
    return journalHead.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Whether a run is of this strategy, by its journal and the name of its directory; undefined if that is unknown. */
function isOf(directory: string, name: string): boolean | undefined {
  const own = basename(directory).replace(/^[\dT-]+Z-/, '')
  if (own === name || own.replace(/-\d+$/, '') === name) return true
  const strategy = headOf(directory)?.strategy
  return strategy === undefined ? undefined : strategy === name
}
