/**
 * The market data and series of a session as they arrived, in a file next to those of its run: one line per trade, gap
 * or row, by the clock of the session. The last line has the SHA-256 of all before it.
 *
 * Known limit: lines are written about once a second, so a session that is killed loses the last ones, and the file has
 * no last line.
 */
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { writeFault } from '../../domain/write-fault.ts'
import { makeDirectory } from '../make-directory.ts'
import { lineTexts } from './line-reader.ts'

export const RECEIVED_FILE = 'received.csv'

const HEADER = 'arrived_ms,symbol,time_ms,price,qty,is_buyer_maker,trade_id\n'

/** Start of the last line. */
const LAST = 'end,'

/** Characters that wait to be written. */
const MAX_WAITING = 65_536

/** A trade, a gap before the next one, a row of a series, or the start of the strategies. */
export interface ReceivedRow {
  /** Unix milliseconds by the clock of the session; undefined for a trade from before its start. */
  readonly arrivedAt: number | undefined
  /** Market; the name of a series. */
  readonly symbol: string
  /** Unix milliseconds by the clock of the exchange; of a gap its beginning, of a row of a series its timestamp. */
  readonly createdAt: number
  /** Undefined for a gap, and for the start. */
  readonly trade: ReceivedValues | undefined
  /** Cells of a row of a series by column; undefined for an empty cell. */
  readonly cells?: Readonly<Record<string, string | undefined>> | undefined
  /** True for a row of a series that an earlier session had. */
  readonly isSeen?: boolean
  /** True for the moment at which the strategies started. */
  readonly isStart?: boolean
}

export interface ReceivedValues {
  readonly id: string
  /** Decimal strings. */
  readonly price: string
  readonly qty: string
  readonly isBuyerMaker: boolean
}

export class ReceivedFile {
  readonly #path: string
  readonly #onFailure: (error: unknown) => void
  readonly #hash = createHash('sha256')
  #descriptor: number | undefined
  #waiting = HEADER
  #isOver = false

  /** @param onFailure  called once, when it cannot be written any more */
  constructor(directory: string, onFailure: (error: unknown) => void) {
    this.#path = join(directory, RECEIVED_FILE)
    this.#onFailure = onFailure
  }

  /** True after its end, or since it could not be written. */
  get isOver(): boolean {
    return this.#isOver
  }

  append({ arrivedAt, symbol, createdAt, trade, cells, isSeen = false, isStart = false }: ReceivedRow): void {
    if (this.#isOver) return
    const kind = isStart ? 'start' : cells === undefined ? 'gap' : isSeen ? 'seen' : 'series'
    const values =
      trade === undefined
        ? `,,${kind},${cells === undefined ? '' : JSON.stringify(cells, nullIfEmpty)}`
        : `${trade.price},${trade.qty},${trade.isBuyerMaker},${textOfId(trade.id)}`
    this.#waiting += `${arrivedAt ?? ''},${symbol},${createdAt},${values}\n`
    if (this.#waiting.length > MAX_WAITING) this.flush()
  }

  flush(): void {
    if (this.#isOver || this.#waiting === '') return
    try {
      if (this.#descriptor === undefined) makeDirectory(dirname(this.#path))
      this.#descriptor ??= openSync(this.#path, 'ax')
      writeFileSync(this.#descriptor, this.#waiting)
      this.#hash.update(this.#waiting)
      this.#waiting = ''
    } catch (error) {
      this.#end()
      this.#onFailure(writeFault(this.#path, 'cannot be written', error))
    }
  }

  /** Idempotent. */
  close(): void {
    this.flush()
    if (this.#isOver) return
    this.#waiting = `${LAST}${this.#hash.copy().digest('hex')}\n`
    this.flush()
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

/** A key with no value is not written otherwise. */
const nullIfEmpty = (_name: string, cell: unknown): unknown => cell ?? null

const textOfId = (id: string): string => (/^[!-~]+$/.test(id) ? id : encodeURIComponent(id))

/** The file of a run: in its directory, or in the one of all strategies of its session; undefined if there is none. */
export function receivedFileOf(run: string): string | undefined {
  return [join(run, RECEIVED_FILE), join(run, '..', RECEIVED_FILE)].find((path) => existsSync(path))
}

const ROW = /^(\d*),([^,]*),(\d+),([\d.]*),([\d.]*),(true|false|gap|start|series|seen),(.*)$/s

/**
 * @param bytes  number of bytes to read of a session that still runs, which are whole lines; default: a complete file
 * @throws {InputError} for an invalid line, and for a file that is not complete or was changed
 */
export function* receivedRows(path: string, bytes?: number): Generator<ReceivedRow> {
  let number = 0
  const hash = createHash('sha256')
  for (const line of lineTexts(path, bytes)) {
    number += 1
    if (line.startsWith(LAST)) {
      if (line.trimEnd() === `${LAST}${hash.digest('hex')}`) return
      throw new InputError(path, 'was changed after the session: it does not have its SHA-256')
    }
    hash.update(line)
    if (number === 1 && line === HEADER) continue
    yield rowOf(`${path}:${number}`, line.trimEnd())
  }
  if (bytes !== undefined) return
  throw new InputError(path, 'is not complete: the session was killed, or could not write it any more')
}

function rowOf(where: string, line: string): ReceivedRow {
  const [, arrived = '', symbol = '', created, price = '', qty = '', kind, id = ''] = ROW.exec(line) ?? []
  if (kind === undefined) throw new InputError(where, 'is not a line of received trades')
  return {
    arrivedAt: arrived === '' ? undefined : Number(arrived),
    symbol,
    createdAt: Number(created),
    isStart: kind === 'start',
    ...((kind === 'series' || kind === 'seen') && { cells: cellsOf(where, id), isSeen: kind === 'seen' }),
    trade: kind === 'true' || kind === 'false' ? { id, price, qty, isBuyerMaker: kind === 'true' } : undefined,
  }
}

function cellsOf(where: string, text: string): Readonly<Record<string, string | undefined>> {
  try {
    const cells = Object.entries(JSON.parse(text) as Readonly<Record<string, string | null>>)
    return Object.fromEntries(cells.map(([column, cell]) => [column, cell ?? undefined]))
  } catch {
    throw new InputError(where, 'is not a line of a row of a series')
  }
}
