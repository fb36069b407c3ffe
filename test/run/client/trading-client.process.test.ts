/**
 * A program that trades through `papertape/client` on an emulator: an order is never doubled, whatever happens to its
 * answer, and a kill of the server loses neither orders nor trades.
 */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterEach, describe, expect, it } from 'vitest'
import { TradingClient, type MarketEvent, type TradingClientOptions } from '../../../src/client.ts'
import { startEmulator, type FaultKind } from '../../../src/emulator.ts'
import { pause } from '../../cli/live/rig/patience.ts'
import { servers } from '../../cli/rig/serving.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'

const { folder } = temporaryFiles()
const serve = servers()
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close()
})

/** Longer than an order may be sent after the last listing. */
const LISTING_AGE_MS = 5_200

const ORDER = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '30000.00', qty: '0.1' } as const

function connect(options: TradingClientOptions): TradingClient {
  const client = new TradingClient({ timeoutMs: 2_000, settleMs: 1_500, ...options })
  closing.push(client)
  return client
}

type Fault = (fault: FaultKind, ms?: number, route?: string, count?: number) => Promise<unknown>

interface Started {
  readonly client: TradingClient
  readonly url: string
  readonly apiKey: string | undefined
  readonly fault: Fault
}

async function started(options: Partial<TradingClientOptions> = {}): Promise<Started> {
  const emulator = await startEmulator({ port: 0 })
  closing.push(emulator)
  const { baseUrl: url, users } = emulator
  const fault: Fault = (name, ms, route = 'POST /orders', count = 1) =>
    emulator.fault({ fault: name, route, count, ...(ms !== undefined && { ms }) })
  const apiKey = users[0]?.keys[0]
  return { client: connect({ url, apiKey, ...options }), url, apiKey, fault }
}

describe('an order whose answer is lost', () => {
  it.each`
    fault                      | type        | open | why
    ${'engine-timeout-after'}  | ${'placed'} | ${1} | ${'it was executed'}
    ${'reset-after'}           | ${'placed'} | ${1} | ${'the connection was cut behind it'}
    ${'truncated-body'}        | ${'placed'} | ${1} | ${'half of the answer arrived'}
    ${'delay'}                 | ${'placed'} | ${1} | ${'the answer came after the time limit'}
    ${'engine-timeout-before'} | ${'absent'} | ${0} | ${'it was not executed'}
    ${'reset-before'}          | ${'absent'} | ${0} | ${'it did not arrive'}
  `('$fault: $type, $why', async ({ fault: name, type, open }) => {
    const { client, fault } = await started()
    await client.placeOrder({ ...ORDER, price: '1000.00' })
    await fault(name, name === 'delay' ? 3_000 : undefined)
    expect(await client.placeOrder(ORDER)).toMatchObject(type === 'placed' ? { type, isFound: true } : { type })
    expect((await client.openOrders()).filter(({ price }) => price === ORDER.price)).toHaveLength(open)
  })

  it('is one of two equal ones that were sent together', async () => {
    const { client, fault } = await started()
    await fault('reset-after')
    const results = await Promise.all([client.placeOrder(ORDER), client.placeOrder(ORDER)])
    const ids = results.flatMap((result) => (result.type === 'placed' ? result.order.id : []))
    expect(ids.toSorted()).toEqual((await client.openOrders()).map(({ id }) => id).toSorted())
    expect(new Set(ids).size).toBe(2)
  })

  it('is never an equal one that another program placed before', async () => {
    const { client, fault, url, apiKey } = await started()
    await client.placeOrder({ ...ORDER, price: '1000.00' })
    const foreign = await connect({ url, apiKey }).placeOrder(ORDER)
    const foreignId = foreign.type === 'placed' ? foreign.order.id : ''
    await pause(LISTING_AGE_MS)
    await fault('reset-before')
    expect(await client.placeOrder(ORDER)).toMatchObject({ type: 'absent' })
    await fault('reset-after')
    const found = await client.placeOrder(ORDER)
    expect(found).toMatchObject({ type: 'placed', isFound: true, order: { id: expect.not.stringMatching(foreignId) } })
    expect((await client.openOrders()).filter(({ price }) => price === ORDER.price)).toHaveLength(2)
  })

  it('is unknown when the client is closed', async () => {
    const { client, fault } = await started()
    await client.placeOrder({ ...ORDER, price: '1000.00' })
    await fault('delay', 5_000)
    const placing = client.placeOrder(ORDER)
    await expect.poll(() => client.budget.mutations.remaining).toBe(28)
    await client.close()
    expect(await placing).toMatchObject({
      type: 'unknown',
      reason: expect.stringMatching(/closed before it was known/),
    })
    expect(await client.placeOrder(ORDER)).toMatchObject({ type: 'absent' })
  })
})

