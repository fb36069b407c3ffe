import type { Latency } from '../../src/adapter/simulated/latency.ts'
import { SimulatedExchange } from '../../src/adapter/simulated/simulated-exchange.ts'
import { ownBalancesOf } from '../../src/adapter/simulated/account-updates.ts'
import { parseAmount } from '../../src/domain/fixed-point.ts'
import type { SimulatedMarkets } from '../../src/simulation/simulated-markets.ts'
import { CONTRACT_CREDITS, CONTRACT_MARKETS, type ContractStage } from '../contract/adapter/contract-stage.ts'
import { describeExchangeAdapter } from '../contract/adapter/exchange-adapter.contract.ts'
import { MarketStage } from '../simulation/rig/market-stage.ts'

const ME = 'me'
const OTHER = 'other'
const START = 1_700_000_000_000
const PLENTY = 10n ** 18n

function openStage(latency: Latency): ContractStage {
  const { exchange, queue, simulated, ...stage } = stageWithCredits()
  const adapter = new SimulatedExchange(simulated, { account: ME, latency, limits: undefined })
  const settleMs = latency.orderMs + latency.responseMs + latency.feedMs
  return {
    adapter,
    settleMs,
    pass: (ms) => {
      passTo(simulated, queue.now() + ms)
      return Promise.resolve()
    },
    otherPlaces: (request) => {
      stage.place(request)
      // What a network delivers at once needs no time to pass here.
      passTo(simulated, queue.now())
      return Promise.resolve()
    },
    atExchange: () =>
      Promise.resolve({
        balances: ownBalancesOf(exchange.balances(ME), exchange.scales),
        openOrderIds: exchange.openOrders(ME).map(({ id }) => String(id)),
      }),
    close: () => Promise.resolve(),
  }
}

function stageWithCredits(): Pick<MarketStage, 'exchange' | 'queue' | 'simulated'> & {
  place: (request: Parameters<MarketStage['place']>[1]) => void
} {
  const stage = new MarketStage({ markets: CONTRACT_MARKETS, start: START, isRecorded: false })
  for (const [asset, text] of Object.entries(CONTRACT_CREDITS)) {
    const amount = parseAmount(text, stage.exchange.scales.get(asset) ?? 0)
    if (!amount.ok) throw new Error(`the credit of ${asset} is ${amount.fault}`)
    stage.credit(ME, asset, amount.value)
  }
  for (const asset of stage.exchange.scales.keys()) stage.credit(OTHER, asset, PLENTY)
  const { exchange, queue, simulated } = stage
  return { exchange, queue, simulated, place: (request) => void stage.place(OTHER, request) }
}

function passTo({ queue }: SimulatedMarkets, time: number): void {
  while (queue.nextTime <= time) queue.runNext()
  queue.advance(time)
}

for (const [orderMs, responseMs, feedMs] of [
  [0, 0, 0],
  [50, 0, 0],
  [50, 30, 20],
  [0, 100, 7],
] as const) {
  describeExchangeAdapter({
    name: `simulated, latency of orders ${orderMs} ms, answers ${responseMs} ms, market data ${feedMs} ms`,
    open: () => Promise.resolve(openStage({ orderMs, responseMs, feedMs })),
    numRuns: 200,
  })
}
