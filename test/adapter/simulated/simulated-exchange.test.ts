/**
 * Latencies of a simulated exchange: when what happens, to the millisecond.
 */
import { first } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Latency } from '../../../src/adapter/simulated/latency.ts'
import { SimulatedExchange } from '../../../src/adapter/simulated/simulated-exchange.ts'
import type { RequestOutcome } from '../../../src/adapter/exchange-adapter.ts'
import type { RateLimits } from '../../../src/domain/rate-window.ts'
import type { OrderRequest } from '../../../src/domain/order.ts'
import { BTC, MarketStage } from '../../simulation/rig/market-stage.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'

const BUY: OrderRequest = { symbol: BTC, side: 'BUY', type: 'MARKET', qty: 1 }
const BID: OrderRequest = { symbol: BTC, side: 'BUY', type: 'LIMIT', price: 50, qty: 1 }

class Scene {
  readonly stage = new MarketStage()
  readonly adapter: SimulatedExchange
  readonly log: string[] = []

  constructor(latency: Partial<Latency> = {}, limits?: RateLimits) {
    this.stage.credit('me', 'USD', 1_000n)
    const all = { orderMs: 0, responseMs: 0, feedMs: 0, ...latency }
    this.adapter = new SimulatedExchange(this.stage.simulated, { account: 'me', latency: all, limits })
    this.stage.simulated.onEvents((events) => {
      for (const { type } of events) this.note(`exchange: ${type}`)
    })
    this.adapter.updates$.subscribe(({ type }) => this.note(`reported: ${type}`))
  }

  note(what: string): void {
    this.log.push(`${this.stage.queue.now()} ${what}`)
  }

  readonly reply = (outcome: RequestOutcome): void => {
    this.note(`reply: ${outcome.type === 'refused' ? outcome.refusal.code : outcome.type}`)
  }

  /** Does something once, at the first trade at a price. */
  at(price: number, act: () => void): void {
    this.adapter
      .trades(BTC)
      .pipe(first((trade) => trade.priceNumber === price))
      .subscribe(act)
  }

  async play(rows: readonly RecordedRow[], end: number): Promise<readonly string[]> {
    await this.stage.play([memoryTape(rows)], { end })
    return this.log
  }
}

describe('an order', () => {
  it('is executed exactly its latency later, and answered exactly the response latency after that', async () => {
    const scene = new Scene({ orderMs: 50, responseMs: 30 })
    scene.at(100, () => scene.adapter.place({ request: BUY, reference: 1 }, scene.reply))
    expect(await scene.play([[1_000, 100, 1]], 5_000)).toEqual([
      '1050 exchange: order-accepted',
      '1050 exchange: traded',
      ...[
        '1080 reply: acknowledged',
        '1080 reported: order',
        '1080 reported: fill',
        '1080 reported: order',
        '1080 reported: balances',
      ],
    ])
  })

  it('meets the market as it is when it arrives, after the recorded trades of that millisecond', async () => {
    const scene = new Scene({ orderMs: 50 })
    scene.at(100, () => scene.adapter.place({ request: BUY, reference: 1 }, scene.reply))
    const rows: RecordedRow[] = [
      [1_000, 100, 1],
      [1_049, 101, 1],
      [1_050, 107, 1],
      [1_051, 103, 1],
    ]
    await scene.play(rows, 5_000)
    expect(scene.stage.tape).toEqual(['100 x 1 buy', '101 x 1 buy', '107 x 1 buy', '107 x 1 buy', '103 x 1 sell'])
  })

  it('without any latency is executed at its own millisecond, never within the call', async () => {
    const scene = new Scene()
    scene.at(100, () => {
      scene.adapter.place({ request: BUY, reference: 1 }, scene.reply)
      scene.note('called')
    })
    const log = await scene.play([[1_000, 100, 1]], 1_000)
    expect(log.slice(0, 4)).toEqual([
      '1000 called',
      '1000 exchange: order-accepted',
      '1000 exchange: traded',
      '1000 reply: acknowledged',
    ])
  })

  it('that was sent first is executed first and answered first', async () => {
    const scene = new Scene({ orderMs: 50, responseMs: 30 })
    scene.at(100, () => {
      scene.adapter.place({ request: BID, reference: 1 }, scene.reply)
      scene.adapter.cancel('999', scene.reply)
      scene.adapter.place({ request: { ...BID, qty: 0 }, reference: 1 }, scene.reply)
    })
    const log = await scene.play([[1_000, 100, 1]], 5_000)
    expect(log.filter((each) => !each.includes('reported'))).toEqual([
      ...['1050 exchange: order-accepted', '1050 exchange: cancel-refused', '1050 exchange: order-refused'],
      ...['1080 reply: acknowledged', '1080 reply: ORDER_NOT_FOUND', '1080 reply: ORDER_REJECTED'],
    ])
  })

  it('that rests and is filled by the tape is reported after the response latency later', async () => {
    const scene = new Scene({ orderMs: 50, responseMs: 30 })
    scene.at(100, () => scene.adapter.place({ request: BID, reference: 1 }, scene.reply))
    const rows: RecordedRow[] = [
      [1_000, 100, 1],
      [2_000, 50, 1],
    ]
    const log = await scene.play(rows, 5_000)
    expect(log.slice(-4)).toEqual([
      '2000 exchange: traded',
      '2030 reported: fill',
      '2030 reported: order',
      '2030 reported: balances',
    ])
  })
})

