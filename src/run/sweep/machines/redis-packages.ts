/**
 * The one place that loads BullMQ and ioredis: optional packages, for sweeps on many machines alone.
 */
import type * as Bullmq from 'bullmq'
import type * as Ioredis from 'ioredis'
import { InputError } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import { thrownText } from '../../../domain/thrown-text.ts'

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
