/**
 * Rows of the table of troubles in docs/live.md that come at the end of a session: what is open is cancelled or named,
 * in bounded time.
 */
import { expect, it } from 'vitest'
import { liveCases, RESTS, type LiveCase } from './rig/live-cases.ts'
import { refusal } from './rig/hostile-proxy.ts'
import { eventually } from './rig/patience.ts'
import type { SessionProcess } from './rig/session-process.ts'

const inCase = liveCases()
const trouble = (title: string, body: (stage: LiveCase) => Promise<void>): void => {
  it.concurrent(title, () => inCase({}, body))
}

/** A session whose order rests. @returns the order's id */
async function resting({ venue }: LiveCase, session: SessionProcess): Promise<string> {
  const [order] = await eventually(
    async () => {
      const open = await venue.openOrders()
      return open.length === 1 && open
    },
    () => session.output,
  )
  await session.started()
  return order?.id ?? ''
}

trouble(
  'the service asks to wait longer than a stop may take: says for how long, and cancels what is let through',
  async (stage) => {
    const { venue, proxy, start } = stage
    const session = start(RESTS)
    await resting(stage, session)
    let isHeld = true
    proxy.hooks = {
      onRequest: ({ method, path }) => {
        if (method === 'DELETE') isHeld = false
        const isRead = method === 'GET' && /^\/(orders|trades|balances)/.test(path)
        return isRead && isHeld ? refusal(429, 'RATE_LIMITED', { 'retry-after': '3600' }) : undefined
      },
    }
    const held = (): boolean => proxy.requests.some(({ status }) => status === 429)
    await eventually(held, () => session.output)
    expect(await session.stop()).toBe(0)
    expect(session.output).toMatch(/delays a cancel by 3[56]\d\d s/)
    expect(await venue.openOrders()).toEqual([])
    expect(proxy.sent('DELETE', /^\/orders\//)).toHaveLength(1)
    expect(session.hasReport()).toBe(true)
  },
)

trouble(
  'the service does not answer during the stop: cancels and reads are repeated within `--stop-timeout`',
  async (stage) => {
    const { venue, proxy, start } = stage
    const session = start(RESTS)
    await resting(stage, session)
    const until = Date.now() + 4000
    proxy.hooks = { onRequest: () => (Date.now() < until ? refusal(503, 'DOWN') : undefined) }
    expect(await session.stop()).toBe(0)
    expect(await venue.openOrders()).toEqual([])
    expect(session.report().live).toMatchObject({ openOrders: [], fault: null })
  },
)

trouble('an order cannot be cancelled within `--stop-timeout`: it is named, and the exit code is 3', async (stage) => {
  const { proxy, start } = stage
  const session = start(RESTS, { args: ['--stop-timeout', '3s'] })
  const id = await resting(stage, session)
  proxy.hooks = { onRequest: ({ method }) => (method === 'DELETE' ? 'reset' : undefined) }
  expect(await session.stop()).toBe(3)
  expect(session.report().live?.openOrders).toEqual([id])
  expect(session.hasReport()).toBe(true)
  expect(session.events('ended')[0]?.message).toContain(`order ${id} (BUY 0.01 BTC_USD at 41000)`)
  expect(session.stderr.trimEnd().split('\n').at(-1)).toContain(`still open on the service: order ${id}`)
})
