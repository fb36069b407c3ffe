/**
 * The series of a session in real time: the files are read again each second, and new rows are delivered.
 *
 * Invariants: a row arrives at its timestamp plus the feed latency, or when it is seen if that is later, and never
 * twice: times rise, and the last one is saved before its row is delivered. No state of a file ends the session.
 */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { LiveSeries, MAX_PAST } from '../../adapter/live/live-series.ts'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { EVENT_KIND } from '../../simulation/event-queue.ts'
import { FollowedFile, type FollowedRead } from '../../store/series/followed-file.ts'
import { seriesRow, type SpooledSeriesRow } from '../../store/series/inspected-series.ts'
import { checkSeriesNames } from '../../store/series/inspect-series.ts'
import type { SeriesReport, SeriesSource } from '../../tape/series-info.ts'
import type { LiveLoop } from './live-loop.ts'

/** Saves how far a series was delivered. */
export interface SeriesStore {
  /** Unix milliseconds of the last delivered row; undefined if there is none. */
  load(source: SeriesSource): number | undefined
  /** Durable when it returns, unless a warning was given. */
  save(source: SeriesSource, time: number): void
}

export interface FollowingOptions {
  readonly loop: LiveLoop
  readonly feedMs: number
  /** Default: nothing is saved. */
  readonly store: SeriesStore | undefined
  readonly warn: (text: string) => void
}

/** Known wrong rows of a series, which are not reported again when its file is read again. */
const MAX_KNOWN_WRONG = 10_000

/** Opens the files of a session. @throws {InputError} for one that cannot be read, or that has no correct row */
export async function openSeries(
  sources: readonly SeriesSource[],
  options: Pick<FollowingOptions, 'warn'>,
): Promise<readonly FollowedSeries[]> {
  checkSeriesNames(sources)
  const all: FollowedSeries[] = []
  for (const source of sources) {
    const file = new FollowedFile(source.file)
    const read = await file.read()
    const [wrong] = read?.wrong ?? []
    if (read === undefined || (wrong !== undefined && read.rows.length === 0))
      throw wrong ?? new InputError(source.file, 'cannot be read')
    all.push(new FollowedSeries(source, file, read, options))
  }
  return all
}

export class FollowedSeries {
  readonly live: LiveSeries
  readonly source: SeriesSource
  readonly #file: FollowedFile
  readonly #warn: (text: string) => void
  /** SHA-256 of the file when the session began. */
  readonly #sha256: string
  readonly #wrong = new Set<string>()
  /** Hash of all rows up to the last delivered one. */
  readonly #passed = createHash('sha256')
  /** Unix milliseconds of the last delivered row, in this session or an earlier one of the state. */
  #passedTo = -1
  #pending: SpooledSeriesRow[]
  #options: FollowingOptions | undefined
  #planned = 0
  #delivered = { rows: 0, from: 0, to: 0 }
  #trouble = { message: '', isReported: false }
  #isLooking = false
  #isChangeReported = false

  constructor(source: SeriesSource, file: FollowedFile, read: FollowedRead, { warn }: Pick<FollowingOptions, 'warn'>) {
    this.source = source
    this.#file = file
    this.#warn = warn
    this.#sha256 = read.sha256
    this.live = new LiveSeries(source.name, read.columns)
    this.#pending = [...read.rows]
    this.#reportWrong(read)
  }

