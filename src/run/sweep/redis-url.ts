/** The URL of the Redis of a sweep. */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'

/**
 * @param url  `redis://` or `rediss://`, as ioredis accepts it
 * @throws {InputError} for another URL
 */
export function checkedRedisUrl(url: unknown): URL {
  if (typeof url === 'string' && URL.canParse(url)) {
    const parsed = new URL(url)
    const isRedis = /^rediss?:$/.test(parsed.protocol) && parsed.hostname !== ''
    // A query or fragment is the rest of a password that was not encoded, or changes how ioredis waits.
    const isAll = parsed.search === '' && parsed.hash === ''
    if (isRedis && isAll && /^\/?\d*$/.test(parsed.pathname)) return parsed
  }
  throw new InputError(
    setting('redis'),
    'expected a URL such as redis://127.0.0.1:6379 or rediss://user:password@host:6380/0',
  )
}

/** Without user and password. */
export const shownUrl = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`
