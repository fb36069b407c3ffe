/**
 * A series of a session in real time: its file is read again each second, and has new rows for the delivery.
 *
 * Invariants: a row arrives at its timestamp plus the feed latency, or when it is seen if that is later, and never
 * twice: times rise, and the last one is saved before its row is delivered. No state of a file ends the session.
 */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { LiveSeries, MAX_PAST } from '../../adapter/live/live-series.ts'
import { InputError, invariant } from '../../domain/errors.ts'
import type { SeriesRow } from '../../domain/series-row.ts'
import { isoTime } from '../../domain/time.ts'
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

/** Different faults of the rows of a series, which are not reported again when its file is read again. */
const MAX_KNOWN_FAULTS = 10_000
/** Looks, one a second, after which a file that does not answer is reported. */
const MAX_MISSED_LOOKS = 30
/** Looks, one a second, after which a line that a program has not completed is reported. */
const MAX_OPEN_LOOKS = 10

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
  /** Wrong rows by their fault, which has no number of a line: lines move when a file is replaced. */
  readonly #known = new Map<string, number>()
  /** The same of the present file only. */
  readonly #inFile = new Map<string, number>()
  #leftOut = 0
  /** Hash of all rows up to the last delivered one. */
  readonly #passed = createHash('sha256')
  /** Unix milliseconds of the last delivered row, in this session or an earlier one of the state. */
  #passedTo = -1
  #pending: readonly SpooledSeriesRow[]
  /** Index of the next row among them. */
  #at = 0
  #options: FollowingOptions | undefined
  #delivered = { rows: 0, from: 0, to: 0 }
  #trouble = { message: '', isReported: false }
  #isLooking = false
  #missedLooks = 0
  #hasOpenLine: boolean
  /** Looks without a change since the last line was found open. */
  #openLooks = 0
  #isChangeReported = false

  constructor(source: SeriesSource, file: FollowedFile, read: FollowedRead, { warn }: Pick<FollowingOptions, 'warn'>) {
    this.source = source
    this.#file = file
    this.#warn = warn
    this.#sha256 = read.sha256
    this.live = new LiveSeries(source.name, read.columns)
    this.#pending = read.rows
    this.#hasOpenLine = read.hasOpenLine
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
    const past = this.#pending.slice(0, first < 0 ? this.#pending.length : first)
    this.#at = past.length
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

  /** Saves that the rows from before the session are not new. Call when the strategies have begun. */
  follow(): void {
    if (this.#passedTo >= 0) this.#optionsNow.store?.save(this.source, this.#passedTo)
  }

  /** The next row, which is due at its time plus the feed latency. */
  get next(): SpooledSeriesRow | undefined {
    return this.#pending[this.#at]
  }

  /** Counts the next row as delivered, durably. Call as an event, and then pass the row on. */
  take(): SeriesRow {
    const { loop, store } = this.#optionsNow
    const row = this.next
    invariant(row !== undefined, 'a row is taken while there is one')
    const [to] = row
    this.#at += 1
    this.#pass(row)
    const { rows, from } = this.#delivered
    this.#delivered = { rows: rows + 1, from: rows === 0 ? to : from, to }
    loop.turn.outside(() => store?.save(this.source, to))
    return seriesRow(row, this.live.columns)
  }

  /** Reads what was added to the file. Never throws because of its content. */
  async look(): Promise<void> {
    if (this.#isLooking) {
      this.#missedLooks += 1
      const { name, file } = this.source
      if (this.#missedLooks === MAX_MISSED_LOOKS)
        this.#warn(`${file}: does not answer for ${MAX_MISSED_LOOKS} s; new rows of '${name}' wait`)
      return
    }
    this.#missedLooks = 0
    this.#isLooking = true
    try {
      const read = await this.#file.read()
      if (read === undefined) this.#waitForLine()
      else this.#add(read)
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
    const leftOut = this.#leftOut
    const path = resolve(this.source.file)
    return {
      ...this.source,
      path,
      sha256: this.#sha256,
      ...this.#delivered,
      columns,
      ...(leftOut > 0 && { leftOut }),
    }
  }

  /** Reported at the second look: at the first one, a writer may be at work. */
  #onTrouble(message: string): void {
    const { message: before, isReported } = this.#trouble
    const isNew = message === before && !isReported
    this.#trouble = { message, isReported: isReported || isNew }
    if (isNew) this.#warn(`${message}; the session goes on without new rows of '${this.source.name}'`)
  }

  #waitForLine(): void {
    this.#openLooks += 1
    if (this.#hasOpenLine && this.#openLooks === MAX_OPEN_LOOKS)
      this.#warn(`${this.source.file}: the last line waits for its line feed, and is not read before`)
  }

  #add(read: FollowedRead): void {
    this.#hasOpenLine = read.hasOpenLine
    this.#openLooks = 0
    this.#reportWrong(read)
    if (read.isWhole) this.#compare(read)
    const fresh = read.rows.filter(([timestamp]) => timestamp > this.#passedTo)
    this.#pending = read.isWhole ? fresh : [...this.#pending.slice(this.#at), ...fresh]
    this.#at = 0
    this.live.columns = read.columns
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

  /** A wrong row that was there before is the same one, wherever its line is now. */
  #reportWrong({ wrong, isWhole }: FollowedRead): void {
    if (isWhole) this.#inFile.clear()
    for (const { message, where } of wrong) {
      const fault = message.slice(where.length)
      const known = this.#known.get(fault) ?? 0
      const inFile = (this.#inFile.get(fault) ?? 0) + 1
      if (known > 0 || this.#known.size < MAX_KNOWN_FAULTS) this.#inFile.set(fault, inFile)
      if (inFile <= known) continue
      this.#leftOut += 1
      if (this.#known.size === MAX_KNOWN_FAULTS && known === 0) continue
      this.#known.set(fault, inFile)
      const last = this.#known.size === MAX_KNOWN_FAULTS ? '; other faults of rows are counted, and not reported' : ''
      this.#warn(`${message}; the row is left out${last}`)
    }
  }

  get #optionsNow(): FollowingOptions {
    if (this.#options === undefined) throw new Error('a series is read again after its begin')
    return this.#options
  }

  #pass(row: SpooledSeriesRow): void {
    this.#passedTo = row[0]
    this.#passed.update(JSON.stringify(row))
  }
}
