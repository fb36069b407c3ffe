/**
 * A tape of a database that rows are fetched into, and the directory next to the database for files that were
 * downloaded and are not imported yet.
 *
 * Invariants: one process at a time fetches a tape; rows and the account of their file are committed together, so a
 * killed process loses no row, and the next one adds none twice. What was fetched is known from the database alone.
 */
import { mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { asWriteFault, writeFault } from '../../domain/write-fault.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import type { Patience } from '../../store/database/database-file.ts'
import { FolderLock } from '../../store/locks/folder-lock.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import { removePartial } from '../../store/remove-partial.ts'
import type { DatabaseMarket } from '../../store/tapes/database/market-reader.ts'
import { type MarketEnd, TapeDatabase } from '../../store/tapes/database/tape-database.ts'
import type { TapeHead } from '../../store/tapes/blocks/stored-market.ts'
import type { ImportManifest } from '../../store/tapes/imports/manifest.ts'
import { jumpedIds } from '../../store/recordings/recorded-tape.ts'
import { importRecordings } from '../../store/transfers/import-recordings.ts'
import { lengthNameOf } from '../../domain/candle-length.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { CandleCoverage } from './candle-coverage.ts'
import type { TimeRange } from './fetch-world.ts'

/** Reason of a gap between two fetched periods. */
export const NOT_FETCHED = 'not fetched'
/** Longest wait for another program that writes to the database. */
const PATIENCE: Patience = { waitMs: 60_000, onBusy: () => undefined }

export interface FetchedTapeOptions {
  /** The database. */
  readonly db: string
  readonly head: TapeHead
  readonly now: () => number
  readonly version: string
}

export class FetchedTape {
  readonly head: TapeHead
  /** Directory of files that are not imported yet. */
  readonly folder: string
  readonly #options: FetchedTapeOptions
  readonly #lock: FolderLock
  imported = 0
  duplicates = 0

  private constructor(options: FetchedTapeOptions, folder: string, lock: FolderLock) {
    this.#options = options
    this.head = options.head
    this.folder = folder
    this.#lock = lock
  }

  /** @throws {InputError} if the database cannot be written, or another process fetches the same tape */
  static open(options: FetchedTapeOptions): FetchedTape {
    const { db, head } = options
    try {
      makeDirectory(resolve(dirname(db)))
    } catch (error) {
      throw writeFault(dirname(db), 'cannot be written', error)
    }
    const store = TapeDatabase.write(db, PATIENCE)
    store.commit()
    store.close()
    const interval = head.intervalMs === null ? head.kind : (lengthNameOf(head.intervalMs) ?? String(head.intervalMs))
    const folder = join(`${realpathSync(db)}.fetch`, `${encodeURIComponent(head.symbol)}-${interval}`)
    return new FetchedTape(options, folder, lockOf(db, head, folder))
  }

  /** Last row; undefined without rows. */
  get end(): MarketEnd | undefined {
    return this.#read((store) => {
      const id = store.idOf(this.head)
      return id === undefined ? undefined : store.endOf(id)
    })
  }

  /** The files imported before. */
  manifests(): readonly ImportManifest[] {
    return this.#read((store) => {
      const id = store.idOf(this.head)
      return id === undefined ? [] : (store.manifests(id) as readonly ImportManifest[])
    })
  }

  /** Times of the last row before a range and the first one after it; undefined without such rows. */
  neighbours({ from, to }: TimeRange): { readonly before: number | undefined; readonly after: number | undefined } {
    const times = this.market((market) =>
      market.entries.flatMap(({ first, last }, index) => {
        const isSplit = [from, to].some((time) => first < time && last >= time)
        return isSplit ? [...market.read(index).block.time] : [first, last]
      }),
    )
    return { before: times?.findLast((time) => time < from), after: times?.find((time) => time >= to) }
  }

  /** Which candles of a range are stored. */
  coverage(range: TimeRange): CandleCoverage {
    const coverage = new CandleCoverage(range, this.head.intervalMs ?? 1)
    this.market((market) => {
      for (const [index, { first, last }] of market.entries.entries()) {
        if (last < range.from || first >= range.to) continue
        for (const time of market.read(index).block.time) coverage.add(time)
      }
    })
    return coverage
  }

  /** Reads the tape; undefined if it has no rows. */
  market<T>(read: (market: DatabaseMarket) => T): T | undefined {
    return this.#read((store) => {
      const market = store.market(this.head)
      return market === undefined || market.entries.length === 0 ? undefined : read(market)
    })
  }

  /** Imports files and removes them. @throws {InputError} for a row that is wrong; then nothing was imported */
  async add(sources: readonly TapeSource[], signal?: AbortSignal): Promise<readonly ImportManifest[]> {
    const { db, now, version } = this.#options
    const place = { form: 'store', file: db } as const
    const options = { importedAt: now(), version, signal, patience: PATIENCE }
    const manifests = await importRecordings(sources, place, options)
    for (const { imported, duplicate } of manifests) {
      this.imported += imported
      this.duplicates += duplicate
    }
    for (const { file } of sources) removePartial(file)
    return manifests
  }

  /**
   * Marks gaps after the first row of the tape, and removes the marks of periods that were fetched. Before the first
   * mark gaps are found by ids, and are marked too. With neither, nothing changes.
   *
   * @param filled  fetched periods; a period that is not fetched yet becomes shorter by them, and by `gaps`
   */
  mark(gaps: readonly MarkedGap[], filled: readonly TimeRange[] = []): void {
    const before = this.market((market) => ({ first: market.entries[0]?.first ?? 0, marks: market.gaps }))
    if (before === undefined || gaps.length + (before.marks?.length ?? 0) === 0) return
    const isOpen = ({ why }: MarkedGap): boolean => why === NOT_FETCHED
    const open = (before.marks ?? []).filter(isOpen)
    const known = gaps.filter((gap) => !isOpen(gap))
    const rest = [...open, ...gaps.filter(isOpen)].flatMap((gap) => without(gap, [...filled, ...known]))
    // Rows before the first one may follow.
    const marks = [...known, ...rest].filter((gap) => gap.to > before.first || (isOpen(gap) && filled.length === 0))
    const jumps = marks.length > 0 && before.marks === undefined ? (this.market(jumpedIds) ?? []) : []
    this.#write((store, id) => {
      for (const gap of [...open, ...filled]) store.dropGap(id, gap)
      if (marks.length > 0) store.addGaps(id, [...jumps, ...marks])
    })
  }

  /** Records that the tape has no gaps but marked ones, so that ids that jump are none. */
  ignoreIds(): void {
    if (this.market(({ gaps }) => gaps === undefined) !== true) return
    this.#write((store, id) => {
      store.addGaps(id, [])
    })
  }

  /** Makes the directory of files that are not imported yet. @throws {DiskError} */
  stage(name: string): string {
    try {
      mkdirSync(this.folder, { recursive: true })
    } catch (error) {
      throw asWriteFault(this.folder, error)
    }
    return join(this.folder, name)
  }

  close(): void {
    this.#lock.release()
    // Files that are not imported yet stay for the next time.
    for (const folder of [this.folder, dirname(this.folder)]) removeEmpty(folder)
  }

  #write(write: (store: TapeDatabase, id: number) => void): void {
    const store = TapeDatabase.write(this.#options.db, PATIENCE)
    try {
      const id = store.idOf(this.head)
      if (id === undefined) return
      write(store, id)
      store.commit()
    } finally {
      store.close()
    }
  }

  #read<T>(read: (store: TapeDatabase) => T): T {
    const store = TapeDatabase.read(this.#options.db)
    try {
      return read(store)
    } finally {
      store.close()
    }
  }
}

/** The parts of a gap outside of some ranges. */
function without(gap: MarkedGap, ranges: readonly TimeRange[]): readonly MarkedGap[] {
  let parts = [gap]
  for (const { from, to } of ranges) {
    parts = parts.flatMap((part) =>
      to <= part.from || from >= part.to
        ? [part]
        : [
            { ...part, to: from },
            { ...part, from: to },
          ].filter((each) => each.from < each.to),
    )
  }
  return parts
}

function lockOf(db: string, { symbol }: TapeHead, folder: string): FolderLock {
  try {
    const make = (): void => void mkdirSync(`${folder}.lock`, { recursive: true })
    const lock = FolderLock.take(`${folder}.lock`, { make, waitMs: 0 })
    if (lock instanceof FolderLock) return lock
    const pid = lock.holder === undefined ? '' : ` (pid ${lock.holder.pid})`
    const remedy = lock.isSeen ? '' : `; if it has ended, delete '${folder}.lock'`
    throw new InputError(`${db}: ${symbol}`, `is being fetched by another process${pid}${remedy}`)
  } catch (error) {
    throw asWriteFault(folder, error)
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It is not there, or has files of this or another tape.
  }
}
