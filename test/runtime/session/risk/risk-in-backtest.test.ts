/**
 * The risk in a backtest: its settings, its journal, its report; and nothing of it without them.
 */
import { map, merge, timer } from 'rxjs'
import { expect, it } from 'vitest'
import { runNotices } from '../../../../src/report/run/run-notices.ts'
import { factsOfBacktest } from '../../../../src/run/facts-of-backtest.ts'
import { settingsOfOptions } from '../../../../src/run/settings-of-options.ts'
import { buyLimit, buyMarket, sellMarket } from '../../../../src/strategy/orders.ts'
import { memoryTape, type RecordedRow } from '../../../simulation/rig/memory-tape.ts'
import { runStrategy } from '../../rig/run-strategy.ts'
import { at } from '../../rig/scripted-orders.ts'

const BTC = 'BTC_USD'

/** A trade a second: 100 for five seconds, then one less each. */
const ROWS = Array.from({ length: 20 }, (_, second): RecordedRow => [second * 1_000, Math.min(100, 105 - second), 50])
const tapes = [memoryTape(ROWS)]

it('without a limit nothing of it is watched, journaled or reported', async () => {
  const { journal, result } = await runStrategy({ run: () => at([[1_000, buyMarket(BTC, 10)]]) }, { tapes })
  expect(Object.keys(journal[0] ?? {})).not.toContain('maxOrder')
  expect([result.record.riskRefusals, result.record.states]).toEqual([0, []])
})

it('a loss of the day cancels what would add, lets reduce, and stands in journal, report and notices', async () => {
  const acts = at([
    [1_000, buyMarket(BTC, 10)],
    [2_000, buyLimit(BTC, 80, 1)],
    [12_000, buyMarket(BTC, 1)],
    [12_000, sellMarket(BTC, 4)],
  ])
  const run = await runStrategy({ run: () => acts }, { tapes, settings: { dayLoss: '50', maxOrder: '1000' } })
  expect(run.journal[0]).toMatchObject({ maxOrder: '1000', dayLoss: '50' })
  expect(Object.keys(run.journal[0] ?? {})).not.toContain('maxPosition')
  const why = 'the loss of the day is 50 USD, the limit is 50'
  const reported = run.journal.filter(({ type }) => ['state', 'cancel', 'refused'].includes(type))
  expect(reported).toEqual([
    { t: 10_000, type: 'state', state: 'REDUCING', why },
    { t: 10_000, type: 'cancel', orderId: expect.any(String) as string, by: 'risk', ref: 3 },
    {
      t: 12_000,
      type: 'refused',
      ref: 4,
      code: 'ORDER_REJECTED',
      by: 'risk',
      message: `risk: the session is REDUCING, which allows no buys: ${why}`,
    },
  ])
  expect(run.orders.map(({ order }) => `${order.side} ${order.status}`)).toEqual([
    ...['BUY FILLED', 'BUY CANCELLED', 'SELL FILLED'],
  ])
  const { warnings } = runNotices(factsOfBacktest('0', run.result, undefined, (file) => file))
  expect(warnings.slice(1, 3)).toEqual([
    `The session was REDUCING from 1970-01-01T00:00:10.000Z: ${why} (1 state change in total).`,
    'Risk limits refused 1 order.',
  ])
})

it('a loss of the day with atLimit flatten sells what the session bought, and not what it began with', async () => {
  const acts = at([
    [1_000, buyMarket(BTC, 10)],
    [2_000, buyLimit(BTC, 80, 1)],
    [12_000, sellMarket(BTC, 4)],
    [13_000, buyMarket(BTC, 1)],
  ])
  const settings = { dayLoss: '50', atLimit: 'flatten', credit: { USD: '100000', BTC: '5' } } as const
  const { journal, orders, logs, result } = await runStrategy({ run: () => acts }, { tapes, settings })
  expect(journal[0]).toMatchObject({ dayLoss: '50', atLimit: 'flatten' })
  expect(journal.flatMap(({ type, t, state }) => (type === 'state' ? [[t, state]] : []))).toEqual([
    [9_000, 'REDUCING'],
    [9_000, 'HALTED'],
    [expect.any(Number), 'REDUCING'],
  ])
  const sold = orders.filter(({ order }) => order.side === 'SELL' && order.tag === 'flatten')
  expect(sold.reduce((sum, { order }) => sum + order.filledQty.toNumber(), 0)).toBe(10)
  expect(orders.filter(({ order }) => order.tag === undefined).map(({ order }) => order.status)).toEqual([
    ...['FILLED', 'CANCELLED', 'FILLED'],
  ])
  expect(logs.map(([, message]) => message)).toEqual(['flatten: sold 10 BTC at market in BTC_USD'])
  expect(result.record.riskRefusals).toBe(1)
})

it('the same run gives the same journal, losses watched or not', async () => {
  const run = async (settings: object): Promise<readonly string[]> => {
    const acts = at([
      [1_000, buyMarket(BTC, 10)],
      [9_000, sellMarket(BTC, 4)],
    ])
    return (await runStrategy({ run: () => acts }, { tapes, settings })).lines.slice(1)
  }
  const lines = await run({})
  expect(await run({ dayLoss: '5000', drawdownPercent: '90', maxPosition: '1000000', collarPercent: '5' })).toEqual(
    lines,
  )
})

it('a strategy that answers a refusal with the same order at once is ended', async () => {
  const { result } = await runStrategy(
    {
      run: ({ outcomes$ }) => merge(timer(1_000), outcomes$).pipe(map(() => buyMarket(BTC, 10))),
    },
    { tapes, settings: { maxOrder: '1' } },
  )
  expect(result.failure?.message).toMatch(/^more than 10000 orders and cancels at the same moment/)
})

it.each`
  risk                          | message
  ${{ maxOrder: 100 }}          | ${/^risk\.maxOrder: /}
  ${{ maxOrder: '0' }}          | ${/^risk\.maxOrder: /}
  ${{ dayLoss: '-1' }}          | ${/^risk\.dayLoss: /}
  ${{ drawdownPercent: '1e1' }} | ${/^risk\.drawdownPercent: /}
  ${{ ordersPerMinute: 0 }}     | ${/^risk\.ordersPerMinute: /}
  ${{ maxOrders: '1' }}         | ${/^risk\.maxOrders: no such option; did you mean 'maxOrder'/}
`('$risk is refused by name', ({ risk, message }) => {
  expect(() => settingsOfOptions({ strategy: 'grid', tapes: ['a.csv'], risk: risk as object })).toThrow(
    message as RegExp,
  )
})

it('off is the same as not set', () => {
  const risk = { maxOrder: 'off', ordersPerMinute: 'off', collarPercent: '0.50' } as const
  expect(settingsOfOptions({ strategy: 'grid', tapes: ['a.csv'], risk }).settings).toMatchObject({
    maxOrder: null,
    maxPosition: null,
    ordersPerMinute: null,
    collarPercent: '0.50',
  })
})
