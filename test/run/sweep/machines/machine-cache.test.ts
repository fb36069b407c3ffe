/**
 * What several sweeps, and several workers of a machine, want from its cache at once.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { MachineCache } from '../../../../src/run/sweep/machines/machine-cache.ts'
import { RedisBlobs } from '../../../../src/run/sweep/machines/redis-blobs.ts'
import { temporaryFiles } from '../../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const BYTES = Buffer.alloc(3 * 2 ** 20, 'papertape')
const sha256 = createHash('sha256').update(BYTES).digest('hex')
const CODE = { entry: 'a/mine.ts', files: [{ path: 'a/mine.ts', sha256 }], packages: [] }

/** As far as blobs ask it. */
function countingRedis(): { readonly redis: Redis; readonly reads: () => number } {
  const values = new Map<string, Buffer>()
  let reads = 0
  const redis = {
    set: (key: string, value: Buffer | number) =>
      Promise.resolve(values.set(key, Buffer.isBuffer(value) ? value : Buffer.from(String(value)))),
    get: (key: string) => Promise.resolve(values.get(key)?.toString() ?? null),
    getBuffer: async (key: string) => {
      reads += 1
      await Promise.resolve()
      return values.get(key) ?? null
    },
  }
  return { redis: redis as unknown as Redis, reads: () => reads }
}

describe('the cache of a machine', () => {
  it('fetches once what two sweeps or two workers want at once', async () => {
    const { redis, reads } = countingRedis()
    const blobs = new RedisBlobs(redis)
    await blobs.put(sha256, BYTES)
    const one = new MachineCache(join(folder, 'at-once'), blobs, 0)
    const other = new MachineCache(join(folder, 'at-once'), blobs, 0)
    const tapes = await Promise.all([one, one, other].map((cache) => cache.tape(sha256, 0)))
    expect(readFileSync(tapes[0] ?? '').equals(BYTES)).toBe(true)
    expect(new Set(tapes).size).toBe(1)
    const codes = await Promise.all([one, one, other].map((cache) => cache.code(CODE, folder, 0)))
    expect(readFileSync(codes[0] ?? '').equals(BYTES)).toBe(true)
    expect(reads()).toBe(6)
    expect(['tapes', 'code'].map((name) => readdirSync(join(folder, 'at-once', name)).length)).toEqual([1, 1])
  })

  it('replaces what is damaged, and knows when code was used last', async () => {
    const blobs = new RedisBlobs(countingRedis().redis)
    await blobs.put(sha256, BYTES)
    const cache = new MachineCache(join(folder, 'damaged'), blobs, 0)
    const entry = await cache.code(CODE, folder, 0)
    for (const file of [entry, await cache.tape(sha256, 0)]) appendFileSync(file, 'x')
    const year2030 = Date.UTC(2030, 0, 1)
    expect(readFileSync(await cache.tape(sha256, year2030)).equals(BYTES)).toBe(true)
    expect(readFileSync(await cache.code(CODE, folder, year2030)).equals(BYTES)).toBe(true)
    expect(statSync(join(entry, '..', '..')).mtimeMs).toBe(year2030)
  })
})