describe('other trouble', () => {
  it('refuses orders as the service does, without sending those that it would not read', async () => {
    const { client, fault } = await started()
    const code = async (order: unknown): Promise<unknown> => {
      const result = await client.placeOrder(order as typeof ORDER)
      return result.type === 'refused' ? result.refusal.code : result.type
    }
    expect(await code({ ...ORDER, price: 30_000 })).toBe('VALIDATION_ERROR')
    expect(await code({ ...ORDER, qty: '0.123456789' })).toBe('VALIDATION_ERROR')
    expect(await code({ ...ORDER, symbol: 'X_Y' })).toBe('MARKET_NOT_FOUND')
    expect(await code({ ...ORDER, qty: '1000' })).toBe('INSUFFICIENT_BALANCE')
    await fault('rate-limited')
    expect(await code(ORDER)).toBe('RATE_LIMITED')
  })

  it('repeats reads and cancels, and takes a cancel without an answer for one that was done', async () => {
    const { client, fault } = await started()
    await fault('rate-limited', 1_000, 'GET /balances')
    expect((await client.balances()).USD).toEqual({ available: '100000', locked: '0' })
    const placed = await client.placeOrder(ORDER)
    await fault('reset-after', undefined, 'DELETE /orders/{orderId}')
    const id = placed.type === 'placed' ? placed.order.id : ''
    expect(await client.cancelOrder(id)).toMatchObject({ type: 'cancelled', order: { status: 'CANCELLED' } })
    expect(await client.cancelOrder('999')).toMatchObject({ type: 'refused', refusal: { code: 'ORDER_NOT_FOUND' } })
    expect(await client.order('999')).toBeUndefined()
  })

  it('names a wrong key and a wrong address', async () => {
    const { url } = await started()
    const wrong = connect({ url, apiKey: 'pt_wrong' })
    await expect(wrong.balances()).rejects.toMatchObject({ code: 'INVALID_API_KEY', isRetryable: false })
    expect(await wrong.placeOrder(ORDER)).toMatchObject({ type: 'refused', refusal: { code: 'INVALID_API_KEY' } })
    expect(() => connect({ url: 'nowhere' })).toThrow(/^url: expected an http or https URL/)
  })

  it.each(['GET /markets', 'GET /orders'])('does not send an order while %s fails', async (route) => {
    const { client, fault } = await started()
    await fault('service-unavailable', undefined, route, 5)
    expect(await client.placeOrder(ORDER)).toMatchObject({
      type: 'absent',
      reason: expect.stringMatching(/^it was not sent: GET .* SERVICE_UNAVAILABLE/),
    })
    expect(await client.openOrders()).toEqual([])
  })

  it('places an order in a market that was listed after its first order', async () => {
    const before = await startEmulator({ port: 0 })
    const client = connect({ url: before.baseUrl })
    await client.placeOrder(ORDER)
    await before.close()
    const [symbol, port] = ['GOLD_EUR', Number(new URL(before.baseUrl).port)]
    const config = { markets: [{ symbol, pricePrecision: 2, qtyPrecision: 4 }], agents: false }
    closing.push(await startEmulator({ port, config }))
    const result = await client.placeOrder({ ...ORDER, symbol })
    expect(result).toMatchObject({ type: 'refused', refusal: { code: 'AUTHENTICATION_REQUIRED' } })
    expect(await client.placeOrder({ ...ORDER, symbol: 'X_Y' })).toMatchObject({
      refusal: { code: 'MARKET_NOT_FOUND' },
    })
  })
})

it('continues after a kill of the server', async () => {
  const args = ['--json', '--state', `${folder}/exchange.db`]
  const first = serve(args)
  const { baseUrl, users } = await first.line()
  const client = connect({ url: baseUrl, apiKey: users[0]?.keys[0] })
  await client.placeOrder(ORDER)
  const events: MarketEvent[] = []
  const isOver = (): boolean => events.filter(({ type }) => type === 'connected').length > 1
  const follow = async (): Promise<void> => {
    for await (const event of client.stream({ trades: ['BTC_USD'], tickers: ['ETH_USD'] })) {
      events.push(event)
      if (isOver() && event.type === 'trade') break
    }
  }
  const following = follow()
  await expect.poll(() => events.some(({ type }) => type === 'trade'), { timeout: 20_000 }).toBe(true)
  // It reads the orders, so that the next one is sent without another read.
  expect(await client.placeOrder({ ...ORDER, qty: '1000' })).toMatchObject({ type: 'refused' })
  await first.stop('SIGKILL')
  const placing = client.placeOrder({ ...ORDER, price: '29000.00' })
  await serve([...args, '--port', new URL(baseUrl).port]).line()
  expect(await placing).toMatchObject({ type: 'absent' })
  await following
  const ids = events.flatMap((event) => (event.type === 'trade' ? Number(event.trade.id) : []))
  expect(ids).toEqual([...new Set(ids)].toSorted((left, right) => left - right))
  expect(events.map(({ type }) => type)).toContain('disconnected')
  expect(await client.openOrders()).toMatchObject([{ price: '30000.00' }])
})

it('has no RxJS in what it imports', async () => {
  const entry = fileURLToPath(new URL('../../../src/client.ts', import.meta.url))
  const { metafile } = await build({
    ...{ entryPoints: [entry], bundle: true, write: false, metafile: true },
    ...{ format: 'esm', platform: 'node', packages: 'external' },
  })
  const packages = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(packages.filter((name) => /^(?:rxjs|better-sqlite3|yargs)/.test(name))).toEqual([])
  expect(packages).toContain('undici')
})
