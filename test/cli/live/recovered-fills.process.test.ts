/**
 * Fills of the time around a kill and a restart, by the shipped command: the files of all sessions together are what
 * the service filled.
 */
import { expect, it } from 'vitest'
import { liveCases, strategyOf, type LiveCase } from './rig/live-cases.ts'
import { eventually, repeating } from './rig/patience.ts'
import type { SessionProcess } from './rig/session-process.ts'

const inCase = liveCases()
const trouble = (title: string, body: (stage: LiveCase) => Promise<void>): void => {
  it.concurrent(title, () => inCase({}, body))
}

/** Bids at each price of a trade below 41500, and reports each fill that it hears of. */
const BIDS = strategyOf(
  'bids',
  `merge(
  c.trades('BTC_USD').pipe(filter((t) => t.priceNumber > 42500), first(), mergeMap(() => [
    c.buyLimit('BTC_USD', '41000.00', '0.01'), c.buyLimit('BTC_USD', '40900.00', '0.02'), c.buyLimit('BTC_USD', '40800.00', '0.03'),
  ])),
  c.fills$.pipe(tap((f) => c.log('heard ' + f.tradeId)), ignoreElements()),
)`,
)

/** Sorted, as the service names them. */
const filed = (...sessions: readonly SessionProcess[]): readonly string[] =>
  sessions.flatMap((session) => session.rows('fills.csv').map((row) => `${row.trade_id} ${row.order_id}`)).sort()
const filled = async ({ venue }: LiveCase): Promise<readonly string[]> =>
  (await venue.fills()).map(({ id, orderId }) => `${id} ${orderId}`).sort()

async function withBids(stage: LiveCase): Promise<SessionProcess> {
  const { venue, start } = stage
  const session = start(BIDS)
  await session.started()
  await repeating(
    () => venue.trade('43000.00'),
    eventually(
      async () => (await venue.openOrders()).length === 3,
      () => session.output,
    ),
  )
  return session
}

trouble(
  'an order is filled while no session of its strategy runs: the next one has the fill in its files',
  async (stage) => {
    const { venue, proxy, start } = stage
    const first = await withBids(stage)
    await venue.crowdOrder({ side: 'SELL', price: '41000.00', qty: '0.004' })
    await first.until('"type":"fill"')
    // From now on nothing that is filled is heard of.
    proxy.hooks = { onRequest: ({ path }) => (path.startsWith('/trades') ? 'reset' : undefined) }
    await venue.crowdOrder({ side: 'SELL', price: '40900.00', qty: '0.016' })
    await first.kill()
    await venue.crowdOrder({ side: 'SELL', price: '40800.00', qty: '0.020' })
    proxy.hooks = {}
    const second = start(BIDS)
    await second.started()
    await venue.crowdOrder({ side: 'SELL', price: '40800.00', qty: '0.001' })
    await second.until('"type":"fill"')
    await second.until('heard ')
    expect(await second.stop()).toBe(0)
    expect(await venue.openOrders()).toEqual([])
    expect(filed(first, second)).toEqual(await filled(stage))

    const report = second.report()
    const recovered = second
      .journal('fill')
      .filter(({ fill }) => (fill as { isRecovered?: boolean }).isRecovered === true)
    expect(report.live?.recoveredFills).toBe(recovered.length)
    expect(recovered.length).toBeGreaterThan(1)
    expect(report.fills).toBe(second.rows('fills.csv').length)
    // Only that of its own time is news to the strategy.
    expect(second.output.match(/heard /g)).toHaveLength(1)
    const { USD, BTC } = await venue.balances()
    expect(report.audit.assets).toMatchObject({ USD: { held: USD?.available }, BTC: { held: BTC?.available } })
    expect(report.live?.openOrders).toEqual([])

    const third = start(BIDS)
    await third.started()
    expect(await third.stop()).toBe(0)
    expect([third.rows('fills.csv'), third.report().live?.recoveredFills]).toEqual([[], 0])
  },
)

trouble('the strategy of an order does not run: its fill waits for the next session of the strategy', async (stage) => {
  const { venue, start } = stage
  const first = await withBids(stage)
  await first.kill()
  const other = start(strategyOf('other', 'NEVER'))
  await other.started()
  await venue.crowdOrder({ side: 'SELL', price: '40800.00', qty: '0.06' })
  await eventually(
    async () => (await venue.openOrders()).length === 0,
    () => other.output,
  )
  expect(await other.stop()).toBe(0)
  expect(other.rows('fills.csv')).toEqual([])
  const second = start(BIDS)
  await second.started()
  expect(await second.stop()).toBe(0)
  expect(filed(first, other, second)).toEqual(await filled(stage))
  expect(second.rows('orders.csv').map(({ status }) => status)).toEqual(['FILLED', 'FILLED', 'FILLED'])
})

const NOTHING = strategyOf('bids', 'NEVER')

trouble(
  'another strategy of the process has a wrong start: the fill waits for the session that begins',
  async (stage) => {
    const { venue, start } = stage
    const first = await withBids(stage)
    await first.kill()
    await venue.crowdOrder({ side: 'SELL', price: '41000.00', qty: '0.004' })
    const second = start([strategyOf('bad', `c.trades('NOPE_USD').pipe(ignoreElements())`), NOTHING])
    await second.ended
    expect(second.end?.code).toBe(2)
    const third = start(NOTHING)
    await third.started()
    expect(await third.stop()).toBe(0)
    expect(filed(third)).toEqual(await filled(stage))
    expect(await venue.fills()).toHaveLength(1)
  },
)
