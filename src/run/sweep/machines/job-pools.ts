/**
 * Thread pools of a worker, one per sweep, so that each sweep is fetched and loaded once.
 *
 * Invariant: LRU of two pools; a pool that is running a point is never evicted, so there may temporarily be more.
 */
import { InputError, invariant } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import { liquidityOf } from '../../../runtime/backtest/liquidity-choice.ts'
import type { BacktestSettings } from '../../../runtime/settings/backtest-settings.ts'
import { TapeFile } from '../../../store/tapes/blocks/tape-file.ts'
import type { InspectedSeries } from '../../../store/series/inspected-series.ts'
import { MAX_SPOOL_BYTES } from '../../../store/tapes/block-spool.ts'
import type { InspectedTape } from '../../../store/tapes/inspected-tape.ts'
import { pointKey } from '../../../sweep/point-key.ts'
import type { PointOutcome } from '../../../sweep/point-outcome.ts'
import type { SweepPoint } from '../../../sweep/sweep-point.ts'
import type { SweepCode } from '../point-runner.ts'
import { sharedSetup } from '../shared-setup.ts'
import type { SweepSetup } from '../sweep-thread.ts'
import { ThreadPool } from '../thread-pool.ts'
import { type JobBundle, readJobBundle } from './job-bundle.ts'
import type { MachineCache } from './machine-cache.ts'
import type { RedisBlobs } from './redis-blobs.ts'

interface OpeningOptions {
  readonly cache: MachineCache
  /** Folder from which the imported packages are resolved. */
  readonly packages: string
  /** Unix milliseconds. */
  readonly now: number
}

/** @throws {InputError} if Redis does not have all files */
async function openJobBundle(bundle: JobBundle, { cache, packages, now }: OpeningOptions): Promise<SweepSetup> {
  const { strategy, liquidity } = bundle
  const settings: BacktestSettings = {
    ...bundle.settings,
    ...(strategy !== null && { strategy: await cache.code(strategy, packages, now) }),
    ...(liquidity !== null && { liquidity: await cache.code(liquidity, packages, now) }),
  }
  const inspected: InspectedTape[] = []
  for (const { inspected: found, sha256 } of bundle.tapes) {
    const file = await cache.tape(sha256, now)
    inspected.push({ ...found, rows: { form: 'tape-file', file, sha256: rowsSha256(file) } })
  }
  const inspectedSeries: InspectedSeries[] = []
  for (const { name, sha256 } of bundle.series ?? []) {
    const { inspectSeries } = await import('../../../store/series/inspect-series.ts')
    const file = await cache.tape(sha256, now)
    inspectedSeries.push(await inspectSeries({ name, file }, { room: { bytes: MAX_SPOOL_BYTES } }))
  }
  return await sharedSetup(settings, { inspected, inspectedBooks: [], inspectedSeries })
}

/** Hash of the rows, as stored in the index of the file. */
function rowsSha256(file: string): string {
  const tape = new TapeFile(file)
  tape.close()
  return tape.sha256
}

/** @throws {InputError} if the code loaded here differs from that of the sweep */
function checkSameCode({ strategySha256, liquiditySha256, settings }: JobBundle, code: SweepCode): void {
  checkSame(settings.strategy, strategySha256, code.strategy.sha256)
  checkSame(liquidityOf(settings), liquiditySha256, code.liquiditySha256)
}

function checkSame(reference: string, wanted: string | null, found: string | null): void {
  if (found === wanted) return
  const [there, here] = [wanted, found].map((sha256) => sha256?.slice(0, 12) ?? 'none')
  const why = 'papertape or an imported package has another version here'
  throw new InputError(reference, `has SHA-256 ${here ?? ''} on this machine, and ${there ?? ''} in the sweep: ${why}`)
}

const MAX_SWEEPS = 2

interface JobPool {
  readonly bundle: JobBundle
  readonly pool: ThreadPool
}

interface Place {
  readonly pool: Promise<JobPool>
  running: number
}

export interface JobPoolOptions extends Omit<OpeningOptions, 'now'> {
  readonly blobs: RedisBlobs
  readonly workers: number
  /** Unix milliseconds. */
  readonly clock: () => number
  /** Called when this machine starts to run points of a sweep. */
  readonly onSweep: (bundle: JobBundle) => void
  /** Receives each run with the digest of its bundle, after the bundle was opened successfully. */
  readonly onAble: (bundle: string, run: Promise<void>) => Promise<void>
}

export class JobPools {
  readonly #options: JobPoolOptions
  /** Pools by digest of their bundle, least recently used first. */
  readonly #places = new Map<string, Place>()

  constructor(options: JobPoolOptions) {
    this.#options = options
  }

  /**
   * @param bundle  lower-case hex SHA-256 of the bundle
   * @throws {InputError} if the point cannot run here
   */
  async run(bundle: string, point: SweepPoint): Promise<PointOutcome> {
    const place = this.#place(bundle)
    try {
      const { pool, bundle: opened } = await place.pool
      if (pointKey(opened.identity, point) !== point.key) {
        throw new InputError(setting('redis'), `has a point under a key that is not its own, ${point.key.slice(0, 12)}`)
      }
      let outcome: PointOutcome | undefined
      const run = pool.run([point], (each) => {
        outcome = each
      })
      await this.#options.onAble(bundle, run)
      invariant(outcome !== undefined, 'a pool runs every point')
      return outcome
    } catch (error) {
      // Reopened from scratch on the next attempt: the missing package may be installed by then.
      if (this.#places.get(bundle) === place) this.#places.delete(bundle)
      await endPool(place)
      throw error
    } finally {
      place.running -= 1
      this.#makeRoom()
    }
  }

  async end(): Promise<void> {
    const places = [...this.#places.values()]
    this.#places.clear()
    await Promise.all(places.map(endPool))
  }

  #place(bundle: string): Place {
    const known = this.#places.get(bundle)
    const place = known ?? { pool: this.#open(bundle), running: 0 }
    // Prevents an unhandled rejection; `run` reports the error.
    if (known === undefined) place.pool.catch(() => undefined)
    // Counted before eviction, so that the requested pool cannot be evicted itself.
    place.running += 1
    this.#places.delete(bundle)
    this.#places.set(bundle, place)
    this.#makeRoom()
    return place
  }

  #makeRoom(): void {
    for (const [bundle, place] of this.#places) {
      if (this.#places.size <= MAX_SWEEPS) return
      if (place.running > 0) continue
      this.#places.delete(bundle)
      void endPool(place)
    }
  }

  async #open(sha256: string): Promise<JobPool> {
    const { blobs, workers, clock, onSweep, ...opening } = this.#options
    const bundle = readJobBundle((await blobs.fetch(sha256)).toString())
    const setup = await openJobBundle(bundle, { ...opening, now: clock() })
    const pool = await poolOf(setup, workers, bundle)
    try {
      checkSameCode(bundle, pool.code)
    } catch (error) {
      await pool.end()
      throw error
    }
    onSweep(bundle)
    return { bundle, pool }
  }
}

/** @throws {InputError} with files named as the user named them */
async function poolOf(setup: SweepSetup, workers: number, { settings, turnLimit }: JobBundle): Promise<ThreadPool> {
  try {
    return await ThreadPool.open({ setup, workers, turnLimit })
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const { strategy } = setup.settings
    throw error.atFile(strategy, settings.strategy).atFile(liquidityOf(setup.settings), liquidityOf(settings))
  }
}

async function endPool({ pool }: Place): Promise<void> {
  try {
    await (await pool).pool.end()
  } catch {
    // Opening failed; `run` has thrown the error.
  }
}
