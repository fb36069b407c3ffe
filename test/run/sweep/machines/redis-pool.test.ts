/**
 * A sweep whose points were all done by another, at a real Redis.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packedOutcome, outcomeKey } from '../../../../src/run/sweep/machines/point-queue.ts'
import { RedisPool } from '../../../../src/run/sweep/machines/redis-pool.ts'
import { loadRedisPackages } from '../../../../src/run/sweep/machines/redis-packages.ts'
import { failedPoint } from '../../../../src/run/sweep/point-runner.ts'
import type { SweepPoint } from '../../../../src/runtime/sweep/sweep-point.ts'
import { hasRedis, RedisServer } from '../../../cli/machines/redis-server.ts'
import { temporaryFiles } from '../../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
/** More than two windows of points that wait. */
const COUNT = 4_500
const POINTS = Array.from({ length: COUNT }, (_, index): SweepPoint => ({
  key: index.toString(16).padStart(64, '0'),
  params: { fast: `${index}` },
}))

describe.skipIf(!hasRedis)(`with redis-server${hasRedis ? '' : ' (skipped: it is not here)'}`, () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await RedisServer.start(join(folder, 'redis'))
  })
  afterAll(async () => {
    await server.kill()
  })

  it('tells of every point, however many were done before', { timeout: 60_000 }, async () => {
    const packages = await loadRedisPackages()
    const redis = new packages.ioredis.Redis(server.url)
    await redis.mset(POINTS.flatMap((point) => [outcomeKey(point.key), packedOutcome(failedPoint(point, 'done'))]))
    redis.disconnect()
    const parcel = { sha256: 'f'.repeat(64), bring: () => Promise.resolve(), forget: () => Promise.resolve() }
    const url = new URL(server.url)
    const pool = await RedisPool.open({ packages, url, parcel, isFresh: false, onMachines: () => undefined })
    const told: string[] = []
    try {
      await pool.run(POINTS, ({ key }) => void told.push(key))
    } finally {
      await pool.end()
    }
    expect(told).toEqual(POINTS.map(({ key }) => key))
  })
})
