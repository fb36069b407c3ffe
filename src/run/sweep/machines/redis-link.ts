/**
 * A link to the Redis of a sweep: refused in one line where there is none at the start, and patient with one that goes
 * away later.
 *
 * Invariant: no text that it tells has the password of the URL.
 */
import type { Redis } from 'ioredis'
import { InputError, throwIfAborted } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import { thrownText } from '../../../domain/thrown-text.ts'
import { shownUrl } from './redis-url.ts'
import { withAbort } from './time-limits.ts'
import { loadRedisPackages, type RedisPackages } from './redis-packages.ts'

/** Of the scripts that the queue runs there. */
const LEAST_VERSION = [6, 2] as const
const CONNECT_MS = 10_000
const LONGEST_PAUSE_MS = 2_000
/**
 * A Redis that was asked and says nothing for so long is away, though its connection stands: a machine that lost its
 * power closes none. No question that waits for news waits longer than half of it.
 */
const SILENT_MS = 20_000

/** Redis went away, or came back. */
export interface LinkChange {
  readonly type: 'link'
  /** Whether it answers from now on. */
  readonly state: 'gone' | 'back'
}

export type HearOfLink = (change: LinkChange) => void

export interface RedisLink {
  readonly redis: Redis
  /** At once: what was asked and not answered is not any more. */
  readonly close: () => void
}

/** Waits as long as it takes for a Redis that is away. */
const PATIENT = {
  lazyConnect: true,
  maxRetriesPerRequest: null,
  connectTimeout: CONNECT_MS,
  keepAlive: CONNECT_MS,
  retryStrategy: (times: number): number => Math.min(50 * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS),
}

export interface LinkOptions {
  /** Is told when Redis goes away, and when it is back. */
  readonly hear?: HearOfLink | undefined
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds after which a Redis that says nothing is away. */
  readonly silentMs?: number | undefined
}

/** @throws {InputError} as `openRedis` does */
export async function checkRedis(url: URL, signal?: AbortSignal): Promise<void> {
  const link = await openRedis(await loadRedisPackages(), url, { signal })
  link.close()
}

/**
 * @throws {InputError} where it does not answer, asks for another password, or would lose what it is given
 * @throws {AbortError} when `signal` says so
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

/** @throws {InputError} for one that is too old, takes nothing, or forgets what it has no room for */
async function checkServer(redis: Redis, shown: string): Promise<void> {
  const info = await redis.info()
  const told = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const version = told('redis_version')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = LEAST_VERSION
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    throw new InputError(
      setting('redis'),
      `${shown} is Redis ${version}: it must be ${LEAST_VERSION.join('.')} or newer`,
    )
  }
  if (told('role') === 'slave' && told('slave_read_only') === '1') {
    throw new InputError(setting('redis'), `${shown} is a read-only replica; use its primary`)
  }
  const policy = told('maxmemory_policy')
  if (Number(told('maxmemory')) > 0 && policy !== 'noeviction') {
    const mend = 'set maxmemory-policy to noeviction'
    throw new InputError(setting('redis'), `${shown} evicts points when its memory is full (${policy}); ${mend}`)
  }
}

/**
 * Answers of a Redis that is there and does not take what it is given: it has no room, may not write, or the user may
 * not.
 */
export const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError'

export const refusalText = ({ message }: Error): string => `does not take points (${message})`
