/**
 * Connection to the Redis of a sweep: fails fast if there is none at the start, and reconnects indefinitely later.
 *
 * Invariant: the password of the URL appears in no message.
 */
import type * as Bullmq from 'bullmq'
import type * as Ioredis from 'ioredis'
import type { Redis } from 'ioredis'
import { InputError, throwIfAborted } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import { thrownText } from '../../../domain/thrown-text.ts'
import { shownUrl } from '../redis-url.ts'
import { withAbort } from './time-limits.ts'

/** The one place that loads BullMQ and ioredis: optional packages, for sweeps on many machines alone. */
export interface RedisPackages {
  readonly bullmq: typeof Bullmq
  readonly ioredis: typeof Ioredis
}

/** @throws {InputError} if they are not installed */
export async function loadRedisPackages(): Promise<RedisPackages> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')])
    return { bullmq, ioredis }
  } catch (error) {
    const [why = ''] = thrownText(error).split('\n')
    const message = `needs the packages bullmq and ioredis; run npm install bullmq ioredis (${why})`
    throw new InputError(setting('redis'), message, { cause: error })
  }
}

/** Minimum version for the scripts of BullMQ. */
const MIN_VERSION = [6, 2] as const
const CONNECT_MS = 10_000
const LONGEST_PAUSE_MS = 2_000
/**
 * A Redis that does not answer for this long counts as gone even if the connection is open: a machine that lost power
 * closes none. Blocking reads must time out within half of it.
 */
const SILENT_MS = 20_000

/** The connection to Redis was lost, or is back. */
export interface LinkChange {
  readonly type: 'link'
  /** Present state of the connection. */
  readonly state: 'gone' | 'back'
}

export type HearOfLink = (change: LinkChange) => void

export interface RedisLink {
  readonly redis: Redis
  /** Closes immediately; pending requests stay unanswered. */
  readonly close: () => void
}

/** Options for unlimited retries while Redis is unreachable. */
const PATIENT = {
  lazyConnect: true,
  maxRetriesPerRequest: null,
  connectTimeout: CONNECT_MS,
  keepAlive: CONNECT_MS,
  retryStrategy: (times: number): number => Math.min(50 * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS),
}

export interface LinkOptions {
  /** Called when Redis is lost and when it is back. */
  readonly hear?: HearOfLink | undefined
  /** Aborts the opening. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds without an answer after which Redis counts as gone. */
  readonly silentMs?: number | undefined
}

/**
 * @throws {InputError} if it does not answer, rejects the password, or would lose data
 * @throws {AbortError} if `signal` aborts
 */
export async function openRedis({ ioredis }: RedisPackages, url: URL, options: LinkOptions): Promise<RedisLink> {
  const { hear = () => undefined, signal, silentMs = SILENT_MS } = options
  const redis = new ioredis.Redis(url.href, { ...PATIENT, socketTimeout: silentMs })
  let fault: unknown
  redis.on('error', (error) => {
    fault = error
  })
  try {
    await withAbort(redis.connect(), signal)
    await withAbort(checkServer(redis, shownUrl(url)), signal)
  } catch (error) {
    redis.disconnect()
    throwIfAborted(signal)
    if (error instanceof InputError) throw error
    const [why = ''] = thrownText(fault ?? error).split('\n')
    throw new InputError(setting('redis'), `${shownUrl(url)} does not answer (${why})`, { cause: fault ?? error })
  }
  let isGone = false
  let isClosed = false
  redis.on('close', () => {
    if (!isGone && !isClosed) hear({ type: 'link', state: 'gone' })
    isGone = true
  })
  redis.on('ready', () => {
    if (isGone) hear({ type: 'link', state: 'back' })
    isGone = false
  })
  const close = (): void => {
    isClosed = true
    redis.disconnect()
  }
  return { redis, close }
}

/** @throws {InputError} if it is too old, is read-only, or evicts keys when full */
async function checkServer(redis: Redis, shown: string): Promise<void> {
  const info = await redis.info()
  const reported = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const version = reported('redis_version')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = MIN_VERSION
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    throw new InputError(setting('redis'), `${shown} is Redis ${version}: it must be ${MIN_VERSION.join('.')} or newer`)
  }
  if (reported('role') === 'slave' && reported('slave_read_only') === '1') {
    throw new InputError(setting('redis'), `${shown} is a read-only replica; use its primary`)
  }
  const policy = reported('maxmemory_policy')
  if (Number(reported('maxmemory')) > 0 && policy !== 'noeviction') {
    const mend = 'set maxmemory-policy to noeviction'
    throw new InputError(setting('redis'), `${shown} evicts points when its memory is full (${policy}); ${mend}`)
  }
}

/** Error replies of Redis: no memory, read-only, or no permission. */
export const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError'

export const refusalText = ({ message }: Error): string => `does not take points (${message})`