  /** Its part of the first line of a journal. */
  get info(): { readonly name: string; readonly sha256: string } {
    return { name: this.source.name, sha256: this.#sha256 }
  }

  /** Sets the latest row. Rows that an earlier session of the state did not have are new. */
  begin(options: FollowingOptions): void {
    const { loop, feedMs, store } = options
    this.#options = options
    const now = loop.now()
    const seenTo = store?.load(this.source)
    const until = seenTo ?? now - feedMs
    const first = this.#pending.findIndex(([timestamp]) => timestamp > until)
    const past = this.#pending.splice(0, first < 0 ? this.#pending.length : first)
    for (const row of past) this.#pass(row)
    // The file may have been started again from nothing since.
    this.#passedTo = Math.max(this.#passedTo, seenTo ?? -1)
    const latest = past.at(-1)?.[0]
    this.live.begin(
      past.slice(-MAX_PAST).map((row) => seriesRow(row, this.live.columns)),
      seenTo !== undefined,
    )
    this.#delivered = { rows: latest === undefined ? 0 : 1, from: latest ?? now, to: latest ?? now }
  }

  /** Delivers from now on. Call when the strategies listen. */
  follow(): void {
    const { loop, store } = this.#optionsNow
    if (this.#passedTo >= 0) store?.save(this.source, this.#passedTo)
    this.#plan(loop.now() + 1)
  }

  /** Reads what was added to the file. Never throws because of its content. */
  async look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const read = await this.#file.read()
      if (read !== undefined) this.#take(read)
      if (this.#trouble.isReported) this.#warn(`${this.source.file}: can be read again`)
      this.#trouble = { message: '', isReported: false }
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      this.#onTrouble(error.message)
    } finally {
      this.#isLooking = false
    }
  }

  /** The delivered rows. */
  report(): SeriesReport {
    const { columns } = this.live
    const wrong = this.#wrong.size
    const path = resolve(this.source.file)
    return {
      ...this.source,
      path,
      sha256: this.#sha256,
      ...this.#delivered,
      columns,
      ...(wrong > 0 && { leftOut: wrong }),
    }
  }

  /** Reported at the second look: at the first one, a writer may be at work. */
  #onTrouble(message: string): void {
    const { message: before, isReported } = this.#trouble
    const isNew = message === before && !isReported
    this.#trouble = { message, isReported: isReported || isNew }
    if (isNew) this.#warn(`${message}; the session goes on without new rows of '${this.source.name}'`)
  }

  #take(read: FollowedRead): void {
    this.#reportWrong(read)
    if (read.isWhole) this.#compare(read)
    const fresh = read.rows.filter(([timestamp]) => timestamp > this.#passedTo)
    this.#pending = read.isWhole ? fresh : [...this.#pending, ...fresh]
    this.live.columns = read.columns
    const { loop } = this.#optionsNow
    this.#plan(loop.now() + 1)
  }

  #compare({ columns, rows }: FollowedRead): void {
    const hash = createHash('sha256')
    for (const row of rows) if (row[0] <= this.#passedTo) hash.update(JSON.stringify(row))
    const isChanged = hash.digest('hex') !== this.#passed.copy().digest('hex')
    const gone = this.live.columns.find((name) => !columns.includes(name))
    if ((!isChanged && gone === undefined) || this.#isChangeReported) return
    this.#isChangeReported = true
    const what = isChanged
      ? `rows up to ${isoTime(this.#passedTo)} were changed or removed after they were delivered`
      : `no longer has the column '${gone ?? ''}'`
    this.#warn(`${this.source.file}: ${what}; only later rows are new`)
  }

  #reportWrong({ wrong }: FollowedRead): void {
    for (const { message } of wrong) {
      if (this.#wrong.has(message) || this.#wrong.size >= MAX_KNOWN_WRONG) continue
      this.#wrong.add(message)
      this.#warn(`${message}; the row is left out`)
    }
  }

  get #optionsNow(): FollowingOptions {
    if (this.#options === undefined) throw new Error('a series is read again after its begin')
    return this.#options
  }

  /** @param earliest  Unix milliseconds */
  #plan(earliest: number): void {
    const { loop, feedMs } = this.#optionsNow
    const [next] = this.#pending
    this.#planned += 1
    const plan = this.#planned
    if (next === undefined) return
    const due = Math.max(next[0] + feedMs, earliest)
    loop.atTime(due, () => { if (plan === this.#planned) this.#deliver(next) }, EVENT_KIND.series) // prettier-ignore
  }

  #deliver(row: SpooledSeriesRow): void {
    const { loop, store } = this.#optionsNow
    const [to] = row
    this.#pending.shift()
    this.#pass(row)
    const { rows, from } = this.#delivered
    this.#delivered = { rows: rows + 1, from: rows === 0 ? to : from, to }
    loop.turn.outside(() => store?.save(this.source, to))
    this.#plan(loop.now())
    this.live.push(seriesRow(row, this.live.columns))
  }

  #pass(row: SpooledSeriesRow): void {
    this.#passedTo = row[0]
    this.#passed.update(JSON.stringify(row))
  }
}
