/**
 * A request that was let in, and is executed later: what was taken from its key or its user meanwhile counts.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectTo, type RawConnection } from '../rig/raw-connection.ts'
import { LIMIT_BUY, serveMarket, type ServedMarket, type ServedUser } from '../rig/served-market.ts'

const BODY = JSON.stringify(LIMIT_BUY)

let served: ServedMarket
let user: ServedUser
beforeEach(async () => {
  served = await serveMarket()
  user = await served.user({ USD: '1000000' })
})
afterEach(async () => {
  await served.server.close()
  expect(served.errors).toEqual([])
})

const TAKEN = {
  revoked: {
    take: () => served.call('DELETE', `/emulator/keys/${user.key.split('_')[1] ?? ''}`),
    refused: { status: 401, code: 'INVALID_API_KEY' },
  },
  unverified: {
    take: () => served.call('PATCH', `/emulator/users/${user.id}`, { body: { verified: false } }),
    refused: { status: 403, code: 'EMAIL_NOT_VERIFIED' },
  },
} as const

const orders = (): number => served.server.service.exchange.orders(user.id, { limit: 9, page: 1 }).length

/** An order without the last byte of its body; resolves when the service has let it in. */
async function begin(): Promise<RawConnection> {
  const connection = await connectTo(served.port)
  const head = `host: localhost\r\nx-api-key: ${user.key}\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}`
  connection.write(`POST /v1/orders HTTP/1.1\r\n${head}\r\nexpect: 100-continue\r\n\r\n`)
  // Node says so when it hands the request on.
  while (!connection.received.includes('100 Continue')) await new Promise(setImmediate)
  connection.write(BODY.slice(0, -1))
  return connection
}

describe.each(['revoked', 'unverified'] as const)(
  'an order whose key or user was %s meanwhile is refused as at the door',
  (how) => {
    const { take, refused } = TAKEN[how]

    it('when its body comes late', async () => {
      const connection = await begin()
      await take()
      connection.write(BODY.slice(-1))
      const [answer] = await connection.answers(['POST'])
      connection.destroy()
      expect(answer?.status).toBe(refused.status)
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: { code: refused.code } })
      expect(answer?.headers.get('x-request-id')).toBeDefined()
      expect(orders()).toBe(0)
    })

    it('when a fault has delayed it', async () => {
      await served.fault({ fault: 'delay', route: 'POST /orders', count: 1, ms: 150 })
      const answer = served.call('POST', '/v1/orders', { key: user.key, body: LIMIT_BUY })
      const { mutations } = served.server.service.budgetOf(user.key.split('_')[1] ?? '')
      await expect.poll(() => mutations.limit - mutations.remaining(served.clock.now())).toBe(1)
      await take()
      expect(await answer).toMatchObject({ status: refused.status, body: { error: { code: refused.code } } })
      expect(orders()).toBe(0)
    })

    it.each(['engine-timeout-late', 'reset-late'])(
      'when %s has it done later, and no one hears of it',
      async (fault) => {
        await served.fault({ fault, route: 'POST /orders', count: 1, ms: 1_000 })
        await served.call('POST', '/v1/orders', { key: user.key, body: LIMIT_BUY }).catch(() => undefined)
        await take()
        await served.call('POST', '/emulator/clock', { body: { advanceMs: 5_000 } })
        expect(orders()).toBe(0)
      },
    )
  },
)

it('an order whose user is verified again by then is taken', async () => {
  const connection = await begin()
  await TAKEN.unverified.take()
  await served.call('PATCH', `/emulator/users/${user.id}`, { body: { verified: true } })
  connection.write(BODY.slice(-1))
  expect((await connection.answers(['POST'])).map(({ status }) => status)).toEqual([201])
  connection.destroy()
})

it('a cancel is refused as well, and its order stays', async () => {
  const { body } = await served.call('POST', '/v1/orders', { key: user.key, body: LIMIT_BUY })
  await served.fault({ fault: 'engine-timeout-late', route: 'DELETE /orders/{orderId}', count: 1, ms: 1_000 })
  const { id } = body as { id: string }
  expect((await served.call('DELETE', `/v1/orders/${id}`, { key: user.key })).status).toBe(504)
  await TAKEN.revoked.take()
  await served.call('POST', '/emulator/clock', { body: { advanceMs: 5_000 } })
  expect(served.server.service.exchange.openOrders(user.id)).toHaveLength(1)
})
