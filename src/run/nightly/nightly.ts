/**
 * The twins of a running session: one after each UTC midnight, from the session's start on, in a process of its own.
 *
 * Invariant: nothing here throws into the session, or keeps it waiting. At midnight it only notes how long the files of
 * the session are.
 */
import type { ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toDecimal } from '../../domain/decimal.ts'
import { InputError, type StrategyError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { DAY_MS, isoTime } from '../../domain/time.ts'
import { readableSigned } from '../../report/readable.ts'
import type { RunConfig } from '../../report/run/run-report.ts'
import type { SeriesReport } from '../../tape/series-info.ts'
import type { TwinTotal } from '../../report/twin/twin-report.ts'
import { twinLine } from '../../report/twin/twin-text.ts'
import type { RunRecord } from '../../runtime/figures/run-record.ts'
import { dayOf } from '../../runtime/session/risk/equity-watch.ts'
import type { RunTerms } from '../../runtime/settings/run-terms.ts'
import type { LoadedStrategy } from '../../runtime/strategies/strategy-file.ts'
import { RECEIVED_FILE } from '../../store/runs/received-file.ts'
import { warmupNeeds } from '../../strategy/warmup.ts'
import { version } from '../../runtime/version.ts'
import { exitText, forkEntry } from '../child-process.ts'
import type { LiveProcess, ReceivedOptions } from '../live-process.ts'
import { failureReport, strategyReport } from '../strategy-facts.ts'
import type { NightlyAnswer, NightlyCut, NightlyJob } from './nightly-messages.ts'

/** The twin of a running session, after a midnight. */
export interface NightlyTwin {
  /** Name of the strategy; undefined for all of them together. */
  readonly owner: string | undefined
  /** The UTC day that ended, such as `2026-11-30`. */
  readonly date: string
  /** The gap and its parts in words, or why there is none. */
  readonly message: string
  /** The gap since the start of the session; undefined if the twin failed. */
  readonly total: TwinTotal | undefined
  /** Change of the gap since the twin before, a decimal string; undefined if there is none. */
  readonly change: string | undefined
}

/** A strategy of the session, with all that its report has so far and a twin needs. */
export interface NightlyStrategy extends Pick<NightlyCut, 'directory' | 'name'> {
  readonly kind: 'live' | 'paper'
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly loaded: LoadedStrategy
  readonly params: Readonly<Record<string, unknown>>
  readonly quoteAsset: string
  readonly config: RunConfig
  /** Series that it can ask for. */
  readonly series: readonly SeriesReport[]
  readonly failure: StrategyError | undefined
  readonly record: Pick<RunRecord, 'states' | 'paramChanges'>
}

type Process = Pick<
  LiveProcess<{ onTwin: (twin: NightlyTwin) => void }>,
  'loop' | 'end' | 'everySecond' | 'atClose' | 'listener'
>

export interface NightlyParts {
  /** Writes the rest of the received data. */
  readonly flush: () => void
  readonly soFar: () => readonly NightlyStrategy[]
}

interface NightlyOptions extends ReceivedOptions {
  readonly nightly?: boolean | undefined
}

/** @throws {InputError} for a session whose twin would be refused */
export function checkNightly(
  { nightly, out, received }: NightlyOptions,
  strategies: readonly { readonly loaded: LoadedStrategy }[],
  { warmupMs }: Pick<RunTerms, 'warmupMs'> = { warmupMs: null },
): void {
  if (nightly !== true) return
  const place = setting('nightly')
  if (out === undefined || received === false)
    throw new InputError(place, 'needs the trades as they arrive: pass --out, and do not pass --no-received')
  for (const { loaded } of strategies) {
    const { strategy, sha256, path } = loaded
    if (sha256 === null && path === null)
      throw new InputError(place, `strategy '${strategy.name}' is an object of a program: name its file instead`)
    if (warmupMs !== null || warmupNeeds(strategy.warmup).length > 0)
      throw new InputError(place, `strategy '${strategy.name}' has a warm-up, which no twin can repeat yet`)
  }
}

/** Call when the session has started. */
export function startNightly({ nightly, out }: NightlyOptions, process: Process, parts: NightlyParts): void {
  if (nightly === true && out !== undefined) new Nightly(out, process, parts)
}

interface RunningTwin {
  readonly over: Promise<void>
  /** Ends it early, with the reason. */
  readonly kill: (why: string) => void
}

class Nightly {
  /** That of the session. */
  readonly #directory: string
  readonly #process: Process
  readonly #parts: NightlyParts
  /** Last gap of each strategy, and of all. */
  readonly #gaps = new Map<string, string>()
  /** UTC day of the last look. */
  #day: number
  #running: RunningTwin | undefined

  constructor(directory: string, process: Process, parts: NightlyParts) {
    const { loop, end, everySecond } = process
    this.#directory = directory
    this.#process = process
    this.#parts = parts
    this.#day = dayOf(loop.now())
    const stop = everySecond(() => {
      loop.turn.outside(() => {
        this.#look()
      })
    })
    end.atOnce(() => {
      stop()
      this.#running?.kill(`the session ended first: run papertape twin ${directory}`)
    })
    process.atClose(async () => this.#running?.over)
  }

  #look(): void {
    const now = this.#process.loop.now()
    if (dayOf(now) <= this.#day) return
    this.#day = dayOf(now)
    const date = isoTime(this.#day * DAY_MS - 1).slice(0, 10)
    this.#running?.kill('it took more than a day')
    try {
      this.#running = runTwins(this.#jobOf(date, now), (answer) => {
        this.#report(date, answer)
      })
    } catch (error) {
      this.#report(date, { failure: thrownText(error) })
    }
  }

  #jobOf(date: string, until: number): NightlyJob {
    const { flush, soFar } = this.#parts
    flush()
    const receivedBytes = statSync(join(this.#directory, RECEIVED_FILE)).size
    const strategies = soFar().map((own) => {
      const { directory, name } = own
      const journalBytes = statSync(join(directory, 'journal.jsonl')).size
      return { directory, name, run: reportSoFar(own), until, journalBytes, receivedBytes }
    })
    return { folder: join(this.#directory, 'nightly', date), strategies }
  }

  #report(date: string, answer: NightlyAnswer): void {
    const fail = (owner: string | undefined, why: string): void => {
      this.#process.listener.onTwin?.({ owner, date, message: `failed: ${why}`, total: undefined, change: undefined })
    }
    if ('failure' in answer) {
      fail(undefined, answer.failure)
      return
    }
    const { results, totals } = answer
    for (const { name, ...result } of results) {
      if ('failure' in result) fail(name, result.failure)
      else this.#reportGap(name, date, result.total)
    }
    if (results.length > 1) for (const total of totals) this.#reportGap(undefined, date, total)
  }

  #reportGap(owner: string | undefined, date: string, total: TwinTotal): void {
    const { gap, quoteAsset } = total
    const key = `${owner ?? ''} ${quoteAsset}`
    const before = this.#gaps.get(key)
    this.#gaps.set(key, gap)
    const change = before === undefined ? undefined : toDecimal(gap).minus(before).toFixed()
    const since = change === undefined ? '' : `; ${readableSigned(change)} ${quoteAsset} since the twin before`
    this.#process.listener.onTwin?.({ owner, date, message: `${twinLine(total)}${since}`, total, change })
  }
}

/** Without a digest, which only a run that ended has. */
function reportSoFar({ kind, startedAt, loaded, failure, record, ...own }: NightlyStrategy): unknown {
  const { states, paramChanges } = record
  const strategy = { strategy: strategyReport(loaded), failure: failureReport(failure, loaded), states, paramChanges }
  const none = { tapes: [], digest: '', liquidityBounds: null }
  const run = { ...own, ...strategy, ...none, version: version(), [kind]: { startedAt } }
  return JSON.parse(JSON.stringify(run))
}

/** @param onOver  called once. @throws if it cannot be started */
function runTwins(job: NightlyJob, onOver: (answer: NightlyAnswer) => void): RunningTwin {
  const child = forkEntry(import.meta.url.replace(/nightly(\.[jt]s)$/, 'nightly-entry$1'), 'ignore')
  let answer: NightlyAnswer | undefined
  child.once('message', (message: NightlyAnswer) => {
    answer ??= message
    if (child.connected) child.disconnect()
  })
  child.send(job, () => undefined)
  const over = endOf(child).then(async (how) => {
    await rm(job.folder, { recursive: true, force: true }).catch(() => undefined)
    onOver(answer ?? { failure: how })
  })
  const kill = (why: string): void => {
    answer ??= { failure: why }
    child.kill('SIGKILL')
  }
  return { over, kill }
}

/** How it ended, in words. */
const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(thrownText(error))
    })
    child.once('exit', (code, signal) => {
      resolve(exitText(code, signal))
    })
  })