describe('market data', () => {
  it('arrives exactly the feed latency later: trades, then the ticker after its trade, candles after their boundary', async () => {
    const scene = new Scene({ feedMs: 20 })
    const { adapter } = scene
    adapter.trades(BTC).subscribe(({ createdAt }) => scene.note(`trade of ${createdAt}`))
    adapter
      .tickers(BTC)
      .subscribe(({ timestamp, lastPrice }) => scene.note(`ticker of ${timestamp}: ${lastPrice.toFixed()}`))
    adapter.candles(BTC, '1m').subscribe(({ time }) => scene.note(`candle of ${time}`))
    const rows: RecordedRow[] = [
      [59_990, 100, 1],
      [60_000, 101, 1],
    ]
    expect(await scene.play(rows, 70_000)).toEqual([
      ...['60010 trade of 59990', '60010 ticker of 59990: 100'],
      ...['60020 trade of 60000', '60020 ticker of 60000: 101', '60020 candle of 0'],
    ])
  })

  it('of a trade is not known before it arrives', async () => {
    const scene = new Scene({ feedMs: 20 })
    const prices: unknown[] = []
    for (const delayMs of [1_019, 1_020])
      scene.adapter.after(delayMs, () => prices.push(scene.adapter.lastPrice(BTC)?.toFixed()))
    await scene.play([[1_000, 100, 1]], 5_000)
    expect(prices).toEqual([undefined, '100'])
  })

  it('that arrives late comes before timers and answers of its moment', async () => {
    const scene = new Scene({ feedMs: 20, responseMs: 20 })
    const { adapter } = scene
    adapter.after(1_000, () => adapter.cancel('9', scene.reply))
    adapter.after(1_020, () => scene.note('timer'))
    adapter.trades(BTC).subscribe(() => scene.note('trade'))
    const log = await scene.play([[1_000, 100, 1]], 5_000)
    expect(log.slice(1)).toEqual(['1020 trade', '1020 timer', '1020 reply: ORDER_NOT_FOUND'])
  })

  it('without latency is there within its trade', async () => {
    const scene = new Scene()
    scene.adapter.trades(BTC).subscribe(() => scene.note('trade'))
    scene.stage.simulated.listen(BTC, { onTrade: () => scene.note('exchange') })
    expect(await scene.play([[1_000, 100, 1]], 1_000)).toEqual(['1000 trade', '1000 exchange'])
  })

  it('shows our own trades in public before we are answered', async () => {
    const scene = new Scene({ responseMs: 30 })
    scene.at(100, () => scene.adapter.place({ request: BUY, reference: 1 }, scene.reply))
    scene.adapter.trades(BTC).subscribe(({ id }) => scene.note(`trade ${id}`))
    const log = await scene.play([[1_000, 100, 1]], 5_000)
    expect(log.slice(0, 5)).toEqual([
      ...[
        '1000 trade 1',
        '1000 exchange: order-accepted',
        '1000 exchange: traded',
        '1000 trade 2',
        '1030 reply: acknowledged',
      ],
    ])
  })
})

