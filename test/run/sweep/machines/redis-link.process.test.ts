/**
 * A Redis whose connection stands and who says nothing, as one whose machine is halted.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AbortError } from '../../../../src/domain/errors.ts'
import { loadRedisPackages, openRedis } from '../../../../src/run/sweep/machines/redis-link.ts'

describe('a Redis that says nothing', () => {
  let server: Server
  let url: URL
  const sockets: Socket[] = []
  beforeAll(async () => {
    server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = new URL(`redis://:sesame@127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterAll(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })

  it('does not answer, after a while', async () => {
    const opened = openRedis(await loadRedisPackages(), url, { silentMs: 200 })
    await expect(opened).rejects.toThrow(/^redis: redis:\/\/127\.0\.0\.1:\d+ does not answer \(Socket timeout/)
  })

  it('is not waited for by anyone who gives up', async () => {
    const ending = new AbortController()
    const packages = await loadRedisPackages()
    server.once('connection', () => ending.abort())
    const opened = openRedis(packages, url, { signal: ending.signal })
    await expect(opened).rejects.toThrow(AbortError)
  })
})
