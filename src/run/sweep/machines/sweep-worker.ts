/**
 * A worker of sweeps: runs points from Redis in threads until it is stopped.
 *
 * Invariant: the outcome is in Redis before the job is done. If a worker or Redis is lost in between, the next worker
 * finds the outcome and skips the job.
 */
import { availableParallelism, hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { InputError } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import { thrownText } from '../../../domain/thrown-text.ts'
import { userCacheFolder } from '../../../runtime/modules/user-cache.ts'
import type { PointOutcome } from '../../../sweep/point-outcome.ts'
import { version } from '../../../runtime/version.ts'
import { reportedAble } from './pending-points.ts'
import { MachineCache } from './machine-cache.ts'
import {
  FAULT_SECONDS,
  faultsKey,
  LOCK_MS,
  MAX_DEATHS,
  OUTCOME_SECONDS,
  outcomeKey,
  packedOutcome,
  pointJobSchema,
  queueName,
  queueOptions,
  STALLED_MS,
} from './point-queue.ts'
import { RedisBlobs } from './redis-blobs.ts'
import {
  isRefusal,
  type LinkChange,
  loadRedisPackages,
  openRedis,
  type RedisPackages,
  refusalText,
} from './redis-link.ts'
import { checkedRedisUrl, shownUrl } from '../redis-url.ts'
import { withTimeout, END_MS } from './time-limits.ts'
import { MAX_WORKERS } from '../thread-pool.ts'
import { JobPools } from './job-pools.ts'
import { writeFault } from '../../../domain/write-fault.ts'

/** Pause of a machine after a point that it cannot run. */
const FAULT_PAUSE_MS = 2_000

/** An event of a worker. */
export type SweepWorkerEvent = WorkerReady | WorkerSweep | WorkerPoint | WorkerFault | LinkChange

/** The worker takes points from now on. */
export interface WorkerReady {
  readonly type: 'ready'
  /** URL of Redis, without user and password. */
  readonly redis: string
  /** Count of threads. */
  readonly workers: number
  /** Version of papertape. */
  readonly version: string
}

/** The worker runs points of this sweep from now on. */
export interface WorkerSweep {
  readonly type: 'sweep'
  /** Strategy, as the sweep names it. */
  readonly strategy: string
  /** Symbols of the tapes. */
  readonly tapes: readonly string[]
}

/** A point was run. */
export interface WorkerPoint {
  readonly type: 'done'
  /** Outcome of the point. */
  readonly outcome: PointOutcome
}

/** A point cannot run on this machine, and is left to others. */
export interface WorkerFault {
  readonly type: 'fault'
  /** The reason, in one line. */
  readonly text: string
}

/** Options of a worker. */
export interface SweepWorkerOptions {
  /** URL of Redis, such as `redis://127.0.0.1:6379`. Anyone who can write to it can run code on this machine. */
  readonly redis: string
  /** Count of threads: 1 to 256; default: one per core. */
  readonly workers?: number | undefined
  /** Directory to cache tapes and code of sweeps; default: in your user cache. */
  readonly cache?: string | undefined
  /** Directory whose `node_modules` has the packages that strategies import; default: the working directory. */
  readonly packages?: string | undefined
  /** Ends the worker, once its running points are done. */
  readonly signal?: AbortSignal | undefined
  /** Called for each event. */
  readonly onEvent?: ((event: SweepWorkerEvent) => void) | undefined
}

/**
 * Runs points of sweeps that use this Redis and this version of papertape, one at a time in each thread.
 *
 * @throws {InputError} if Redis does not answer, or an option is wrong
 */
export async function sweepWorker(options: SweepWorkerOptions): Promise<void> {
  const { workers = availableParallelism(), signal, onEvent = () => undefined } = options
  if (!Number.isInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
    throw new InputError(setting('workers'), `expected an integer from 1 to ${MAX_WORKERS}, got ${String(workers)}`)
  }
  const url = checkedRedisUrl(options.redis)
  const packages = await loadRedisPackages()
  const { redis, close } = await openRedis(packages, url, { hear: onEvent })
  const zone = process.env.TZ
  // Threads inherit the time zone when they start.
  process.env.TZ = 'UTC'
  try {
    const blobs = new RedisBlobs(redis)
    const pools = new JobPools({
      blobs,
      workers,
      clock: Date.now,
      packages: options.packages ?? '.',
      cache: cacheOf(options.cache, blobs),
      onAble: (bundle, run) => reportedAble(redis, bundle, run),
      onSweep: ({ settings, tapes }) => {
        const symbols = tapes.map(({ inspected }) => inspected.info.symbol)
        onEvent({ type: 'sweep', strategy: settings.strategy, tapes: symbols })
      },
    })
    const running = new Set<Promise<void>>()
    const worker = workerOf(packages, { redis, pools, workers, onEvent, running })
    onEvent({ type: 'ready', redis: shownUrl(url), workers, version: version() })
    await ended(signal)
    await closed(worker, running, close)
    await pools.end()
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
    close()
  }
}

function cacheOf(folder: string | undefined, blobs: RedisBlobs): MachineCache {
  const place = folder ?? userCacheFolder('sweeps')
  if (place === undefined) throw new InputError(setting('cache'), 'name a folder: this user has no home directory')
  try {
    return new MachineCache(place, blobs, Date.now())
  } catch (error) {
    throw writeFault(setting('cache'), `'${place}' cannot be written`, error)
  }
}

interface Work {
  readonly redis: Redis
  readonly pools: JobPools
  readonly workers: number
  readonly onEvent: (event: SweepWorkerEvent) => void
  /** Points in progress. */
  readonly running: Set<Promise<void>>
}

function workerOf({ bullmq }: RedisPackages, work: Work): Worker {
  const { redis, workers, running, onEvent } = work
  const run = async (job: Job): Promise<void> => {
    const point = done(job, work)
    running.add(point)
    try {
      await point
    } finally {
      running.delete(point)
    }
  }
  const worker = new bullmq.Worker(queueName(), run, {
    ...queueOptions(redis),
    concurrency: workers,
    lockDuration: LOCK_MS,
    lockRenewTime: LOCK_MS / 4,
    stalledInterval: STALLED_MS,
    maxStalledCount: MAX_DEATHS,
    runRetryDelay: 1_000,
    drainDelay: 2,
  })
  worker.on('error', (error) => {
    // The link reports a lost Redis; a lost lock belongs to another worker by then.
    if (!isRefusal(error) || worker.isPaused()) return
    onEvent({ type: 'fault', text: refusalText(error) })
    rested(worker).catch((fault: unknown) => {
      onEvent({ type: 'fault', text: thrownText(fault) })
    })
  })
  return worker
}

/**
 * Pauses a worker after an error reply: retrying immediately would be refused too. Resuming restarts the check for
 * stalled jobs.
 */
async function rested(worker: Worker): Promise<void> {
  await worker.pause(true)
  await pause(FAULT_PAUSE_MS, undefined, { ref: false })
  await worker.resume()
}

/** Waits for the points in progress; if Redis is unreachable, closes without an orderly shutdown. */
async function closed(worker: Worker, running: ReadonlySet<Promise<void>>, closeLink: () => void): Promise<void> {
  const closing = worker.close()
  do {
    await Promise.allSettled(running)
    await withTimeout(END_MS, closing)
  } while (running.size > 0)
  closeLink()
  await withTimeout(END_MS, closing)
}

/** @throws {Error} if another machine must run the point */
async function done(job: Job, { redis, pools, onEvent }: Work): Promise<void> {
  const { bundle, point } = pointJobSchema.parse(job.data)
  try {
    // Done by a worker that died before completing the job.
    if ((await redis.exists(outcomeKey(point.key))) === 1) return
    const outcome = await pools.run(bundle, point)
    await redis.set(outcomeKey(point.key), packedOutcome(outcome), 'EX', OUTCOME_SECONDS)
    onEvent({ type: 'done', outcome })
  } catch (error) {
    const [text = ''] = thrownText(error).split('\n')
    onEvent({ type: 'fault', text })
    await redis.sadd(faultsKey(bundle), `${hostname()}: ${text}`)
    await redis.expire(faultsKey(bundle), FAULT_SECONDS)
    await pause(FAULT_PAUSE_MS)
    throw new Error(`${hostname()}: ${text}`, { cause: error })
  }
}

function ended(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve()
    else signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
