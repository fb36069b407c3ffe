/** The Redis URL of `--redis`. Its password can be in the environment instead, which process lists do not show. */
import { checkedRedisUrl } from '../run/sweep/redis-url.ts'
import { io } from './cli-io.ts'
import type { FlagValues } from './cli-command.ts'
import { single, type FlagText } from './option-values.ts'

const REDIS_PASSWORD_VARIABLE = 'PAPERTAPE_REDIS_PASSWORD'

/**
 * @returns undefined without the flag
 * @throws {InputError} for an invalid URL
 */
export function givenRedisUrl(values: FlagValues): string | undefined {
  const given = single('--redis', values.redis as FlagText)
  if (given === undefined) return undefined
  const url = checkedRedisUrl(given)
  const password = io.env[REDIS_PASSWORD_VARIABLE] ?? ''
  if (url.password === '' && password !== '') url.password = encodeURIComponent(password)
  return url.href
}
