/** The only pass over a recording of books: everything is validated, and its book, quotes and trades are stored. */
import { createHash, type Hash } from 'node:crypto'
import { InputError, throwIfAborted } from '../../../domain/errors.ts'
import { escapedExcerpt } from '../../../domain/escape-controls.ts'
import { joined, listOf, NO_NOTICES, type Notices } from '../../../tape/notices.ts'
import type { BookTapeInfo } from '../../../tape/book-tape.ts'
import type { ByteWatch } from '../../../import/file-bytes.ts'
import { symbolOf } from '../../../import/formats/symbols.ts'
import type { BookTapeSource } from '../../../import/tape-source.ts'
import { bookFacts } from '../../tapes/blocks/stored-book.ts'
import { storedFacts, type TapeHead } from '../../tapes/blocks/stored-market.ts'
import { checkReading } from '../../tapes/inspect-tape.ts'
import { BookSpool } from '../../tapes/book-spool.ts'
import { MAX_SPOOL_BYTES, type SpoolRoom } from '../../tapes/block-spool.ts'
import { SpooledMarket, RowSpool } from '../../tapes/row-spool.ts'
import type { RecordingOptions } from '../../tapes/read-recording.ts'
import type { OnBytesRead } from '../../tapes/tape-pass.ts'
import type { BookPart } from '../book-columns.ts'
import type { BookEnd } from '../book-event.ts'
import { BookReading } from '../read-books.ts'
import { depthNotices, noSnapshotNotices, readingNotices } from './book-notices.ts'
import type { InspectedBook, InspectedBooks } from './inspected-book.ts'

export interface BookRecordingOptions extends RecordingOptions {
  /** Ends of the recordings read so far by market, from which later ones may continue; each pass adds its own. */
  readonly ends?: Map<string, BookEnd> | undefined
}

const chainOf = ({ symbol, market }: BookTapeSource): string => `${symbol ?? ''} ${market ?? ''}`

/** The SHA-256 of the files of a recording, while they are read. */
class FileHashes {
  readonly #hashes: Hash[] = []
  readonly #onBytesRead: OnBytesRead | undefined
  /** Bytes of all files. */
  bytes = 0

  /** @param onBytesRead  called for the first file only */
  constructor(onBytesRead?: OnBytesRead) {
    this.#onBytesRead = onBytesRead
  }

  /** Watch for the next file, which must be read to its end. */
  watch(): ByteWatch {
    const hash = createHash('sha256')
    const isFirst = this.#hashes.length === 0
    this.#hashes.push(hash)
    return {
      onBytes: (chunk, position, size) => {
        hash.update(chunk)
        this.bytes += chunk.length
        if (isFirst) this.#onBytesRead?.(position, size)
      },
    }
  }

  /**
   * Lower-case hex: for one file the hash of its bytes; for several the hash of their concatenated hex hashes. Call it
   * once, at the end.
   */
  sha256(): string {
    const [first = '', ...others] = this.#hashes.map((hash) => hash.digest('hex'))
    return others.length === 0
      ? first
      : createHash('sha256')
          .update([first, ...others].join(''))
          .digest('hex')
  }
}

/**
 * Reads a recording from beginning to end; for LOBSTER both files.
 *
 * @throws {InputError} at the first invalid row, or naming the file: one without book, quotes or trades, or without
 * enough disk space
 * @throws {AbortError} when `signal` is aborted
 */
export async function inspectBooks(
  source: BookTapeSource,
  options: BookRecordingOptions = {},
): Promise<InspectedBooks> {
  checkReading(source)
  const { signal, onBytesRead, room = { bytes: MAX_SPOOL_BYTES }, ends } = options
  const { file, market, symbol, pricePrecision, qtyPrecision } = source
  const hashes = new FileHashes(onBytesRead)
  const given = {
    ...(pricePrecision !== undefined && { pricePrecision }),
    ...(qtyPrecision !== undefined && { qtyPrecision }),
  }
  const reading = new BookReading({ files: [file], market, symbol, before: ends?.get(chainOf(source)), ...given }, () =>
    hashes.watch(),
  )
  const spools = new PartSpools(room)
  for await (const part of reading.parts()) {
    throwIfAborted(signal)
    spools.add(part)
  }
  checkHasRows(file, spools)
  if (reading.end !== undefined) ends?.set(chainOf(source), reading.end)
  const found = { sha256: hashes.sha256(), symbol: symbol ?? symbolIn(file, reading.market) }
  return { bytes: hashes.bytes, ...inspectedOf(source, reading, spools, found) }
}

