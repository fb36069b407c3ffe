/** A bundle and the bytes that it names, ready for upload. Tapes are in a temporary folder until the sweep ends. */
import { liquidityOf } from '../../../runtime/backtest/liquidity-choice.ts'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InputError } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import { pathInArchive } from '../../../import/formats/recording-bytes.ts'
import { recordedMarkets } from '../../../runtime/backtest/recorded-markets.ts'
import type { TurnLimit } from '../../../runtime/turn-watch.ts'
import { openTape } from '../../../store/tapes/open-tape.ts'
import type { SweepCode } from '../point-runner.ts'
import type { SweepSetup } from '../sweep-thread.ts'
import { packTape } from './packed-tape.ts'
import type { BlobSource, RedisBlobs } from './redis-blobs.ts'
import { jobBundleText, travellingCode, type JobBundle } from './job-bundle.ts'

export interface JobBundleOptions {
  readonly setup: Pick<SweepSetup, 'settings' | 'inspected' | 'inspectedSeries'>
  readonly code: SweepCode
  /** Result of `identityHash`. */
  readonly identity: string
  readonly turnLimit: TurnLimit
  readonly signal?: AbortSignal | undefined
}

export class PackedJobBundle {
  /** Lower-case hex SHA-256 of its text. */
  readonly sha256: string
  readonly #blobs: ReadonlyMap<string, BlobSource>
  readonly #folder: string

  private constructor(sha256: string, blobs: ReadonlyMap<string, BlobSource>, folder: string) {
    this.sha256 = sha256
    this.#blobs = blobs
    this.#folder = folder
  }

  /** @throws {InputError} for settings or code that cannot be sent, or for a tape that changed */
  static async pack(options: JobBundleOptions): Promise<PackedJobBundle> {
    const folder = await mkdtemp(join(tmpdir(), 'papertape-sweep-'))
    try {
      const blobs = new Map<string, BlobSource>()
      const bundle = await bundleOf(options, folder, blobs)
      const text = Buffer.from(jobBundleText(bundle))
      const sha256 = createHash('sha256').update(text).digest('hex')
      blobs.set(sha256, text)
      return new PackedJobBundle(sha256, blobs, folder)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** Uploads what Redis lacks, the bundle itself last. */
  async upload(to: RedisBlobs): Promise<void> {
    for (const [sha256, source] of this.#blobs) await to.put(sha256, source)
  }

  async forget(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}

async function bundleOf(options: JobBundleOptions, folder: string, blobs: Map<string, BlobSource>): Promise<JobBundle> {
  const { setup, code, identity, turnLimit, signal } = options
  const { settings, inspected, inspectedSeries } = setup
  const { strategy, sources, liquiditySha256 } = code
  const travelling = {
    strategy: travellingCode(settings.strategy, sources.strategy),
    liquidity: travellingCode(liquidityOf(settings), sources.liquidity),
  }
  for (const source of [sources.strategy, sources.liquidity]) {
    for (const { sha256, bytes } of source?.files ?? []) blobs.set(sha256, bytes)
  }
  const markets = recordedMarkets(setting('tapes'), inspected, settings)
  const tapes: JobBundle['tapes'][number][] = []
  for (const [index, tape] of inspected.entries()) {
    const market = markets.find(({ symbol }) => symbol === tape.info.symbol)
    const file = join(folder, `${index}.tape`)
    const sha256 = await packTape(openTape(tape, market ?? tape.info), file, signal)
    blobs.set(sha256, { file })
    const { source, info, gaps } = tape
    tapes.push({ inspected: { source, info, gaps }, sha256 })
  }
  const series = inspectedSeries.map(({ info: { name, file, sha256 } }) => {
    if (pathInArchive(file)[1] !== undefined)
      throw new InputError(setting('redis'), `'${file}' is in an archive, and cannot travel: unpack it`)
    blobs.set(sha256, { file })
    return { name, sha256 }
  })
  return {
    identity,
    settings,
    turnLimit,
    tapes,
    ...(series.length > 0 && { series }),
    ...travelling,
    strategySha256: strategy.sha256,
    liquiditySha256,
  }
}
