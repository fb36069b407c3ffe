/** A file read, checked and put in order before anything of the tape is touched. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { InputError } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import { writeFault } from '../../../domain/write-fault.ts'
import type { MarkedGap } from '../../../tape/gap-marks.ts'
import { listOf } from '../../../tape/notices.ts'
import { type BadRow, BadRows } from '../../../import/csv/bad-rows.ts'
import type { TapeSource } from '../../../import/tape-source.ts'
import { gapNotices, readGapFile, type GapFile } from '../gap-file.ts'
import { checkReading } from '../inspect-tape.ts'
import { storedForm } from '../inspect-stored.ts'
import type { SpoolRoom } from '../block-spool.ts'
import { SpooledMarket } from '../row-spool.ts'
import { readRecording, type Recording, type RecordingOptions } from '../read-recording.ts'
import type { ImportManifest } from './manifest.ts'
import type { IncomingMarket } from './merge-market.ts'
import { rowGapsOf } from './row-gaps.ts'

/** Options for reading a file that may have invalid rows. */
export interface StagingOptions extends Pick<RecordingOptions, 'signal' | 'onBytesRead'> {
  readonly room: SpoolRoom
  /** Rows that are wrong are passed over, up to so many; undefined to end at the first. */
  readonly maxBad?: number | undefined
  /** File for the rejected rows; default: next to the recording. */
  readonly rejects?: string | undefined
}

export interface StagedRecording {
  readonly market: IncomingMarket
  /** Undefined if there is no gap file next to it. */
  readonly gaps: readonly MarkedGap[] | undefined
  /** Manifest without the results of the merge. */
  readonly manifest: Omit<ImportManifest, 'imported' | 'importedAt'>
  /** Stored with the manifest, by which the same import is recognised later. */
  readonly request?: string | undefined
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/**
 * CSV of the skipped rows, next to the recording: line, reason and the original row.
 *
 * It gets its name when it is complete.
 */
class RejectsFile {
  readonly path: string
  readonly #partial: string
  #descriptor: number | undefined

  /** @param path  of the file; nothing is made before the first row */
  constructor(path: string) {
    this.path = path
    this.#partial = `${path}.${process.pid}.partial`
  }

  /** @throws {InputError} when it cannot be written */
  add({ line, message, text }: BadRow): void {
    try {
      if (this.#descriptor === undefined) {
        this.#descriptor = openSync(this.#partial, 'w')
        writeSync(this.#descriptor, 'line,error,row\n')
      }
      writeSync(this.#descriptor, `${line},${quoted(message)},${quoted(text)}\n`)
    } catch (error) {
      throw writeFault(this.path, 'the rejected rows cannot be written', error)
    }
  }

  /** Gives it its name. @returns the path; undefined when nothing was rejected */
  finish(): string | undefined {
    if (this.#descriptor === undefined) return undefined
    closeSync(this.#descriptor)
    renameSync(this.#partial, this.path)
    return this.path
  }

  /** Removes the partial file. */
  abandon(): void {
    if (this.#descriptor === undefined) return
    closeSync(this.#descriptor)
    this.#descriptor = undefined
    rmSync(this.#partial, { force: true })
  }
}

/**
 * @throws {InputError} at the first row that is wrong, or naming the file or the setting
 * @throws {AbortError} when `signal` says so
 */
export async function stageRecording(source: TapeSource, options: StagingOptions): Promise<StagedRecording> {
  const { file } = source
  checkReading(source)
  if ((await storedForm(file)) !== undefined) {
    throw new InputError(file, 'this is an imported tape already: use it as it is')
  }
  if (source.candleClose === 'next') {
    throw new InputError(
      setting('candleClose', 'next'),
      `an imported tape has candles of one length; run the backtest on ${file} directly`,
    )
  }
  const rejects = new RejectsFile(options.rejects ?? `${file}.rejects.csv`)
  const bad =
    options.maxBad === undefined
      ? undefined
      : new BadRows(
          options.maxBad,
          (row) => rejects.add(row),
          () => rejects.abandon(),
        )
  try {
    const { signal, onBytesRead, room } = options
    const recording = await readRecording(source, { signal, onBytesRead, room, bad })
    const gapFile = await readGapFile(file)
    const { spooled, kind } = recording
    if (spooled === undefined) {
      throw new InputError(file, 'the disk for temporary files is full: use another with TMPDIR')
    }
    const market = new SpooledMarket(spooled)
    const account = { ...accountOf(file, recording, bad), gaps: rowGapsOf(market), rejects: rejects.finish() ?? null }
    return { market, gaps: kind === 'trades' ? gapFile?.gaps : undefined, manifest: withMarks(account, gapFile) }
  } catch (error) {
    rejects.abandon()
    throw error
  }
}

type Staged = StagedRecording['manifest']
type Account = Omit<Staged, 'markedGaps' | 'kind'> & Pick<Recording, 'kind'>

function accountOf(
  name: string,
  { symbol, kind, totals, duplicates, leftOut, reading, sha256, bytes, notices, unit, spooled }: Recording,
  bad: BadRows | undefined,
): Omit<Account, 'gaps' | 'rejects'> {
  const count = bad?.count ?? 0
  const head = spooled?.head
  const entries = spooled?.blocks ?? []
  const shiftMs = spooled?.shiftMs ?? 0
  return {
    name,
    sha256,
    bytes,
    dialect: reading.dialect,
    symbol,
    kind,
    intervalMs: head?.intervalMs ?? null,
    rowsIn: totals.rows + duplicates + count,
    duplicate: duplicates,
    bad: count,
    reasons: bad?.reasons ?? [],
    leftOut: Object.fromEntries(leftOut),
    first: (entries[0]?.entry.first ?? 0) + shiftMs,
    last: (entries.at(-1)?.entry.last ?? 0) + shiftMs,
    unit,
    notices,
  }
}

function withMarks(account: Account, gapFile: GapFile | undefined): Staged {
  if (gapFile === undefined) return { ...account, markedGaps: null }
  const { kind, first, last, notices } = account
  const words = gapNotices(gapFile, { kind, from: first, to: last })
  return { ...account, markedGaps: gapFile.gaps.length, notices: [...listOf(words).notices, ...notices] }
}
