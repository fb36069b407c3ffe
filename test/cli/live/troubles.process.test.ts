/**
 * Rows of the table of troubles in docs/live.md, each by the shipped command: a title begins with the first cell of its
 * row.
 */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LAST_PRICE, liveCases, RESTS, strategyOf, WATCHES, type CaseOptions, type LiveCase } from './rig/live-cases.ts'
import { refusal } from './rig/hostile-proxy.ts'
import { eventually, pause, repeating } from './rig/patience.ts'

const inCase = liveCases()
const trouble = (title: string, body: (stage: LiveCase) => Promise<void>, options: CaseOptions = {}): void => {
  it.concurrent(title, () => inCase(options, body))
}

/** Places each of these at once, and logs what becomes of it. */
const places = (name: string, ...intents: readonly string[]): string =>
  strategyOf(
    name,
    `merge(
    of(${intents.join(', ')}), NEVER,
    c.outcomes$.pipe(tap((o) => c.log('outcome ' + o.type + ' ' + (o.refusal?.code ?? ''))), ignoreElements()),
  )`,
  )

const SHORT_SETTLING = ['--timeout-ms', '1000', '--reconcile-ms', '3000']

trouble('an order is refused: the strategy hears the code of the service, and orders.csv has a row', async (stage) => {
  const session = stage.start(places('refused', "c.buyLimit('BTC_USD', '41000.00', '500')"))
  await session.until('outcome refused INSUFFICIENT_BALANCE')
  expect(session.rows('orders.csv')).toMatchObject([{ status: 'REFUSED', qty: '500' }])
  expect(await session.stop()).toBe(0)
})

trouble('a request gets no answer: the order is found by its terms and never sent again', async (stage) => {
  const { venue, proxy, start } = stage
  proxy.hooks = { onAnswer: (_, { method }) => (method === 'POST' ? 'reset' : undefined) }
  const session = start(places('unanswered', "c.buyLimit('BTC_USD', '41000.00', '0.01')"), { args: SHORT_SETTLING })
  await session.until('outcome acknowledged')
  expect(await venue.openOrders()).toHaveLength(1)
  expect(await session.stop()).toBe(0)
  expect(proxy.sent('POST', /^\/orders$/)).toHaveLength(1)
  expect(await venue.openOrders()).toEqual([])
})

/** Five orders; the limits of the service are known from the answer to the first. */
const FIVE_ORDERS = `merge(
  of(c.buyLimit('BTC_USD', '41000.00', '0.01')), NEVER,
  c.outcomes$.pipe(tap((o) => c.log('outcome ' + o.type + ' ' + (o.refusal?.code ?? ''))), ignoreElements()),
  c.outcomes$.pipe(first(), mergeMap(() => ['0.02', '0.03', '0.04', '0.05'].map((qty) => c.buyLimit('BTC_USD', '41000.00', qty)))),
)`

trouble(
  'the rate limit is reached: orders and cancels wait for it, or are refused on demand',
  async ({ venue, proxy, start }) => {
    const session = start(strategyOf('waits', FIVE_ORDERS))
    await eventually(
      async () => (await venue.openOrders()).length === 5,
      () => session.output,
    )
    expect(await session.stop()).toBe(0)
    expect(await venue.openOrders()).toEqual([])
    expect(proxy.requests.filter(({ status }) => status === 429)).toEqual([])
    const impatient = start(strategyOf('refuses', FIVE_ORDERS), { args: ['--on-limit', 'refuse'] })
    await impatient.until('outcome refused RATE_LIMITED')
    expect(await impatient.stop()).toBe(0)
    expect(await venue.openOrders()).toEqual([])
  },
  { config: { limits: { mutations: 6, windowSeconds: 4 } } },
)

trouble(
  'the machine slept: a fill of that time is reported once, and the session goes on',
  async ({ venue, start }) => {
    const session = start(places('sleeps', "c.buyLimit('BTC_USD', '41000.00', '0.01')"))
    await session.until('outcome acknowledged')
    session.signal('SIGSTOP')
    await venue.crowdOrder({ side: 'SELL', price: '41000.00' })
    await pause(12_000)
    session.signal('SIGCONT')
    await session.until('"type":"fill"')
    expect(await session.stop()).toBe(0)
    expect(session.rows('fills.csv')).toHaveLength(1)
  },
)

/** Buys once there is a price, and bids again below 41000. */
const LOSES = strategyOf(
  'loses',
  `merge(
  c.trades('BTC_USD').pipe(first(), mergeMap(() => [c.buyMarket('BTC_USD', '1'), c.buyLimit('BTC_USD', '39000.00', '0.01')])),
  c.trades('BTC_USD').pipe(filter((t) => t.priceNumber < 41000), map(() => c.buyLimit('BTC_USD', '39000.00', '0.02'))),
  c.outcomes$.pipe(tap((o) => c.log('outcome ' + o.type + ' ' + (o.refusal?.message ?? ''))), ignoreElements()),
)`,
)

