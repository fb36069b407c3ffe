/**
 * Exports a tape as CSV, CSV.gz, Parquet, Arrow or a `.tape` file, by file name.
 *
 * Invariant: the file is written under a temporary name next to it, and renamed when it is complete.
 */
import { createWriteStream, existsSync } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { InputError } from '../../../domain/errors.ts'
import type { RecordedBlock, TapeInfo, TapeWindow } from '../../../tape/tape.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import { restrictTape } from '../../../tape/window.ts'
import type { TapeSource } from '../../../import/tape-source.ts'
import { TapeFileWriter } from '../blocks/tape-file.ts'
import { inspectTape } from '../inspect-tape.ts'
import { MAX_SPOOL_BYTES } from '../block-spool.ts'
import { openTape } from '../open-tape.ts'
import { csvRows } from './csv-rows.ts'
import { formOf, syncFile } from './export-file.ts'
import { asWriteFault } from '../../../domain/write-fault.ts'
import { removePartial } from '../../remove-partial.ts'
import { unfinished } from '../../unfinished.ts'

export interface ExportRequest {
  readonly source: TapeSource
  readonly window: TapeWindow
  /** The name says the form: `.csv`, `.csv.gz`, `.parquet`, `.arrow`, `.feather` or `.tape`. */
  readonly file: string
  /** Whether an existing file of that name is replaced. */
  readonly isForced: boolean
  /** Whether a file without rows is written too. */
  readonly mayBeEmpty?: boolean
}

export interface ExportedTape extends TapePrecisions {
  readonly file: string
  readonly symbol: string
  readonly kind: 'trades' | 'candles'
  /** Milliseconds of a candle; null for trades. */
  readonly intervalMs: number | null
  readonly rows: number
  /** Size of the file. */
  readonly bytes: number
  /** Notices for the user in full sentences: information that the format cannot represent. */
  readonly notices: readonly string[]
}

/**
 * @throws {InputError} naming the file or the setting; the partial file is removed then, and an existing one is
 * unchanged
 */
export async function exportTape({
  source,
  window,
  file,
  isForced,
  mayBeEmpty = false,
}: ExportRequest): Promise<ExportedTape> {
  const form = formOf(file)
  if (!isForced && existsSync(file)) throw new InputError(file, 'exists already: pass --force to overwrite it')
  const inspected = await inspectTape(source, { room: { bytes: MAX_SPOOL_BYTES } })
  const { info } = inspected
  const tape = restrictTape(openTape(inspected, info), window)
  const counted = new CountedBlocks(tape.blocks())
  const partial = unfinished(`${file}.${process.pid}.partial`)
  try {
    if (form === 'tape') await writeTapeFile(partial)
    else if (form === 'parquet') await (await import('./parquet-rows.ts')).writeParquet(partial, info, counted)
    else if (form === 'arrow') await (await import('./arrow-rows.ts')).writeArrow(partial, info, counted)
    else await writeText(partial, form === 'gz')
    if (counted.rows === 0 && !mayBeEmpty) throw new InputError(file, 'nothing was recorded in that time')
    await syncFile(partial)
    await rename(partial, file)
  } catch (error) {
    removePartial(partial)
    throw asWriteFault(file, error)
  }
  const { size: bytes } = await stat(file)
  const notices = form === 'tape' ? [] : counted.notices
  return { file, ...formOfTape(info), rows: counted.rows, bytes, notices }

  async function writeText(path: string, isPacked: boolean): Promise<void> {
    const text = Readable.from(csvRows(info, counted), { highWaterMark: 1 })
    const sink = createWriteStream(path)
    await (isPacked ? pipeline(text, createGzip(), sink) : pipeline(text, sink))
  }

  async function writeTapeFile(path: string): Promise<void> {
    const writer = new TapeFileWriter(path)
    try {
      for await (const block of counted) writer.add({ block, ...info })
      const { intervalMs = null, hasConditions } = info
      if (counted.rows > 0)
        writer.finish({ symbol: info.symbol, kind: info.kind, intervalMs, hasConditions }, tape.gaps)
      else writer.abandon()
    } catch (error) {
      writer.abandon()
      throw error
    }
  }
}

function formOfTape(info: TapeInfo): Omit<ExportedTape, 'file' | 'rows' | 'bytes' | 'notices'> {
  const { symbol, kind, pricePrecision, qtyPrecision } = info
  return { symbol, kind, intervalMs: info.intervalMs ?? null, pricePrecision, qtyPrecision }
}

class CountedBlocks implements AsyncIterable<RecordedBlock> {
  readonly #blocks: AsyncIterable<RecordedBlock>
  #doubtful = 0
  rows = 0

  constructor(blocks: AsyncIterable<RecordedBlock>) {
    this.#blocks = blocks
  }

  get notices(): readonly string[] {
    return this.#doubtful === 0
      ? []
      : [`${this.#doubtful} off-market trades are written like any others: export a .tape file to keep the mark.`]
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RecordedBlock, void, undefined> {
    for await (const block of this.#blocks) {
      this.rows += block.length
      if ('isDoubtful' in block) for (const each of block.isDoubtful ?? []) this.#doubtful += each
      yield block
    }
  }
}
