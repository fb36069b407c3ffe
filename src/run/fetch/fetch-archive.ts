/**
 * Fetches the files of an archive into a tape, oldest first, in batches.
 *
 * Disk and memory are bounded: a batch has a few files, which are removed when they are imported.
 */
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { ArchiveFile, ArchiveSource } from './archive-source.ts'
import { Downloader } from './download.ts'
import type { FetchProgress, FetchWorld, TimeRange } from './fetch-world.ts'
import { type FetchedTape, NOT_FETCHED } from './fetched-tape.ts'

const MAX_BATCH_FILES = 32
const MAX_BATCH_BYTES = 64 * 1024 * 1024

interface Fetching {
  readonly world: FetchWorld
  readonly onProgress: (progress: FetchProgress) => void
}

/** Files that were downloaded and are imported together. */
class Batch {
  readonly #tape: FetchedTape
  readonly #signal: AbortSignal | undefined
  readonly #sources: TapeSource[] = []
  /** Only trades have marks: candles show by themselves what is missing. */
  readonly #isMarked: boolean
  readonly #to: number
  readonly #archive: ArchiveSource
  readonly #gaps: MarkedGap[] = []
  readonly #filled: TimeRange[] = []
  #bytes = 0
  #isFirst = true
  #hasRows: boolean

  /** @param to  end of the requested range */
  constructor(tape: FetchedTape, archive: ArchiveSource, to: number, signal: AbortSignal | undefined) {
    this.#tape = tape
    this.#archive = archive
    this.#to = to
    this.#signal = signal
    this.#isMarked = tape.head.kind === 'trades'
    this.#hasRows = tape.end !== undefined
  }

  /** A period that the archive does not have. */
  skip(gap: MarkedGap): void {
    this.#gaps.push(gap)
  }

  /** A file whose rows are all stored. */
  fill({ range }: ArchiveFile): void {
    this.#filled.push(range)
  }

  async add(path: string, { reading, range }: ArchiveFile): Promise<void> {
    this.#sources.push({ ...reading, file: path })
    this.#filled.push(range)
    this.#bytes += statSync(path).size
    const isFull = this.#sources.length >= MAX_BATCH_FILES || this.#bytes >= MAX_BATCH_BYTES
    // The first file makes the tape, in which gaps can be marked.
    if (isFull || !this.#hasRows) await this.store()
  }

  async store(): Promise<void> {
    if (this.#signal?.aborted === true) return
    const [first] = this.#filled
    const end = Math.max(this.#filled.at(-1)?.to ?? 0, this.#tape.end?.time ?? 0)
    const gaps = this.#gaps.filter(({ from }) => from < end)
    // Before the rows after them, so that a killed process leaves no gap without a mark.
    if (this.#isMarked && first !== undefined) {
      const open = this.#isFirst ? notFetched(this.#tape, this.#archive, { from: first.from, to: this.#to }) : []
      this.#isFirst = false
      this.#tape.mark([...gaps, ...open])
    }
    if (this.#sources.length > 0) {
      await this.#tape.add(this.#sources.splice(0), this.#signal)
      this.#hasRows = true
      this.#bytes = 0
    }
    if (this.#isMarked) this.#tape.mark(gaps, this.#filled.splice(0))
  }
}

/** Periods up to the stored rows on both sides of a range whose files are not stored. */
function notFetched(tape: FetchedTape, archive: ArchiveSource, fetched: TimeRange): readonly MarkedGap[] {
  const { symbol, intervalMs } = tape.head
  const { before, after } = tape.neighbours(fetched)
  const range = { from: before ?? fetched.from, to: after ?? Math.max(fetched.from, tape.end?.time ?? 0) }
  const stored = new Set(tape.manifests().map(({ name }) => basename(name)))
  const gaps: MarkedGap[] = []
  for (const file of archive.list({ symbol, intervalMs, ...range })) {
    if (stored.has(file.name)) continue
    const gap = { from: Math.max(range.from, file.range.from), to: Math.min(range.to, file.range.to), why: NOT_FETCHED }
    const last = gaps.at(-1)
    if (last?.to === gap.from) gaps[gaps.length - 1] = { ...last, to: gap.to }
    else if (gap.from < gap.to) gaps.push(gap)
  }
  return gaps
}

/**
 * @returns periods that the archive does not have
 * @throws {InputError} if it has no file of the market
 */
export async function fetchArchive(
  tape: FetchedTape,
  archive: ArchiveSource,
  range: TimeRange,
  { world, onProgress }: Fetching,
): Promise<readonly MarkedGap[]> {
  const { symbol, intervalMs } = tape.head
  const now = world.time.now()
  const listed = archive.list({ symbol, intervalMs, ...range })
  const files = listed.filter((file) => file.range.to <= now)
  const coverage = intervalMs === null ? undefined : tape.coverage(range)
  const hashes = new Set(tape.manifests().map(({ sha256 }) => sha256))
  const downloader = new Downloader(world, archive.pauseMs)
  const batch = new Batch(tape, archive, range.to, world.signal)
  const missing: MarkedGap[] = []
  let known = 0
  try {
    for (const [done, file] of files.entries()) {
      const progress = { done, all: files.length, unit: 'files' } as const
      onProgress(progress)
      const path = tape.stage(file.name)
      const found =
        coverage?.isFull(file.range) === true
          ? 'known'
          : await downloader.download({
              url: file.url,
              checksumUrl: file.checksumUrl,
              path,
              maxBytes: archive.maxFileBytes,
              isKnown: (sha256) => hashes.has(sha256),
              check: (each) => archive.check(each),
              onBytes: (bytes) => onProgress({ ...progress, bytes }),
            })
      if (found === 'done') await batch.add(path, file)
      else if (found !== 'missing') batch.fill(file)
      if (found === 'known' || found === 'done') known += 1
      if (found !== 'missing' && found !== 'empty') continue
      const gap = { ...file.range, why: `${archive.name} has no ${file.name}` }
      missing.push(gap)
      if (found === 'missing') batch.skip(gap)
    }
  } finally {
    // After a failure too: what has arrived is not downloaded again.
    await batch.store()
    await downloader.close()
  }
  if (known > 0 || files.length === 0) return allMissing(tape, archive, range, missing, listed[files.length])
  const [from, to] = [range.from, range.to].map(isoTime)
  const what = `${symbol} ${tape.head.kind} from ${String(from)} to ${String(to)}`
  throw new InputError('markets', `${archive.name} has no ${what}: check the name of the market and the dates`)
}

/**
 * @param files  periods of files that the archive does not have
 * @param late   first file of a time that is not over
 */
function allMissing(
  tape: FetchedTape,
  { name }: ArchiveSource,
  { from, to }: TimeRange,
  files: readonly MarkedGap[],
  late: ArchiveFile | undefined,
): readonly MarkedGap[] {
  const end = Math.min(to, Math.max(from, late?.range.from ?? to))
  const isTrades = tape.head.kind === 'trades'
  const gaps = isTrades ? files : tape.coverage({ from, to: end }).missing(`${name} has no candles`)
  return late === undefined || end >= to
    ? gaps
    : [...gaps, { from: end, to, why: `${name} has not published ${late.name} yet` }]
}
