/**
 * Fetches the files of an archive into a tape, oldest first, in batches.
 *
 * Disk and memory are bounded: a batch has a few files, which are removed when they are imported.
 */
import { statSync } from 'node:fs'
import { InputError } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { ArchiveFile, ArchiveSource } from './archive-source.ts'
import { Downloader } from './download.ts'
import type { FetchProgress, FetchWorld, TimeRange } from './fetch-world.ts'
import type { FetchedTape } from './fetched-tape.ts'

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
  readonly #gaps: MarkedGap[] = []
  #filled: TimeRange[] = []
  #bytes = 0
  #hasRows: boolean

  constructor(tape: FetchedTape, signal: AbortSignal | undefined) {
    this.#tape = tape
    this.#signal = signal
    this.#isMarked = tape.head.kind === 'trades'
    this.#hasRows = tape.end !== undefined
  }

  /** A period that the archive does not have. */
  skip(gap: MarkedGap): void {
    this.#gaps.push(gap)
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
    const end = this.#filled.at(-1)?.to ?? this.#tape.end?.time ?? 0
    // Before the rows after them, so that a killed process leaves no gap without a mark.
    const gaps = this.#gaps.filter(({ from }) => from < end)
    if (this.#isMarked) this.#tape.mark(gaps)
    if (this.#sources.length === 0) return
    await this.#tape.add(this.#sources.splice(0), this.#signal)
    this.#hasRows = true
    this.#bytes = 0
    const filled = this.#filled.splice(0)
    if (this.#isMarked) this.#tape.mark(gaps, filled)
  }
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
  const files = archive.list({ symbol, intervalMs, ...range }).filter((file) => file.range.to <= now)
  const coverage = intervalMs === null ? undefined : tape.coverage(range)
  const hashes = tape.hashes()
  const downloader = new Downloader(world, archive.pauseMs)
  const batch = new Batch(tape, world.signal)
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
              isKnown: (sha256) => hashes.has(sha256),
              check: (each) => archive.check(each),
              onBytes: (bytes) => onProgress({ ...progress, bytes }),
            })
      if (found === 'done') await batch.add(path, file)
      if (found === 'known' || found === 'done') known += 1
      if (found !== 'missing' && found !== 'empty') continue
      const gap = { ...file.range, why: `${archive.name} has no ${file.name}` }
      missing.push(gap)
      if (found === 'missing' && file.range.to + archive.publishedWithinMs < now) batch.skip(gap)
    }
  } finally {
    // After a failure too: what has arrived is not downloaded again.
    await batch.store()
    await downloader.close()
  }
  if (known > 0 || files.length === 0) return missing
  const [from, to] = [range.from, range.to].map(isoTime)
  const what = `${symbol} ${tape.head.kind} from ${String(from)} to ${String(to)}`
  throw new InputError('markets', `${archive.name} has no ${what}: check the name of the market and the dates`)
}
