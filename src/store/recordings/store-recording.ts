/**
 * Recording of one market in a database: rows are buffered until `sync` commits them with their gaps in one short
 * transaction.
 *
 * Invariants: between commits others can write to the database; committed rows are never lost; a gap is stored with the
 * row after it. If others have added rows after our last one, ours are merged by id.
 */
import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { parseUnits } from '../../domain/fixed-point.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { makeDirectory } from '../make-directory.ts'
import { TapeDatabase } from '../tapes/database/tape-database.ts'
import type { NewestRow } from '../tapes/database/newest-rows.ts'
import { gapsApart } from '../tapes/gaps-apart.ts'
import {
  checkId,
  type LastStored,
  type RecordedSymbol,
  type Recording,
  type RecordingCounts,
  type TradeToRecord,
} from './recording.ts'
import { RecordedTape } from './recorded-tape.ts'
import { lockRecording, type RecordingLock } from './recording-file.ts'
import { writeFault } from '../../domain/write-fault.ts'

/** Maximum number of buffered rows while another process is writing, about 50 MB. */
const MAX_WAITING = 262_144
/** Maximum number of attempts: one hour at two per second. */
const MAX_ATTEMPTS = 7_200
/** Wait for another writer at the end. */
const LAST_WAIT_MS = 30_000

export class StoreRecording implements Recording {
  readonly #file: string
  readonly #place: string
  readonly #market: RecordedSymbol
  readonly #tape: RecordedTape
  readonly #lock: RecordingLock
  #rows: NewestRow[] = []
  /** Gaps whose following row is not stored yet. */
  #gaps: MarkedGap[] = []
  #marked: readonly MarkedGap[]
  #trades = 0
  #moved = 0
  #attempts = 0
  #hasFailed = false
  #isClosed = false

  private constructor(file: string, place: string, market: RecordedSymbol, tape: RecordedTape, lock: RecordingLock) {
    this.#file = file
    this.#place = place
    this.#market = market
    this.#tape = tape
    this.#lock = lock
    this.#marked = tape.gaps
  }

  /**
   * Starts a recording, or continues that of the database.
   *
   * @throws {InputError} if the file is damaged or not a database, if its rows have no ids, or if another process
   * writes or records
   */
  static open(file: string, market: RecordedSymbol): StoreRecording {
    makeFolder(file)
    const place = `${file}: ${market.symbol}`
    const store = TapeDatabase.write(file)
    let lock: RecordingLock | undefined
    try {
      store.commit()
      lock = lockRecording(place, `${realpathSync(file)}.${encodeURIComponent(market.symbol)}.lock`)
      return new StoreRecording(file, place, market, new RecordedTape(place, store, market), lock)
    } catch (error) {
      store.close()
      lock?.release()
      throw error
    }
  }

  get file(): string {
    return this.#file
  }

  get last(): LastStored | undefined {
    return this.#tape.order.last
  }

  get counts(): RecordingCounts {
    return { trades: this.#trades, gaps: this.#marked.length, moved: this.#moved }
  }

  learnIds(ids: readonly string[]): void {
    this.#tape.order.learnIds(ids)
  }

  append(trade: TradeToRecord): boolean {
    if (this.#rows.length >= MAX_WAITING && !this.#commit(0)) throw this.#blocked()
    const { order } = this.#tape
    const before = this.last?.createdAt ?? 0
    const row = order.rowOf(trade)
    checkId(this.#place, row.id)
    const [price, qty] = [
      this.#units('price', row.price, this.#market.pricePrecision),
      this.#units('quantity', row.qty, this.#market.qtyPrecision),
    ]
    const verdict = order.judge(this.#place, trade, row)
    if (verdict === 'late') this.gap(Math.min(trade.createdAt, before), before, 'a trade arrived out of order')
    if (verdict !== 'next') return false
    this.#rows.push({ id: this.#tape.idOf(row.id), time: row.createdAt, price, qty, isBuyerMaker: row.isBuyerMaker })
    if (row.createdAt > trade.createdAt) this.#moved += 1
    this.#trades += 1
    order.stored(trade, row)
    return true
  }

  gap(from: number, to: number, why: string): void {
    this.#gaps.push({ from, to, why })
    this.#marked = gapsApart([...this.#marked, { from, to, why }])
  }

  sync(): Promise<void> {
    return new Promise((done) => {
      this.#commit(0)
      done()
    })
  }

  close(): void {
    if (this.#isClosed) return
    try {
      if (!this.#hasFailed && !this.#commit(LAST_WAIT_MS, true)) throw this.#blocked()
    } finally {
      this.#isClosed = true
      this.#tape.close()
      this.#lock.release()
    }
  }

  /** @returns false if another process is writing for longer than the wait */
  #commit(waitMs: number, isLast = false): boolean {
    if (this.#isClosed) return true
    const endsAt = this.last?.createdAt ?? Number.NEGATIVE_INFINITY
    const due = this.#gaps.filter(({ to }) => to <= endsAt)
    if (this.#rows.length === 0 && due.length === 0 && !isLast) return true
    try {
      if (!this.#tape.commit({ rows: this.#rows, gaps: due, isLast }, waitMs)) return this.#isPatient()
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
    this.#attempts = 0
    this.#rows = []
    this.#gaps = this.#gaps.filter((gap) => !due.includes(gap))
    return true
  }

  #isPatient(): false {
    this.#attempts += 1
    if (this.#attempts <= MAX_ATTEMPTS) return false
    this.#hasFailed = true
    throw this.#blocked()
  }

  #blocked(): InputError {
    this.#hasFailed = true
    return new InputError(
      this.#place,
      `another process blocked the database for too long: the last ${this.#rows.length} trades were not stored`,
    )
  }

  #units(what: string, text: string, decimals: number): number {
    const parsed = parseUnits(text, decimals)
    if (parsed.ok && parsed.value > 0) return parsed.value
    throw new InputError(this.#place, `expected a ${what} above 0 with ${decimals} decimals, got '${text}'`)
  }
}

function makeFolder(file: string): void {
  const folder = dirname(file)
  try {
    makeDirectory(resolve(folder))
  } catch (error) {
    throw writeFault(folder, 'cannot be written', error)
  }
}