describe('the limits of the key', () => {
  const limits = { general: 600, mutations: 2, windowSeconds: 60 }

  it('are enforced when a request arrives, whoever sent it: RATE_LIMITED, and nothing happened', async () => {
    const scene = new Scene({ orderMs: 50, responseMs: 30 }, limits)
    scene.at(100, () => {
      for (let sent = 0; sent < 3; sent += 1) scene.adapter.place({ request: BID, reference: 1 }, scene.reply)
    })
    const log = await scene.play([[1_000, 100, 1]], 5_000)
    expect(log.filter((each) => each.includes('exchange'))).toEqual([
      '1050 exchange: order-accepted',
      '1050 exchange: order-accepted',
    ])
    expect(log.filter((each) => each.includes('reply'))).toEqual([
      ...['1080 reply: acknowledged', '1080 reply: acknowledged', '1080 reply: RATE_LIMITED'],
    ])
  })

  it('open a new window 60 s after the first request arrived, to the millisecond', async () => {
    const scene = new Scene({ orderMs: 50 }, limits)
    const { adapter } = scene
    for (const time of [0, 1, 59_999, 60_000]) adapter.after(time, () => adapter.cancel('9', scene.reply))
    const log = await scene.play([], 100_000)
    expect(log.filter((each) => each.includes('reply'))).toEqual([
      ...[
        '50 reply: ORDER_NOT_FOUND',
        '51 reply: ORDER_NOT_FOUND',
        '60049 reply: RATE_LIMITED',
        '60050 reply: ORDER_NOT_FOUND',
      ],
    ])
  })
})

describe('the end of the connection', () => {
  it('keeps what is on its way from arriving, and counts it; what has arrived is answered', async () => {
    const scene = new Scene({ orderMs: 50, responseMs: 30 })
    const { adapter } = scene
    adapter.after(0, () => adapter.place({ request: BID, reference: 1 }, scene.reply))
    adapter.after(40, () => adapter.place({ request: BID, reference: 1 }, scene.reply))
    adapter.after(60, () => void adapter.close())
    const log = await scene.play([], 1_000)
    expect(log).toEqual([
      '50 exchange: order-accepted',
      '80 reply: acknowledged',
      '80 reported: order',
      '80 reported: balances',
    ])
    expect(adapter.inFlight).toBe(1)
  })
})

describe('other accounts', () => {
  it('are not reported to us', async () => {
    const scene = new Scene()
    scene.stage.credit('other', 'USD', 1_000n)
    scene.stage.limit('other', 'BUY', 90, 1)
    const log = await scene.play([[1_000, 80, 1]], 2_000)
    expect(log.filter((each) => each.includes('reported'))).toEqual([])
  })

  it('do not see our cancel: their orders are unknown to us', async () => {
    const scene = new Scene()
    scene.stage.credit('other', 'USD', 1_000n)
    scene.stage.limit('other', 'BUY', 90, 1)
    scene.adapter.cancel(String(scene.stage.exchange.lastOrderId), scene.reply)
    expect(await scene.play([], 10)).toContain('0 reply: ORDER_NOT_FOUND')
    expect(scene.stage.exchange.openOrders('other')).toHaveLength(1)
  })
})