trouble('a loss limit is reached: open buys are cancelled, and a new one is refused', async ({ venue, start }) => {
  await venue.crowdOrder({ side: 'SELL', price: '42100.00', qty: '1' })
  const session = start(LOSES, { args: ['--day-loss', '1000'] })
  await repeating(() => venue.trade(LAST_PRICE), session.until('"type":"fill"'))
  await session.until('outcome acknowledged')
  await repeating(() => venue.trade('40000.00'), session.until('"state":"REDUCING"'))
  await repeating(() => venue.trade('40000.00'), session.until(/outcome refused .*REDUCING/))
  await eventually(
    async () => (await venue.openOrders()).length === 0,
    () => session.output,
  )
  expect(await session.stop()).toBe(0)
})

trouble('an order appears that was assumed absent: it is adopted, and its market halted', async (stage) => {
  const { venue, proxy, start } = stage
  const late = async (): Promise<undefined> => {
    await pause(8000)
    return undefined
  }
  proxy.hooks = { onRequest: ({ method }) => (method === 'POST' ? late() : undefined) }
  const session = start(places('ghost', "c.buyLimit('BTC_USD', '41000.00', '0.01')"), { args: SHORT_SETTLING })
  await session.until('"why":"GHOST"')
  expect(await session.stop()).toBe(3)
  expect(await venue.openOrders()).toEqual([])
  expect(proxy.sent('POST', /^\/orders$/)).toHaveLength(1)
})

trouble(
  'a second process uses the key on this machine, with the same `--state` or another: it is refused its start by the lock',
  async ({ proxy, folder, start }) => {
    const first = start(RESTS)
    await first.started()
    for (const second of [start(RESTS), start(RESTS, { state: join(folder, 'other-state') })]) {
      expect((await second.ended).code).toBe(2)
      expect(second.stderr).toContain(String(first.child.pid))
    }
    expect(proxy.sent('POST', /^\/orders$/)).toHaveLength(1)
    expect(await first.stop()).toBe(0)
  },
)

trouble(
  'the key is revoked: every session halts and ends, and its open order is named',
  async ({ venue, proxy, start }) => {
    const session = start(RESTS)
    const [order] = await eventually(
      async () => {
        const open = await venue.openOrders()
        return open.length === 1 && open
      },
      () => session.output,
    )
    proxy.hooks = {
      onRequest: ({ headers }) => (headers['x-api-key'] === undefined ? undefined : refusal(401, 'INVALID_API_KEY')),
    }
    expect((await session.ended).code).toBe(3)
    expect(session.hasReport()).toBe(true)
    expect(session.report().live?.openOrders).toEqual([order?.id])
  },
)

trouble('the process is killed: the next start takes over the order that it left', async ({ venue, start }) => {
  const source = places('killed', "c.buyLimit('BTC_USD', '41000.00', '0.01')")
  const first = start(source)
  await first.until('outcome acknowledged')
  await first.kill()
  const second = start(source)
  await second.until('outcome acknowledged')
  expect(await second.stop()).toBe(0)
  expect(second.report()).toMatchObject({ recovered: 1 })
  expect(await venue.openOrders()).toEqual([])
})

trouble('a strategy throws: it ends alone, in order, and the exit code is 1', async ({ venue, start }) => {
  const throws = strategyOf(
    'throws',
    "merge(of(c.buyLimit('BTC_USD', '41000.00', '0.02')), c.orders$.pipe(map(() => { throw new Error('boom') })))",
  )
  const session = start([throws, RESTS])
  await session.until('boom')
  await eventually(async () => (await venue.openOrders()).length === 1, () => session.output) // prettier-ignore
  expect(await session.stop()).toBe(1)
  expect(await venue.openOrders()).toEqual([])
  expect(session.report('throws').failure).toMatchObject({ message: 'boom' })
  expect(session.report('rests').failure).toBeNull()
})

trouble('stdout or stderr is a closed pipe or a full disk: the session goes on and ends in order', async (stage) => {
  const { venue, proxy, start } = stage
  const session = start([WATCHES, RESTS])
  await session.until('"type":"started"')
  session.child.stdout?.destroy()
  session.child.stderr?.destroy()
  const rests = async (): Promise<boolean> => (await venue.openOrders()).length === 1
  await eventually(rests, () => 'an open order')
  const { length } = proxy.requests
  await repeating(() => venue.trade(LAST_PRICE), eventually(() => proxy.requests.length > length + 3, () => 'more requests')) // prettier-ignore
  expect(session.end).toBeUndefined()
  expect(await session.stop()).toBe(0)
  expect(session.hasReport('rests')).toBe(true)
  expect(await venue.openOrders()).toEqual([])
})

trouble(
  'the terminal is closed, or ssh is lost (SIGHUP): every hang-up together is one end in order',
  async (stage) => {
    const { venue, start } = stage
    const session = start(RESTS)
    await eventually(
      async () => (await venue.openOrders()).length === 1,
      () => session.output,
    )
    session.signal('SIGHUP')
    expect(await session.stop('SIGHUP')).toBe(0)
    expect(session.hasReport()).toBe(true)
    expect(await venue.openOrders()).toEqual([])
  },
)
