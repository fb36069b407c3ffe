/**
 * The Redis of a sweep, as `--redis` names it. Its password may stand in the environment instead, where no list of
 * processes shows it.
 */
import { checkedRedisUrl } from '../run/sweep/machines/redis-url.ts'
import { io } from './cli-io.ts'
import type { FlagValues } from './flag-values.ts'
import { single, type FlagText } from './option-values.ts'

const REDIS_PASSWORD_VARIABLE = 'PAPERTAPE_REDIS_PASSWORD'

/**
 * @returns undefined when none is named
 * @throws {InputError} for what is no such URL
 */
export function givenRedisUrl(values: FlagValues): string | undefined {
  const given = single('--redis', values.redis as FlagText)
  if (given === undefined) return undefined
  const url = checkedRedisUrl(given)
  const password = io.env[REDIS_PASSWORD_VARIABLE] ?? ''
  if (url.password === '' && password !== '') url.password = encodeURIComponent(password)
  return url.href
}
