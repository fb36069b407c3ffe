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
import { importRecordings } from '../../store/transfers/import-recordings.ts'
import { lengthNameOf } from '../../domain/candle-length.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { CandleCoverage } from './candle-coverage.ts'
import type { TimeRange } from './fetch-world.ts'

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

  /** SHA-256 of the files imported before, lower-case hex. */
  hashes(): ReadonlySet<string> {
    return this.#read((store) => {
      const id = store.idOf(this.head)
      const manifests = id === undefined ? [] : (store.manifests(id) as readonly ImportManifest[])
      return new Set(manifests.map(({ sha256 }) => sha256))
    })
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
   * Marks gaps after the first row of the tape, and removes the marks of gaps that were filled. With neither, it
   * records that the tape has none so far: those that an import finds by ids are not listed any more.
   */
  mark(gaps: readonly MarkedGap[], filled: readonly Pick<MarkedGap, 'from' | 'to'>[] = []): void {
    const first = this.market(({ entries }) => entries[0]?.first)
    const marked = gaps.filter(({ to }) => first !== undefined && to > first)
    if (marked.length + filled.length === 0 && this.market(({ gaps }) => gaps) !== undefined) return
    const store = TapeDatabase.write(this.#options.db, PATIENCE)
    try {
      const id = store.idOf(this.head)
      if (id === undefined) return
      for (const gap of filled) store.dropGap(id, gap)
      if (marked.length > 0 || filled.length === 0) store.addGaps(id, marked)
      store.commit()
    } finally {
      store.close()
    }
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

  #read<T>(read: (store: TapeDatabase) => T): T {
    const store = TapeDatabase.read(this.#options.db)
    try {
      return read(store)
    } finally {
      store.close()
    }
  }
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
