/**
 * A sweep whose points another has asked for before, at a real Redis.
 */
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packedOutcome, outcomeKey } from '../../../../src/run/sweep/machines/point-queue.ts'
import { RedisPool } from '../../../../src/run/sweep/machines/redis-pool.ts'
import { loadRedisPackages } from '../../../../src/run/sweep/machines/redis-link.ts'
import { failedPoint, lostPoint } from '../../../../src/run/sweep/point-runner.ts'
import type { PointOutcome } from '../../../../src/sweep/point-outcome.ts'
import type { SweepPoint } from '../../../../src/sweep/sweep-point.ts'
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
  let redis: Redis
  beforeAll(async () => {
    server = await RedisServer.start(join(folder, 'redis'))
    redis = new Redis(server.url)
  })
  afterAll(async () => {
    redis.disconnect()
    await server.kill()
  })

  const outcomesOf = async (points: readonly SweepPoint[]): Promise<readonly PointOutcome[]> => {
    const packages = await loadRedisPackages()
    const bundle = { sha256: 'f'.repeat(64), upload: () => Promise.resolve(), forget: () => Promise.resolve() }
    const url = new URL(server.url)
    const pool = await RedisPool.open({ packages, url, bundle, isFresh: false, onMachines: () => undefined })
    const reported: PointOutcome[] = []
    try {
      await pool.run(points, (outcome) => void reported.push(outcome))
      return reported
    } finally {
      await pool.end()
    }
  }

  it('reports every point, however many were done before', async () => {
    await redis.mset(POINTS.flatMap((point) => [outcomeKey(point.key), packedOutcome(failedPoint(point, 'done'))]))
    const reported = await outcomesOf(POINTS)
    expect(reported.map(({ key }) => key)).toEqual(POINTS.map(({ key }) => key))
  })

  it('has a point run again that a machine has ended for another', async () => {
    const point: SweepPoint = { key: 'e'.repeat(64), params: { fast: '1' } }
    const key = outcomeKey(point.key)
    await redis.set(key, packedOutcome(lostPoint(point, 'for another')))
    const reported = outcomesOf([point])
    await expect.poll(() => redis.exists(key)).toBe(0)
    const own = lostPoint(point, 'for this one')
    await redis.set(key, packedOutcome(own))
    expect(await reported).toEqual([own])
  })
})
