/**
 * Rows of the table of troubles in docs/live.md that come with the service and with the end of a session, by the
 * shipped command.
 */
import { expect, it } from 'vitest'
import { refusal, type Fate } from './rig/hostile-proxy.ts'
import { LAST_PRICE, liveCases, RESTS, strategyOf, WATCHES, type LiveCase } from './rig/live-cases.ts'
import { eventually, pause, repeating } from './rig/patience.ts'
import type { SessionProcess } from './rig/session-process.ts'
import type { Venue } from './rig/venue.ts'

const inCase = liveCases()
const trouble = (title: string, body: (stage: LiveCase) => Promise<void>): void => {
  it.concurrent(title, () => inCase({}, body))
}

const PAGE: Fate = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>We will be back soon</h1>' }

/** Waits until the account has so many open orders. */
const open = (venue: Venue, count: number, session: SessionProcess): Promise<true> =>
  eventually(async () => (await venue.openOrders()).length === count, () => session.output) // prettier-ignore

trouble('an answer is not from the service, such as the page of a gateway: it is asked again', async (stage) => {
  const { venue, proxy, start } = stage
  const session = start([WATCHES, RESTS])
  await open(venue, 1, session)
  let pages = 0
  const statuses = [404, 403, 200]
  proxy.hooks = {
    onRequest: ({ method }) => {
      if (method !== 'GET') return undefined
      pages += 1
      return { ...PAGE, status: statuses[pages % statuses.length] ?? 200 }
    },
  }
  await eventually(() => pages >= 6, () => session.output) // prettier-ignore
  proxy.hooks = {}
  await repeating(() => venue.trade('42001.00'), session.until('trade 42001.00'))
  const { length } = proxy.sent('GET', /^\/balances/).filter(({ status }) => status === 200)
  await eventually(() => proxy.sent('GET', /^\/balances/).filter(({ status }) => status === 200).length > length, () => session.output) // prettier-ignore
  expect(await session.stop()).toBe(0)
  expect(await venue.openOrders()).toEqual([])
})

trouble('another program orders on the account: it is reported once, and their order is left alone', async (stage) => {
  const { venue, proxy, start } = stage
  const session = start([WATCHES, RESTS])
  await open(venue, 1, session)
  const { id } = await venue.foreignOrder({ side: 'BUY', price: '40000.00' })
  await session.until('was placed by another program on this account')
  await repeating(() => venue.trade('42001.00'), session.until('trade 42001.00'))
  expect(await session.stop()).toBe(0)
  expect((await venue.openOrders()).map((order) => order.id)).toEqual([id])
  expect(proxy.sent('DELETE', new RegExp(`/${id}$`))).toEqual([])
})

/** A bracket at the first trade above 42000. */
const BRACKET = strategyOf(
  'bracket',
  `c.trades('BTC_USD').pipe(filter((t) => t.price.toFixed(2) === '42001.00'), first(),
    map(() => c.bracket(c.buyLimit('BTC_USD', '41900.00', '0.01'), { stop: '41500.00', target: '43000.00' })))`,
)

trouble(
  'an outage follows a restart with an open bracket: its target is asked for until it is there',
  async (stage) => {
    const { venue, proxy, start } = stage
    const first = start(BRACKET)
    await repeating(() => venue.trade('42001.00'), open(venue, 1, first))
    await first.kill()
    await venue.crowdOrder({ side: 'SELL', price: '41900.00' })
    let failures = 0
    proxy.hooks = {
      onRequest: ({ method, path }) => {
        if (method !== 'GET' || !/^\/orders\?.*symbol=/.test(path) || failures >= 6) return undefined
        failures += 1
        return refusal(503, 'SERVICE_UNAVAILABLE')
      },
    }
    const second = start(BRACKET)
    await second.started()
    await repeating(() => venue.trade(LAST_PRICE), eventually(async () => (await venue.openOrders()).some(({ side }) => side === 'SELL'), () => second.output)) // prettier-ignore
    expect(await venue.openOrders()).toMatchObject([{ side: 'SELL', price: '43000.00', qty: '0.01000000' }])
    expect(await second.stop()).toBe(0)
    expect(await venue.openOrders()).toEqual([])
  },
)