/** Storage for each kind of rows in the recording. */
class PartSpools {
  readonly #room: SpoolRoom
  depth: BookSpool | undefined
  quotes: BookSpool | undefined
  trades: RowSpool | undefined

  constructor(room: SpoolRoom) {
    this.#room = room
  }

  add(part: BookPart): void {
    if (part.kind === 'depth') (this.depth ??= new BookSpool('depth', this.#room)).add(part)
    else if (part.kind === 'quotes') (this.quotes ??= new BookSpool('quotes', this.#room)).add(part)
    else (this.trades ??= new RowSpool(this.#room)).add(part)
  }
}

/** @throws {InputError} naming the file */
function checkHasRows(file: string, { depth, quotes, trades }: PartSpools): void {
  if ((depth ?? quotes ?? trades) !== undefined) return
  throw new InputError(file, 'expected a recording of a book, quotes or trades, got no usable rows')
}

interface Found {
  readonly sha256: string
  readonly symbol: string
}

function inspectedOf(
  source: BookTapeSource,
  { tally, market }: BookReading,
  spools: PartSpools,
  found: Found,
): Omit<InspectedBooks, 'bytes'> {
  const { file } = source
  const { depth, quotes, trades } = spools
  const read = joined([
    { warnings: depth === undefined ? noSnapshotNotices(tally) : [], notes: [] },
    readingNotices(tally, found.symbol, market),
  ])
  const made = (spool: BookSpool, notices: Notices): InspectedBook => {
    const spooled = spooledOf(file, { finish: () => spool.finish(found.symbol) })
    const facts = bookFacts(
      spooled.head.kind,
      spooled.blocks.map(({ entry }) => entry),
    )
    const ofDepth = facts.kind === 'depth' ? depthNotices(facts, tally) : NO_NOTICES
    const info: BookTapeInfo = { file, ...found, ...facts, ...listOf(joined([ofDepth, notices])) }
    return { source, info, rows: { form: 'spooled', spooled } }
  }
  // Reported once, by the first of them.
  return {
    depth: depth && made(depth, read),
    quotes: quotes && made(quotes, depth === undefined ? read : NO_NOTICES),
    trades: trades && tapeOf(source, found, trades, depth === undefined && quotes === undefined ? read : NO_NOTICES),
  }
}

function tapeOf(
  source: BookTapeSource,
  { symbol, sha256 }: Found,
  spool: RowSpool,
  notices: Notices,
): InspectedBooks['trades'] {
  const { file } = source
  const head: TapeHead = { symbol, kind: 'trades', intervalMs: null, hasConditions: false }
  const spooled = spooledOf(file, { finish: () => spool.finish(head) })
  const facts = storedFacts(head, new SpooledMarket(spooled).entries)
  return {
    source,
    info: { file, sha256, ...facts, ...listOf(notices) },
    rows: { form: 'spooled', spooled, isOnlyForm: true },
  }
}

function spooledOf<Spooled>(file: string, spool: { finish(): Spooled | undefined }): Spooled {
  const spooled = spool.finish()
  if (spooled === undefined)
    throw new InputError(file, 'no space for its rows, in memory or on the disk for temporary files')
  return spooled
}

/**
 * Infers the market of a recording without a given symbol.
 *
 * @throws {InputError} if its name is not recognised as a symbol
 */
function symbolIn(file: string, market: string | undefined): string {
  const symbol = market === undefined ? undefined : symbolOf(market)
  if (symbol !== undefined) return symbol
  const reported =
    market === undefined ? 'it does not name its market' : `its market is called '${escapedExcerpt(market)}'`
  throw new InputError(file, `missing symbol, because ${reported}: write BASE_QUOTE=${file}`)
}
