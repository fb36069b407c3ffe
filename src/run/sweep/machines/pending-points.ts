/** Points of a sweep without an outcome so far, and their jobs in Redis. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { InputError } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import type { PointOutcome } from '../../../sweep/point-outcome.ts'
import type { SweepPoint } from '../../../sweep/sweep-point.ts'
import { failedPoint } from '../point-runner.ts'
import {
  JOB_OPTIONS,
  MAX_DEATHS,
  outcomeKey,
  type PointJob,
  PREFIX,
  TAKEN_SECONDS,
  unpackedOutcome,
} from './point-queue.ts'

const ABLE_SECONDS = 60
const AGAIN_MS = 20_000

const ableKey = (bundle: string): string => `${PREFIX}:able:${bundle}`

/** Leaves the mark until the work is done, and a while longer. */
export async function reportedAble<T>(redis: Redis, bundle: string, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const report = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await redis.set(ableKey(bundle), 1, 'EX', ABLE_SECONDS)
      await pause(AGAIN_MS, undefined, { signal: over.signal })
    }
  }
  // A Redis error is reported by the next required command.
  void report().catch(() => undefined)
  try {
    return await work
  } finally {
    over.abort()
  }
}

/**
 * A mark in Redis that a machine can run the points of a bundle, for as long as one does: others that cannot may have
 * failed with all of them while it was busy.
 */
const isAnyAble = async (redis: Redis, bundle: string): Promise<boolean> => (await redis.exists(ableKey(bundle))) === 1

/** Error text of BullMQ for a job that stalled too often. */
const TOO_MANY_DEATHS = 'stalled more than allowable limit'
/** Maximum number of concurrent requests to Redis. */
const AT_ONCE = 200

export interface PendingPointsOptions {
  readonly redis: Redis
  readonly queue: Queue
  /** Lower-case hex SHA-256 of the bundle. */
  readonly bundle: string
  /** Uploads the bundle and everything that it names, as far as Redis lacks it. */
  readonly bring: () => Promise<void>
  /** True to ignore outcomes of earlier sweeps. */
  readonly isFresh: boolean
}

export class PendingPoints {
  readonly #options: PendingPointsOptions
  readonly #open = new Map<string, SweepPoint>()

  constructor(options: PendingPointsOptions) {
    this.#options = options
  }

  /** Points by key. */
  get open(): ReadonlyMap<string, SweepPoint> {
    return this.#open
  }

  /** @returns outcomes that Redis already has, except points that died on a machine: those run again */
  async add(points: readonly SweepPoint[]): Promise<readonly PointOutcome[]> {
    const { redis, isFresh } = this.#options
    const keys = points.map(({ key }) => key)
    if (isFresh) await inParts(keys, (part) => redis.del(part.map(outcomeKey)))
    for (const point of points) this.#open.set(point.key, point)
    const there = await this.#take(keys, ({ isOfMachine }) => isOfMachine !== true)
    const wanted = keys.filter((key) => this.#open.has(key))
    // Jobs of an earlier sweep that failed, or whose outcome has expired.
    await this.#each(wanted, async (key) => {
      if (isEnded(await this.#options.queue.getJobState(key))) await this.#options.queue.remove(key)
    })
    await this.#ask(wanted)
    return there
  }

  /**
   * Fetches outcomes, and enqueues points again that Redis has lost.
   *
   * @throws {InputError} if no machine can run a point
   */
  async look(keys: readonly string[]): Promise<readonly PointOutcome[]> {
    const outcomes = [...(await this.#take(keys))]
    const states = await this.#each(this.#without(keys), async (key) => ({
      key,
      state: await this.#options.queue.getJobState(key),
    }))
    const isDone = states.filter(({ state }) => state === 'completed').map(({ key }) => key)
    outcomes.push(...(await this.#take(isDone)))
    for (const { key } of states.filter(({ state }) => state === 'failed')) outcomes.push(...(await this.#failed(key)))
    const lost = states.filter(({ key, state }) => this.#open.has(key) && (state === 'unknown' || isEnded(state)))
    if (lost.length > 0) {
      await this.#options.bring()
      await this.#each(
        lost.map(({ key }) => key),
        (key) => this.#options.queue.remove(key),
      )
      await this.#ask(lost.map(({ key }) => key))
    }
    return outcomes
  }

  /** Removes the jobs that no worker has started. */
  async withdraw(): Promise<void> {
    await this.#each([...this.#open.keys()], (key) => this.#options.queue.remove(key))
  }

  #without(keys: readonly string[]): readonly string[] {
    return [...new Set(keys)].filter((key) => this.#open.has(key))
  }

  async #take(
    keys: readonly string[],
    isWanted: (outcome: PointOutcome) => boolean = () => true,
  ): Promise<readonly PointOutcome[]> {
    const { redis } = this.#options
    const outcomes: PointOutcome[] = []
    await inParts(this.#without(keys), async (part) => {
      const packed = await redis.mgetBuffer(part.map(outcomeKey))
      for (const [index, key] of part.entries()) {
        const bytes = packed[index]
        if (bytes === null || bytes === undefined) continue
        const outcome = unpackedOutcome(key, bytes)
        if (outcome === undefined || !isWanted(outcome)) {
          // A worker would skip the point if an outcome exists.
          await redis.del(outcomeKey(key))
          continue
        }
        outcomes.push(outcome)
        this.#open.delete(key)
        await redis.expire(outcomeKey(key), TAKEN_SECONDS)
      }
    })
    return outcomes
  }

  async #ask(keys: readonly string[]): Promise<void> {
    const { queue, bundle } = this.#options
    await inParts(keys, async (part) => {
      const points = part.flatMap((key) => this.#open.get(key) ?? [])
      await queue.addBulk(
        points.map((point) => {
          const data: PointJob = { bundle, point }
          return { name: 'point', data, opts: { ...JOB_OPTIONS, jobId: point.key } }
        }),
      )
    })
  }

  async #failed(key: string): Promise<readonly PointOutcome[]> {
    const { redis, queue, bundle } = this.#options
    const job: Job<Partial<PointJob>> | undefined = await queue.getJob(key)
    const point = this.#open.get(key)
    if (job === undefined || point === undefined) return []
    const { failedReason } = job
    await queue.remove(key)
    if (!failedReason.includes(TOO_MANY_DEATHS)) {
      // The job is of an earlier sweep, whose tapes and code may be gone, or other machines are able but busy: enqueue
      // it again.
      if (job.data.bundle !== bundle || (await isAnyAble(redis, bundle))) return []
      throw new InputError(setting('redis'), `no worker can run a point: ${failedReason}`)
    }
    this.#open.delete(key)
    // The point itself crashes its workers.
    return [failedPoint(point, `${MAX_DEATHS} workers died while running it`)]
  }

  async #each<T>(keys: readonly string[], ask: (key: string) => Promise<T>): Promise<readonly T[]> {
    const answers: T[] = []
    await inParts(keys, async (part) => {
      answers.push(...(await Promise.all(part.map(ask))))
    })
    return answers
  }
}

const isEnded = (state: string): boolean => state === 'failed' || state === 'completed'

async function inParts(keys: readonly string[], work: (part: readonly string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < keys.length; from += AT_ONCE) await work(keys.slice(from, from + AT_ONCE))
}