trouble(
  'the process is killed while a stop replaces its target: the next start sells',
  async ({ venue, proxy, start }) => {
    const first = start(BRACKET)
    await repeating(() => venue.trade('42001.00'), open(venue, 1, first))
    await venue.crowdOrder({ side: 'SELL', price: '41900.00' })
    await eventually(async () => (await venue.openOrders()).some(({ side }) => side === 'SELL'), () => first.output) // prettier-ignore
    await venue.crowdOrder({ side: 'BUY', price: '41300.00', qty: '1' })
    let isReached = false
    const late = async (): Promise<undefined> => {
      isReached = true
      await pause(10_000)
      return undefined
    }
    proxy.hooks = { onAnswer: (_, { method }) => (method === 'DELETE' ? late() : undefined) }
    await repeating(() => venue.trade('41450.00'), eventually(() => isReached, () => first.output)) // prettier-ignore
    await first.kill()
    proxy.hooks = {}
    await venue.trade('42300.00')
    const second = start(BRACKET)
    await second.started()
    const isFlat = async (): Promise<boolean> => Number((await venue.balances()).BTC?.available) === 10
    await repeating(
      () => venue.trade('42310.00'),
      eventually(isFlat, () => second.output),
    )
    expect(await second.stop()).toBe(0)
    expect(await venue.openOrders()).toEqual([])
  },
)

trouble('a position is closed by something other than its bracket: the bracket ends', async ({ venue, start }) => {
  const source = strategyOf(
    'closes',
    `merge(of(c.bracket(c.buyLimit('BTC_USD', '41900.00', '0.01'), { stop: '41500.00', target: '43000.00' })),
    c.trades('BTC_USD').pipe(filter((t) => t.price.toFixed(2) === '42002.00'), first(), map(() => c.sellMarket('BTC_USD', '0.01'))))`,
  )
  const session = start(source)
  await open(venue, 1, session)
  await venue.crowdOrder({ side: 'SELL', price: '41900.00' })
  const [isOffered, isFlat] = [true, false].map((has) => async () => (await venue.openOrders()).some(({ side }) => side === 'SELL') === has) // prettier-ignore
  await eventually(() => isOffered?.(), () => session.output) // prettier-ignore
  await venue.crowdOrder({ side: 'BUY', price: '41950.00', qty: '0.01' })
  await repeating(() => venue.trade('42002.00'), eventually(() => isFlat?.(), () => session.output)) // prettier-ignore
  expect(session.end).toBeUndefined()
  expect(await session.stop()).toBe(0)
  expect(session.rows('fills.csv').map(({ side }) => side)).toEqual(['BUY', 'SELL'])
})

trouble(
  'no cancel may be sent before `--stop-timeout` is over: the open order is named in the last line that is printed',
  async (stage) => {
    const { venue, proxy, start } = stage
    const orders = strategyOf(
      'orders',
      `merge(of(c.buyLimit('BTC_USD', '41000.00', '0.01')),
    c.trades('BTC_USD').pipe(filter((t) => t.priceNumber > 42000), first(), map(() => c.buyLimit('BTC_USD', '41000.00', '0.02'))))`,
    )
    const session = start(orders, { args: ['--stop-timeout', '5s'] })
    await open(venue, 1, session)
    const limited = refusal(429, 'RATE_LIMITED', { 'retry-after': '3600' })
    proxy.hooks = { onRequest: ({ method }) => (method === 'GET' ? undefined : limited) }
    await repeating(() => venue.trade('42001.00'), eventually(() => proxy.sent('POST', /^\/orders$/).length > 1, () => session.output)) // prettier-ignore
    const [left] = await venue.openOrders()
    expect(await session.stop()).toBe(3)
    expect(session.report().live?.openOrders).toEqual([left?.id])
    const [ended] = session.events('ended')
    expect(ended?.message).toContain(`order ${left?.id ?? ''} (BUY 0.01 BTC_USD at 41000)`)
    expect(session.stdout.trimEnd().split('\n').at(-1)).toContain('"type":"ended"')
  },
)
