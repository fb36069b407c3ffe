import { afterEach, describe, expect, it } from 'vitest'
import { LiveMarketData } from '../../../../src/adapter/live/market-data/live-market-data.ts'
import { ClientBudget } from '../../../../src/adapter/live/rest/client-budget.ts'
import { ServiceClient } from '../../../../src/adapter/live/rest/service-client.ts'
import { UndiciTransport } from '../../../../src/adapter/live/rest/undici-transport.ts'
import { streamUrlOf } from '../../../../src/adapter/live/stream/stream-connection.ts'
import { WsStreamConnection } from '../../../../src/adapter/live/stream/ws-stream-connection.ts'
import { MarketView } from '../../../../src/strategy/market-view.ts'
import { serveMarket, type ServedMarket } from '../../../server/rig/served-market.ts'
import { MachineLiveTime } from '../../../../src/adapter/live/machine-live-time.ts'

const ends: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function connect(served: ServedMarket): Promise<LiveMarketData> {
  const time = new MachineLiveTime()
  const { baseUrl } = served.server
  const transport = new UndiciTransport({ url: baseUrl })
  const budget = new ClientBudget({ time })
  const random = (): number => 0.5
  const reads = new ServiceClient({ transport, budget, time, random })
  const limits = { firstBackoffMs: 20, mostBackoffMs: 100 }
  const stream = new WsStreamConnection({ url: streamUrlOf(baseUrl), random, limits })
  const markets = (await reads.markets()).map((market) => new MarketView(market))
  const data = new LiveMarketData({ markets, reads, stream, time, random })
  ends.push(
    () => data.close(),
    async () => transport.close(),
    async () => served.server.close(),
  )
  return data
}

const moment = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

describe('live market data over real sockets', () => {
  it('reports each trade once and in order, also those that dropped streams did not report', async () => {
    const served = await serveMarket()
    const data = await connect(served)
    const prices: string[] = []
    const tickers: string[] = []
    data.trades('BTC_USD').subscribe(({ price }) => prices.push(price.toFixed(2)))
    data.tickers('BTC_USD').subscribe(({ lastPrice }) => tickers.push(lastPrice.toFixed(2)))
    data.gaps('BTC_USD').subscribe(() => prices.push('gap'))
    served.print('BTC_USD', 9_999)
    await data.start()
    while (data.health().bySymbol.get('BTC_USD')?.source !== 'stream') await moment()
    expect(data.lastPrice('BTC_USD')?.toFixed(2)).toBe('99.99')
    const expected: string[] = []
    for (let round = 0; round < 5; round += 1) {
      const { reconnects } = data.health()
      await served.fault({ fault: 'stream-drop', route: 'GET /ws', count: 1 })
      for (let each = 0; each < 5; each += 1) {
        const price = 10_000 + round * 10 + each
        served.print('BTC_USD', price)
        expected.push((price / 100).toFixed(2))
      }
      while (data.health().reconnects === reconnects || prices.length < expected.length) await moment()
      while (data.health().bySymbol.get('BTC_USD')?.source !== 'stream') await moment()
      served.print('BTC_USD', 20_000 + round)
      expected.push(((20_000 + round) / 100).toFixed(2))
      while (prices.length < expected.length) await moment()
    }
    expect(prices).toEqual(expected)
    expect(tickers).toContain(expected.at(-1))
    expect(data.state).toBe('connected')
    expect(data.health().reconnects).toBe(5)
  })
})
