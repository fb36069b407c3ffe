/**
 * The end of a service: what has arrived is finished, the rest is refused, and then nothing is executed any more.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AnsweredRequest } from '../../../src/server/http/answered-request.ts'
import { connectTo, type RawConnection } from '../rig/raw-connection.ts'
import { LIMIT_BUY, serveMarket, type ServedMarket, type ServedUser } from '../rig/served-market.ts'

const BODY = JSON.stringify(LIMIT_BUY)

let served: ServedMarket
let user: ServedUser
let connections: RawConnection[]
beforeEach(async () => {
  connections = []
  served = await serveMarket()
  user = await served.user({ USD: '1000000' })
})
afterEach(async () => {
  vi.useRealTimers()
  for (const connection of connections) connection.destroy()
  await served.server.close()
  expect(served.errors).toEqual([])
})

async function connected(): Promise<RawConnection> {
  const connection = await connectTo(served.port)
  connections.push(connection)
  return connection
}

const head = (more = ''): string =>
  `POST /v1/orders HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${user.key}\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n${more}\r\n`

const orders = (): number => served.server.service.exchange.orders(user.id, { limit: 9, page: 1 }).length

/** What was written before has been read by then. */
const settle = (): Promise<unknown> => served.call('GET', '/v1/markets')

/** Waits until the service has let in that many orders. */
async function letIn(count: number): Promise<void> {
  const { mutations } = served.server.service.budgetOf(user.key.split('_')[1] ?? '')
  await expect.poll(() => mutations.limit - mutations.remaining(served.clock.now())).toBe(count)
  await settle()
}

describe('close()', () => {
  it('ends connections that are kept and not used, and those that never sent a byte', async () => {
    const used = await connected()
    used.write('GET /v1/markets HTTP/1.1\r\nhost: localhost\r\n\r\n')
    expect(await used.answers(['GET'])).toHaveLength(1)
    const fresh = await connected()
    await settle()
    // No patience runs out: whatever ends here ends by itself.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await served.server.close()
    vi.useRealTimers()
    await Promise.all([used.ended, fresh.ended])
  })

  it('does what a fault delays at once, and not later', async () => {
    await served.fault({ fault: 'delay', route: 'POST /orders', count: 1, ms: 600_000 })
    const answer = served.call('POST', '/v1/orders', { key: user.key, body: LIMIT_BUY })
    await letIn(1)
    await served.server.close()
    expect((await answer).status).toBe(201)
    expect(orders()).toBe(1)
  })

  it('refuses an order whose body has not come, and one that comes behind it', async () => {
    const half = await connected()
    half.write(head() + BODY.slice(0, -1))
    await letIn(1)
    const kept = await connected()
    kept.write('GET /v1/markets HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await kept.answers(['GET'])
    kept.take()
    kept.write(head() + BODY)
    const closing = served.server.close()
    half.write(BODY.slice(-1))
    await closing
    const [[refused], late] = [await half.all(), await kept.all()]
    expect(refused?.status).toBe(503)
    expect(JSON.parse(refused?.body ?? '')).toMatchObject({
      error: { code: 'SERVICE_UNAVAILABLE' },
      requestId: refused?.headers.get('x-request-id'),
    })
    expect(late.map(({ status }) => status)).not.toContain(201)
    expect(orders()).toBe(0)
  })

  it('does all that came at once on a connection, though it has to wait for its turns', async () => {
    await served.server.close()
    let closing: Promise<void> | undefined
    let done = 0
    const onAnswer = ({ route, status }: AnsweredRequest): void => {
      if (route === '/v1/orders' && status === 201) done += 1
      if (done === 40) closing ??= served.server.close()
    }
    served = await serveMarket({ onAnswer })
    user = await served.user({ USD: '1000000' })
    const connection = await connected()
    // More than are done in the first turn: the rest of them wait when it begins to close.
    connection.write((head() + BODY).repeat(100))
    const answers = await connection.answers(
      Array.from({ length: 100 }, () => 'POST'),
      5_000,
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 201))
    await closing
    expect(served.server.service.exchange.lastOrderId).toBe(100)
  })

  it('is the last that happens: what is due later is not executed, whoever asks', async () => {
    await served.fault({ fault: 'engine-timeout-late', route: 'POST /orders', count: 1, ms: 1_000 })
    await served.call('POST', '/v1/orders', { key: user.key, body: LIMIT_BUY })
    await served.server.close()
    served.clock.advance(10_000)
    const { service } = served.server
    expect(() => service.catchUp()).toThrow('the server stops')
    const time = service.simulated.queue.now()
    const { id: account } = user
    expect(() => service.execute({ type: 'credit', time, account, asset: 'USD', amount: 1n })).toThrow(
      'the server stops',
    )
    expect(orders()).toBe(0)
  })
})
