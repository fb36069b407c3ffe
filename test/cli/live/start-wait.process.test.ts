/**
 * A start that meets a service under maintenance.
 */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { liveCases, RESTS } from './rig/live-cases.ts'

const inCase = liveCases()
const MAINTENANCE = { status: 503, headers: { 'content-type': 'text/html' }, body: '<html>back soon</html>' }
const WAITS = /waiting for the service until .*Z \(--wait\); press Ctrl-C to stop\. GET \/markets: 503/

it.concurrent(
  'the service is under maintenance at the start: it waits when an order is left, and cancels it in the end',
  () =>
    inCase({}, async ({ venue, proxy, start }) => {
      const killed = start(RESTS)
      await killed.started()
      await expect.poll(async () => (await venue.openOrders()).length, { timeout: 60_000 }).toBe(1)
      await killed.kill()
      proxy.hooks = { onRequest: () => MAINTENANCE }
      const session = start(RESTS)
      await session.until(WAITS)
      proxy.hooks = {}
      await session.until('the service answers again')
      await session.started()
      expect(await session.stop()).toBe(0)
      expect(session.report().recovered).toBe(1)
      expect(await venue.openOrders()).toEqual([])
    }),
)

it.concurrent('the wait of a start ends by Ctrl-C, and by itself where there is nothing to wait for', () =>
  inCase({}, async ({ proxy, folder, start }) => {
    proxy.hooks = { onRequest: () => MAINTENANCE }
    const waiting = start(RESTS, { args: ['--wait', '1h'] })
    await waiting.until(WAITS)
    expect(await waiting.stop()).toBe(0)
    expect(waiting.stderr).toContain('stopped before the session started')
    const short = start(RESTS, { args: ['--wait', '5s'] })
    expect((await short.ended).code).toBe(3)
    const none = start(RESTS, { state: join(folder, 'other') })
    expect((await none.ended).code).toBe(3)
    expect(none.output).not.toContain('waiting for the service')
    proxy.hooks = {}
    const foreign = start(RESTS, { args: ['--wait', '1h'], key: `pt_nobody00_${'x'.repeat(43)}` })
    expect((await foreign.ended).code).toBe(3)
    expect(foreign.output).not.toContain('waiting for the service')
  }),
)
