/**
 * Runs the points of a sweep on the workers connected to the same Redis.
 *
 * Invariant: a point is done when its outcome exists, even if Redis, workers or this process were lost in between. Jobs
 * that Redis has lost are enqueued again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Queue, QueueEvents } from 'bullmq'
import { InputError, throwIfAborted } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import type { PointOutcome, PointPool } from '../../../sweep/point-outcome.ts'
import type { SweepPoint } from '../../../sweep/sweep-point.ts'
import { MachineWatch, type HearOfMachines } from './machine-watch.ts'
import type { PackedJobBundle } from './packed-job-bundle.ts'
import { queueName, queueOptions } from './point-queue.ts'
import { PendingPoints } from './pending-points.ts'
import { RedisBlobs } from './redis-blobs.ts'
import { isRefusal, type LinkChange, openRedis, type RedisLink, type RedisPackages, refusalText } from './redis-link.ts'
import { withTimeout, END_MS, withAbort } from './time-limits.ts'

/** Maximum number of points in Redis. */
const WINDOW = 2_000
/** All points are checked after this time without events, and at least at the longer interval. */
const QUIET_MS = 2_000
const LOOK_MS = 20_000
/** Upload interval that keeps the bundle from expiring during long sweeps. */
const BRING_MS = 3_600_000

type UploadedBundle = Pick<PackedJobBundle, 'sha256' | 'upload' | 'forget'>

export interface RedisPoolOptions {
  readonly packages: RedisPackages
  readonly url: URL
  readonly bundle: UploadedBundle
  /** True to ignore outcomes of earlier sweeps. */
  readonly isFresh: boolean
  readonly onMachines: HearOfMachines
  readonly signal?: AbortSignal | undefined
}

interface WindowFilling {
  readonly pending: Pick<PendingPoints, 'add' | 'open'>
  readonly queue: Iterator<SweepPoint>
  /** Maximum number of pending points. */
  readonly window: number
  readonly report: (outcomes: readonly PointOutcome[]) => void
  /** True to stop adding points. */
  readonly isOver: () => boolean
}

/**
 * Adds points while at most half of the window is pending.
 *
 * Invariant: on return the window is empty only if no points remain.
 */
export async function fillWindow({ pending, queue, window, report, isOver }: WindowFilling): Promise<void> {
  while (pending.open.size <= window / 2 && !isOver()) {
    const points = taken(queue, window - pending.open.size)
    if (points.length === 0) return
    report(await pending.add(points))
  }
}

/** The next points; fewer at the end. */
function taken(queue: Iterator<SweepPoint>, count: number): readonly SweepPoint[] {
  const points: SweepPoint[] = []
  while (points.length < count) {
    const next = queue.next()
    if (next.done === true) break
    points.push(next.value)
  }
  return points
}

/** Async signal queue of job keys. */
export class KeySignal {
  readonly #keys = new Set<string>()
  #wake: (() => void) | undefined

  add(key: string): void {
    this.#keys.add(key)
    this.#wake?.()
  }

  /** Ends the wait without a key. */
  wake(): void {
    this.#wake?.()
  }

  /** @returns keys added since the last call, as soon as there is one; empty after `ms`, or after a wake */
  async next(ms: number): Promise<readonly string[]> {
    if (this.#keys.size === 0) {
      const timer = new AbortController()
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await Promise.race([woken, pause(ms, undefined, { signal: timer.signal }).catch(() => undefined)])
      timer.abort()
      this.#wake = undefined
    }
    const keys = [...this.#keys]
    this.#keys.clear()
    return keys
  }
}

export class RedisPool implements PointPool {
  readonly #link: RedisLink
  readonly #queue: Queue
  readonly #events: QueueEvents
  readonly #pending: PendingPoints
  readonly #watch: MachineWatch
  readonly #bundle: UploadedBundle
  readonly #keySignal: KeySignal
  /** Uploads the bundle, as far as Redis lacks it. */
  readonly #bring: () => Promise<void>
  #isEnded = false

