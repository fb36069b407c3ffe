/**
 * The adapter with faults on purpose is an adapter as every other: it keeps their contract, without a fault and with
 * answers that are lost.
 */
import { HotStream } from '../../src/strategy/hot-stream.ts'
import { SimulatedExchange } from '../../src/adapter/simulated/simulated-exchange.ts'
import { ownBalancesOf } from '../../src/adapter/simulated/account-updates.ts'
import { parseAmount } from '../../src/domain/fixed-point.ts'
import type { ExchangeFault } from '../../src/testing/faults/exchange-fault.ts'
import { FaultyExchange } from '../../src/testing/faults/faulty-exchange.ts'
import { expect, it } from 'vitest'
import { Client } from '../contract/adapter/contract-client.ts'
import { CONTRACT_CREDITS, CONTRACT_MARKETS, limit, type ContractStage } from '../contract/adapter/contract-stage.ts'
import { describeExchangeAdapter } from '../contract/adapter/exchange-adapter.contract.ts'
import { MarketStage } from '../simulation/rig/market-stage.ts'

const ME = 'me'
const OTHER = 'other'
const PLENTY = 10n ** 18n
const LATENCY = { orderMs: 50, responseMs: 30, feedMs: 20 }
const SETTLE_MS = 100
const UNKNOWN_MS = 40_000

interface FaultyStage extends ContractStage {
  readonly adapter: FaultyExchange
}

function openStage(): FaultyStage {
  const stage = new MarketStage({ markets: CONTRACT_MARKETS, start: 1_700_000_000_000, isRecorded: false })
  const { exchange, queue, simulated } = stage
  for (const [asset, text] of Object.entries(CONTRACT_CREDITS)) {
    const amount = parseAmount(text, exchange.scales.get(asset) ?? 0)
    if (amount.ok) stage.credit(ME, asset, amount.value)
  }
  for (const asset of exchange.scales.keys()) stage.credit(OTHER, asset, PLENTY)
  const pass = (ms: number): Promise<void> => {
    const end = queue.now() + ms
    while (queue.nextTime <= end) queue.runNext()
    queue.advance(end)
    return Promise.resolve()
  }
  const inner = new SimulatedExchange(simulated, { account: ME, latency: LATENCY, limits: undefined })
  return {
    adapter: new FaultyExchange(inner, []),
    settleMs: SETTLE_MS,
    unknownMs: UNKNOWN_MS,
    pass,
    otherPlaces: async (request) => {
      stage.place(OTHER, request)
      await pass(0)
    },
    atExchange: () =>
      Promise.resolve({
        balances: ownBalancesOf(exchange.balances(ME), exchange.scales),
        openOrderIds: exchange.openOrders(ME).map(({ id }) => String(id)),
      }),
    close: () => Promise.resolve(),
  }
}

describeExchangeAdapter({
  name: 'with faults on purpose, of which none is planned',
  open: () => Promise.resolve(openStage()),
  loseNextAnswer: ({ adapter }, isExecuted) => {
    if (adapter instanceof FaultyExchange)
      adapter.strikeNext({ type: 'lost', request: 0, isExecuted, unknownAfterMs: 0 })
    return Promise.resolve()
  },
  numRuns: 100,
})

it('reports nothing out of its order while an answer is held back', async () => {
  const stage = openStage()
  const client = new Client(stage)
  stage.adapter.strikeNext({ type: 'late', request: 0, lateMs: 5_000 })
  client.place(limit('BUY', 1_000, 200))
  client.place(limit('BUY', 900, 100))
  await stage.pass(1_000)
  expect(client.texts).toEqual([])
  expect(stage.adapter.openOrders()).toEqual([])
  await stage.pass(10_000)
  expect(client.texts.filter((text) => !text.startsWith('balances'))).toEqual([
    'acknowledged BUY LIMIT OPEN 0/2 at 100',
    'order BUY LIMIT OPEN 0/2 at 100',
    'acknowledged BUY LIMIT OPEN 0/1 at 90',
    'order BUY LIMIT OPEN 0/1 at 90',
  ])
  expect(stage.adapter.openOrders()).toHaveLength(2)
})

it('passes on the streams of the market as they are', () => {
  expect(openStage().adapter.trades('BTC_USD')).toBeInstanceOf(HotStream)
})

it.each`
  fault                                                                         | message
  ${{ type: 'late', request: 1, lateMs: 1_000 / 3 }}                            | ${'late: expected lateMs to be whole milliseconds, got 333.3333333333333'}
  ${{ type: 'lost', request: 1, isExecuted: true, unknownAfterMs: Number.NaN }} | ${'lost: expected unknownAfterMs to be whole milliseconds, got NaN'}
  ${{ type: 'lost', request: 1, isExecuted: false, settledAfterMs: -1 }}        | ${'lost: expected settledAfterMs to be whole milliseconds, got -1'}
  ${{ type: 'silence', request: 1, unknownAfterMs: Number.POSITIVE_INFINITY }}  | ${'silence: expected unknownAfterMs to be whole milliseconds, got Infinity'}
`('takes no fault at a time that is none: $message', ({ fault, message }) => {
  const { adapter } = openStage()
  const strike = (): void => {
    adapter.strikeNext(fault as ExchangeFault)
  }
  expect(strike).toThrow(message as string)
  expect(() => new FaultyExchange(adapter, [fault as ExchangeFault])).toThrow(message as string)
})
