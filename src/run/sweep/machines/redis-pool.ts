/**
 * Runs the points of a sweep on whatever machines have a worker at the same Redis.
 *
 * Invariant: a point is done when its outcome is there, whoever brought it and however often Redis, a worker or this
 * process went away meanwhile. What Redis has lost is given to it again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Queue, QueueEvents } from 'bullmq'
import { InputError, throwIfAborted } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import type { PointOutcome } from '../../../runtime/sweep/point-outcome.ts'
import type { PointPool } from '../../../runtime/sweep/point-pool.ts'
import type { SweepPoint } from '../../../runtime/sweep/sweep-point.ts'
import { MachineWatch, type HearOfMachines } from './machine-watch.ts'
import type { PackedJobBundle } from './packed-job-bundle.ts'
import { queueName, queueOptions } from './point-queue.ts'
import { PendingPoints } from './pending-points.ts'
import { RedisBlobs } from './redis-blobs.ts'
import { isRefusal, type LinkChange, openRedis, type RedisLink, refusalText } from './redis-link.ts'
import type { RedisPackages } from './redis-packages.ts'
import { withTimeout, END_MS, withAbort } from './time-limits.ts'

/** Points that wait in Redis at once. */
const WINDOW = 2_000
/** After so long without news all points are looked at, and so often however much news there is. */
const QUIET_MS = 2_000
const LOOK_MS = 20_000
/** So that it outlasts a sweep of weeks. */
const BRING_MS = 3_600_000

type UploadedBundle = Pick<PackedJobBundle, 'sha256' | 'upload' | 'forget'>

export interface RedisPoolOptions {
  readonly packages: RedisPackages
  readonly url: URL
  readonly bundle: UploadedBundle
  /** True to take nothing that was done before. */
  readonly isFresh: boolean
  readonly onMachines: HearOfMachines
  readonly signal?: AbortSignal | undefined
}

interface WindowFilling {
  readonly pending: Pick<PendingPoints, 'add' | 'open'>
  readonly queue: Iterator<SweepPoint>
  /** Points that are waited for at once. */
  readonly window: number
  readonly tell: (outcomes: readonly PointOutcome[]) => void
  /** True where nothing is to be asked any more. */
  readonly isOver: () => boolean
}

/**
 * Asks for the next points of a sweep, as long as few are waited for.
 *
 * Invariant: once it is done, nothing is waited for only where no point is left, however many had an outcome already.
 */
export async function fillWindow({ pending, queue, window, tell, isOver }: WindowFilling): Promise<void> {
  while (pending.open.size <= window / 2 && !isOver()) {
    const points = taken(queue, window - pending.open.size)
    if (points.length === 0) return
    tell(await pending.add(points))
  }
}

/** The next ones; fewer at the end. */
function taken(queue: Iterator<SweepPoint>, count: number): readonly SweepPoint[] {
  const points: SweepPoint[] = []
  while (points.length < count) {
    const next = queue.next()
    if (next.done === true) break
    points.push(next.value)
  }
  return points
}

/** Keys of which there is news, for whoever waits for them. */
export class KeySignal {
  readonly #keys = new Set<string>()
  #wake: (() => void) | undefined

  add(key: string): void {
    this.#keys.add(key)
    this.#wake?.()
  }

  /** Ends the waiting, without a key. */
  wake(): void {
    this.#wake?.()
  }

  /**
   * @returns those that came since the last time, as soon as there is one; none when `ms` were over, or it was woken
   */
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
  /** What the points are run with, as far as Redis does not have it. */
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
    // Told by the link.
    this.#queue.on('error', () => undefined)
    this.#events.on('error', () => undefined)
    const tell = ({ jobId }: { readonly jobId: string }): void => {
      keySignal.add(jobId)
    }
    this.#events.on('completed', tell)
    this.#events.on('failed', tell)
    this.#bring = () => bundle.upload(new RedisBlobs(redis))
    this.#pending = new PendingPoints({ redis, queue: this.#queue, bundle: bundle.sha256, bring: this.#bring, isFresh })
    this.#watch = new MachineWatch({ redis, queue: this.#queue, bundle: bundle.sha256, hear: onMachines })
  }

  /**
   * @throws {InputError} where Redis does not answer
   * @throws {AbortError} when `signal` says so, however long Redis is away
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
    const tell = (outcomes: readonly PointOutcome[]): void => outcomes.forEach(onOutcome)
    let lookedAt = Date.now()
    let broughtAt = Date.now()
    while (!isOver()) {
      await fillWindow({ pending, queue, window: WINDOW, tell, isOver })
      if (pending.open.size === 0) return
      // What a machine has missed may be what Redis has lost.
      if ((await this.#watch.look()) || Date.now() - broughtAt > BRING_MS) {
        broughtAt = Date.now()
        await this.#bring()
      }
      const keys = await this.#keySignal.next(QUIET_MS)
      const isLook = keys.length === 0 || Date.now() - lookedAt > LOOK_MS
      if (isLook) lookedAt = Date.now()
      tell(await pending.look(isLook ? [...pending.open.keys()] : keys))
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