  private constructor(
    link: RedisLink,
    keySignal: KeySignal,
    { packages, bundle, isFresh, onMachines }: RedisPoolOptions,
  ) {
    const { bullmq } = packages
    const { redis } = link
    this.#link = link
    this.#keySignal = keySignal
    this.#bundle = bundle
    this.#queue = new bullmq.Queue(queueName(), queueOptions(redis))
    this.#events = new bullmq.QueueEvents(queueName(), queueOptions(redis))
    // Reported by the link.
    this.#queue.on('error', () => undefined)
    this.#events.on('error', () => undefined)
    const report = ({ jobId }: { readonly jobId: string }): void => {
      keySignal.add(jobId)
    }
    this.#events.on('completed', report)
    this.#events.on('failed', report)
    this.#bring = () => bundle.upload(new RedisBlobs(redis))
    this.#pending = new PendingPoints({ redis, queue: this.#queue, bundle: bundle.sha256, bring: this.#bring, isFresh })
    this.#watch = new MachineWatch({ redis, queue: this.#queue, bundle: bundle.sha256, hear: onMachines })
  }

  /**
   * @throws {InputError} if Redis does not answer
   * @throws {AbortError} if `signal` aborts, even while Redis is unreachable
   */
  static async open(options: RedisPoolOptions): Promise<RedisPool> {
    const { packages, url, bundle, onMachines, signal } = options
    const keySignal = new KeySignal()
    const hear = (change: LinkChange): void => {
      onMachines(change)
      if (change.state === 'back') keySignal.wake()
    }
    const link = await openRedis(packages, url, { hear, signal })
    let pool: RedisPool | undefined
    try {
      await withAbort(bundle.upload(new RedisBlobs(link.redis)), signal)
      pool = new RedisPool(link, keySignal, options)
      await withAbort(pool.#events.waitUntilReady(), signal)
      return pool
    } catch (error) {
      await pool?.end()
      link.close()
      throwIfAborted(signal)
      throw refusedByRedis(error)
    }
  }

  async run(
    points: readonly SweepPoint[],
    onOutcome: (outcome: PointOutcome) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    throwIfAborted(signal)
    if (this.#isEnded) throw new Error('a pool that has ended runs nothing')
    let isOver = false
    try {
      const work = this.#work(
        points,
        (outcome) => {
          if (!isOver) onOutcome(outcome)
        },
        () => isOver,
      )
      await withAbort(work, signal)
    } catch (error) {
      isOver = true
      await withTimeout(END_MS, this.#pending.withdraw())
      throwIfAborted(signal)
      throw refusedByRedis(error)
    } finally {
      isOver = true
    }
  }

  async #work(
    points: readonly SweepPoint[],
    onOutcome: (outcome: PointOutcome) => void,
    isOver: () => boolean,
  ): Promise<void> {
    const pending = this.#pending
    const queue = points.values()
    const report = (outcomes: readonly PointOutcome[]): void => outcomes.forEach(onOutcome)
    let lookedAt = Date.now()
    let broughtAt = Date.now()
    while (!isOver()) {
      await fillWindow({ pending, queue, window: WINDOW, report, isOver })
      if (pending.open.size === 0) return
      // If a machine lacks a file, Redis may have lost it.
      if ((await this.#watch.look()) || Date.now() - broughtAt > BRING_MS) {
        broughtAt = Date.now()
        await this.#bring()
      }
      const keys = await this.#keySignal.next(QUIET_MS)
      const isLook = keys.length === 0 || Date.now() - lookedAt > LOOK_MS
      if (isLook) lookedAt = Date.now()
      report(await pending.look(isLook ? [...pending.open.keys()] : keys))
    }
  }

  async end(): Promise<void> {
    if (this.#isEnded) return
    this.#isEnded = true
    await withTimeout(END_MS, Promise.all([this.#events.close(), this.#queue.close()]))
    this.#link.close()
    await this.#bundle.forget()
  }
}

const refusedByRedis = (error: unknown): unknown =>
  isRefusal(error) ? new InputError(setting('redis'), refusalText(error), { cause: error }) : error
