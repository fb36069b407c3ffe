/**
 * Runs the points of a sweep on whatever machines have a worker at the same Redis.
 *
 * Invariant: a point is done when its outcome is there, whoever brought it and however often Redis, a worker or this process went away
 * meanwhile. What Redis has lost is given to it again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Queue, QueueEvents } from 'bullmq'
import { AbortError, InputError, throwIfAborted } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import type { PointOutcome } from '../../../runtime/sweep/point-outcome.ts'
import type { PointPool } from '../../../runtime/sweep/point-pool.ts'
import type { SweepPoint } from '../../../runtime/sweep/sweep-point.ts'
import { KeyNews } from './key-news.ts'
import { MachineWatch, type HearOfMachines } from './machine-watch.ts'
import type { PackedParcel } from './packed-parcel.ts'
import { queueName, queueOptions } from './point-queue.ts'
import { PointWishes } from './point-wishes.ts'
import { RedisBlobs } from './redis-blobs.ts'
import { openRedis, type RedisLink } from './redis-link.ts'
import type { RedisPackages } from './redis-packages.ts'

/** Points that wait in Redis at once. */
const WINDOW = 2_000
/** After so long without news all points are looked at, and so often however much news there is. */
const QUIET_MS = 2_000
const LOOK_MS = 20_000
/** So that it outlasts a sweep of weeks. */
const BRING_MS = 3_600_000
/** How long the end waits for a Redis that may be away. */
const END_MS = 3_000

export interface RedisPoolOptions {
  readonly packages: RedisPackages
  readonly url: URL
  readonly parcel: PackedParcel
  /** True to take nothing that was done before. */
  readonly isFresh: boolean
  readonly onMachines: HearOfMachines
}

export class RedisPool implements PointPool {
  readonly #link: RedisLink
  readonly #queue: Queue
  readonly #events: QueueEvents
  readonly #wishes: PointWishes
  readonly #watch: MachineWatch
  readonly #parcel: PackedParcel
  readonly #news: KeyNews
  /** What the points are run with, as far as Redis does not have it. */
  readonly #bring: () => Promise<void>
  #isEnded = false

  private constructor(link: RedisLink, news: KeyNews, { packages, parcel, isFresh, onMachines }: RedisPoolOptions) {
    const { bullmq } = packages
    const { redis } = link
    this.#link = link
    this.#news = news
    this.#parcel = parcel
    this.#queue = new bullmq.Queue(queueName(), queueOptions(redis))
    this.#events = new bullmq.QueueEvents(queueName(), { ...queueOptions(redis) })
    // Told by the link.
    this.#queue.on('error', () => undefined)
    this.#events.on('error', () => undefined)
    const tell = ({ jobId }: { readonly jobId: string }): void => {
      news.add(jobId)
    }
    this.#events.on('completed', tell)
    this.#events.on('failed', tell)
    this.#bring = () => parcel.bring(new RedisBlobs(redis))
    this.#wishes = new PointWishes({ redis, queue: this.#queue, parcel: parcel.sha256, bring: this.#bring, isFresh })
    this.#watch = new MachineWatch({ redis, queue: this.#queue, parcel: parcel.sha256, hear: onMachines })
  }

  /** @throws {InputError} where Redis does not answer */
  static async open(options: RedisPoolOptions): Promise<RedisPool> {
    const { packages, url, parcel, onMachines } = options
    const news = new KeyNews()
    const link = await openRedis(packages, url, (change) => {
      onMachines(change)
      if (change.state === 'back') news.wake()
    })
    try {
      await parcel.bring(new RedisBlobs(link.redis))
      const pool = new RedisPool(link, news, options)
      await pool.#events.waitUntilReady()
      return pool
    } catch (error) {
      link.close()
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
    const done = new AbortController()
    // A Redis that is away answers nothing, and has nobody wait.
    const aborted = new Promise<never>((_, reject) => {
      const stop = (): void => {
        reject(new AbortError('the sweep was ended'))
      }
      signal?.addEventListener('abort', stop, { signal: done.signal })
    })
    try {
      const work = this.#work(
        points,
        (outcome) => {
          if (!isOver) onOutcome(outcome)
        },
        () => isOver,
      )
      await Promise.race([work, aborted])
    } catch (error) {
      isOver = true
      await atMost(END_MS, this.#wishes.withdraw())
      throwIfAborted(signal)
      throw refusedByRedis(error)
    } finally {
      isOver = true
      done.abort()
    }
  }

  async #work(
    points: readonly SweepPoint[],
    onOutcome: (outcome: PointOutcome) => void,
    isOver: () => boolean,
  ): Promise<void> {
    const wishes = this.#wishes
    const queue = points.values()
    const tell = (outcomes: readonly PointOutcome[]): void => outcomes.forEach(onOutcome)
    let lookedAt = Date.now()
    let broughtAt = Date.now()
    while (!isOver()) {
      if (wishes.open.size <= WINDOW / 2) tell(await wishes.add(taken(queue, WINDOW - wishes.open.size)))
      if (wishes.open.size === 0) return
      // What a machine has missed may be what Redis has lost.
      if ((await this.#watch.look()) || Date.now() - broughtAt > BRING_MS) {
        broughtAt = Date.now()
        await this.#bring()
      }
      const keys = await this.#news.next(QUIET_MS)
      const isLook = keys.length === 0 || Date.now() - lookedAt > LOOK_MS
      if (isLook) lookedAt = Date.now()
      tell(await wishes.look(isLook ? [...wishes.open.keys()] : keys))
    }
  }

  async end(): Promise<void> {
    if (this.#isEnded) return
    this.#isEnded = true
    await atMost(END_MS, Promise.all([this.#events.close(), this.#queue.close()]))
    this.#link.close()
    await this.#parcel.forget()
  }
}

/** What Redis answers where it has no room, or may not write. */
const refusedByRedis = (error: unknown): unknown =>
  error instanceof Error && error.name === 'ReplyError'
    ? new InputError(setting('redis'), `does not take points (${error.message})`, { cause: error })
    : error

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

/** Goes on without it where it takes longer, or fails. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const late = pause(ms, undefined, { signal: timer.signal })
  await Promise.race([work, late].map((each) => each.catch(() => undefined)))
  timer.abort()
}
