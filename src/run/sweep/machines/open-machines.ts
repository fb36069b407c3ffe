/**
 * Sets up a sweep on other machines: packs and uploads its bundle, and opens the pool.
 *
 * A sweep imports this file alone of its folder, and only with `--redis`.
 */
import { PackedJobBundle, type JobBundleOptions } from './packed-job-bundle.ts'
import { RedisPool, type RedisPoolOptions } from './redis-pool.ts'
import { loadRedisPackages, openRedis } from './redis-link.ts'
import type { HearOfMachines } from './machine-watch.ts'

export interface MachinesOptions extends JobBundleOptions, Pick<RedisPoolOptions, 'url' | 'isFresh'> {
  readonly onMachines: HearOfMachines | undefined
}

/** @throws {InputError} as `openRedis` does */
export async function checkRedis(url: URL, signal?: AbortSignal): Promise<void> {
  const link = await openRedis(await loadRedisPackages(), url, { signal })
  link.close()
}

/** @throws {InputError} where Redis does not answer, or something cannot travel */
export async function openMachines(options: MachinesOptions): Promise<RedisPool> {
  const { url, isFresh, onMachines = () => undefined, signal } = options
  const packages = await loadRedisPackages()
  const bundle = await PackedJobBundle.pack(options)
  try {
    return await RedisPool.open({ packages, url, bundle, isFresh, onMachines, signal })
  } catch (error) {
    await bundle.forget()
    throw error
  }
}
