/**
 * Markets that were recorded as candles, in time: what happens at one moment, in which order, and what a client is
 * reported when.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { RequestOutcome } from '../../../src/adapter/exchange-adapter.ts'
import type { Latency } from '../../../src/adapter/simulated/latency.ts'
import { SimulatedExchange } from '../../../src/adapter/simulated/simulated-exchange.ts'
import type { CandleInterval } from '../../../src/domain/candle.ts'
import type { OrderRequest } from '../../../src/domain/order.ts'
import type { RateLimits } from '../../../src/domain/rate-window.ts'
import { market } from '../../exchange/rig/configs.ts'
import { BTC, MarketStage } from '../../simulation/rig/market-stage.ts'
import { memoryCandles, type CandleRow } from '../../simulation/rig/memory-candles.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'

const ETH = 'ETH_USD'
const MINUTE = 60_000
const TERMS = { intervalMs: MINUTE, isAligned: true, spread: 2, fills: 'tape' } as const

const buy = (qty = 1, symbol = BTC): OrderRequest => ({ symbol, side: 'BUY', type: 'MARKET', qty })
const bid = (price: number, qty = 1, symbol = BTC): OrderRequest => ({ symbol, side: 'BUY', type: 'LIMIT', price, qty })

class Scene {
  readonly stage: MarketStage
  readonly adapter: SimulatedExchange
  readonly log: string[] = []

  /** Both markets were recorded as candles, unless given otherwise. */
  constructor(latency: Partial<Latency> = {}, limits?: RateLimits, candleSymbols: readonly string[] = [BTC, ETH]) {
    const candles = new Map(candleSymbols.map((symbol) => [symbol, TERMS]))
    this.stage = new MarketStage({ markets: [market(BTC), market(ETH)], candles })
    for (const asset of ['USD', 'BTC', 'ETH']) this.stage.credit('me', asset, 1_000_000n)
    const all = { orderMs: 0, responseMs: 0, feedMs: 0, ...latency }
    this.adapter = new SimulatedExchange(this.stage.simulated, { account: 'me', latency: all, limits })
    this.stage.simulated.onEvents((events) => {
      for (const event of events) {
        if (event.type === 'order-accepted' && event.order.userId !== 'me') continue
        const text = event.type === 'traded' ? ` ${event.trade.qty} at ${event.trade.price}` : ''
        this.note(`exchange: ${event.type}${text}`)
      }
    })
    this.adapter.updates$.subscribe((update) => {
      if (update.type === 'fill') this.note(`reported: fill of ${update.fill.symbol}`)
    })
  }

  note(what: string): void {
    this.log.push(`${this.stage.queue.now() / 1_000} ${what}`)
  }

  readonly reply = (outcome: RequestOutcome): void => {
    this.note(`reply: ${outcome.type === 'refused' ? outcome.refusal.code : outcome.type}`)
  }

  at(time: number, act: () => void): void {
    this.adapter.after(time - this.adapter.now(), act)
  }

  place(request: OrderRequest): void {
    this.adapter.place({ request, reference: 1 }, this.reply)
  }

  watch(interval: CandleInterval = '1m', symbol = BTC): void {
    this.adapter.candles(symbol, interval).subscribe(({ time, close, volume }) => {
      this.note(`candle ${symbol} ${interval} of ${time / 1_000}: ${close.toFixed()} x ${volume.toFixed()}`)
    })
  }

  play(rows: readonly CandleRow[], ethRows: readonly CandleRow[] = [], end?: number): Promise<readonly string[]> {
    const tapes = [memoryCandles(rows), ...(ethRows.length > 0 ? [memoryCandles(ethRows, { symbol: ETH })] : [])]
    return this.playTapes(tapes, end)
  }

  async playTapes(tapes: Parameters<MarketStage['play']>[0], end?: number): Promise<readonly string[]> {
    await this.stage.play(tapes, end === undefined ? {} : { end })
    return this.log
  }
}

/** Minutes of one market that stands at 100, its range 90 to 110 and a thousand lots each. */
const minutes = (...numbers: readonly number[]): readonly CandleRow[] =>
  numbers.map((minute) => [minute * MINUTE, 100, 110, 90, 100, 1_000])

let scene: Scene
beforeEach(() => {
  scene = new Scene()
})

describe('at one moment', () => {
  it('fills of the candle that ends are reported before it, then come timers, what they send, and the open', async () => {
    scene.watch()
    scene.at(30_000, () => scene.place(bid(95, 10)))
    scene.at(2 * MINUTE, () => {
      scene.note('timer')
      scene.place(buy())
    })
    expect(await scene.play(minutes(0, 1, 2))).toEqual([
      '60 candle BTC_USD 1m of 0: 100 x 1000',
      '60 exchange: order-accepted',
      '60 reply: acknowledged',
      // A tenth at most, and (95 - 90) / (4 x 20) of 1000 are 62.
      '120 exchange: traded 10 at 95',
      '120 reported: fill of BTC_USD',
      '120 candle BTC_USD 1m of 60: 100 x 1000',
      '120 timer',
      ...['120 exchange: order-accepted', '120 exchange: traded 1 at 101'],
      ...['120 reply: acknowledged', '120 reported: fill of BTC_USD'],
      '180 candle BTC_USD 1m of 120: 100 x 1000',
    ])
  })

  it('cancels come first, then what rests, then new orders as they were sent', async () => {
    scene.at(1, () => scene.place(bid(99, 1)))
    scene.at(2, () => scene.place(bid(98, 1)))
    scene.at(2 * MINUTE + 1, () => {
      scene.place(buy(2))
      scene.adapter.cancel('1', scene.reply)
      scene.place(bid(97, 3))
    })
    // After the hole the market opens at 95, below both bids: one of them is gone by then.
    const rows: readonly CandleRow[] = [
      [0, 100, 100, 100, 100, 10_000],
      [MINUTE, 100, 100, 100, 100, 10_000],
      [4 * MINUTE, 95, 95, 95, 95, 10],
    ]
    const log = await scene.play(rows)
    expect(log.filter((each) => each.startsWith('240 exchange'))).toEqual([
      '240 exchange: order-cancelled',
      // No range: all levels are a tick away, of 1, 3, 5 lots. What rests comes first.
      '240 exchange: traded 1 at 96',
      ...['240 exchange: order-accepted', '240 exchange: traded 2 at 96'],
      ...['240 exchange: order-accepted', '240 exchange: traded 1 at 96', '240 exchange: traded 2 at 96'],
    ])
  })

  it('no market opens after someone heard of the open of another', async () => {
    scene.at(1, () => {
      scene.place(buy(1, BTC))
      scene.place(buy(1, ETH))
    })
    let isFirst = true
    scene.adapter.updates$.subscribe(({ type }) => {
      if (type !== 'fill' || !isFirst) return
      isFirst = false
      for (const symbol of [BTC, ETH]) scene.place(buy(7, symbol))
    })
    const log = await scene.play(minutes(0, 1, 2), minutes(0, 1, 2))
    const [traded, reported] = ['traded', 'reported'].map((what) => log.filter((each) => each.includes(what)))
    expect(traded?.map((each) => each.split(' ')[0])).toEqual(['60', '60', ...Array.from({ length: 14 }, () => '120')])
    expect(log.indexOf(reported?.[0] ?? '')).toBeGreaterThan(log.lastIndexOf(traded?.[1] ?? ''))
  })

  it('the ends of two markets come one after the other, each with its fills and its candle, before any open', async () => {
    scene.watch('1m', BTC)
    scene.watch('1m', ETH)
    scene.at(1, () => {
      scene.place(bid(95, 10, BTC))
      scene.place(bid(95, 10, ETH))
    })
    const log = await scene.play(minutes(0, 1), minutes(0, 1))
    expect(log.slice(-6)).toEqual([
      ...['120 exchange: traded 10 at 95', '120 reported: fill of BTC_USD', '120 candle BTC_USD 1m of 60: 100 x 1000'],
      ...['120 exchange: traded 10 at 95', '120 reported: fill of ETH_USD', '120 candle ETH_USD 1m of 60: 100 x 1000'],
    ])
  })

  it('a market of trades goes on as it does, beside one of candles', async () => {
    scene = new Scene({ orderMs: 50 }, undefined, [BTC])
    scene.at(MINUTE, () => {
      scene.place(buy(1, ETH))
      scene.place(buy(1, BTC))
    })
    const trades: readonly RecordedRow[] = [
      [59_000, 70, 1],
      [MINUTE, 71, 1],
      [MINUTE + 50, 72, 1],
      [MINUTE + 51, 73, 1],
    ]
    const log = await scene.playTapes([memoryCandles(minutes(0, 1)), memoryTape(trades, { symbol: ETH })])
    expect(log.filter((each) => each.includes('traded'))).toEqual([
      '60 exchange: traded 1 at 101',
      '60.05 exchange: traded 1 at 72',
    ])
  })
})

describe('a request', () => {
  it('at the very moment of an open is played there, and one in answer to what the open did is not', async () => {
    scene.at(MINUTE, () => scene.place(buy()))
    let isFirst = true
    scene.adapter.updates$.subscribe(({ type }) => {
      if (type === 'fill' && isFirst) scene.place(buy())
      if (type === 'fill') isFirst = false
    })
    const log = await scene.play(minutes(0, 1, 2))
    expect(log.filter((each) => each.includes('traded'))).toEqual([
      '60 exchange: traded 1 at 101',
      '120 exchange: traded 1 at 101',
    ])
  })

  it('to cancel does not arrive before the candle in which the order is filled', async () => {
    scene.at(1, () => scene.place(bid(95, 200)))
    // Between the two the candle runs that fills a part of it.
    scene.at(MINUTE + 1, () => scene.adapter.cancel('1', scene.reply))
    expect(await scene.play(minutes(0, 1, 2, 3))).toEqual([
      ...['60 exchange: order-accepted', '60 reply: acknowledged'],
      ...['120 exchange: traded 62 at 95', '120 reported: fill of BTC_USD'],
      ...['120 exchange: order-cancelled', '120 reply: acknowledged'],
    ])
  })

  it('that finds no open any more gets NO_LIQUIDITY when it is an order, and nothing when it is a cancel', async () => {
    scene.at(1, () => scene.place(bid(50)))
    scene.at(MINUTE + 1, () => {
      scene.place(buy())
      scene.place(bid(99))
      scene.adapter.cancel('1', scene.reply)
    })
    await scene.play(minutes(0, 1))
    await scene.adapter.close()
    while (scene.stage.queue.nextTime < Infinity) scene.stage.queue.runNext()
    expect(scene.log).toEqual([
      ...[
        '60 exchange: order-accepted',
        '60 reply: acknowledged',
        '120 reply: NO_LIQUIDITY',
        '120 reply: NO_LIQUIDITY',
      ],
    ])
    expect(scene.adapter.inFlight).toBe(1)
  })

  it('before the first whole candle finds nothing to trade with, and rests when it can', async () => {
    scene.place(buy())
    scene.place(bid(101, 1))
    expect(await scene.play(minutes(0))).toEqual([
      ...['0 exchange: order-refused', '0 exchange: order-accepted', '0 reply: NO_LIQUIDITY', '0 reply: acknowledged'],
      // Above the open though it is, it waits for what the candle gives.
      ...['60 exchange: traded 1 at 101', '60 reported: fill of BTC_USD'],
    ])
  })

  it.each`
    orderMs    | open   | why
    ${59_999}  | ${60}  | ${'less than a candle is no time'}
    ${60_000}  | ${120} | ${'one candle is: sent at 1 it arrives at 60.001'}
    ${90_000}  | ${120} | ${'sent at 1 it arrives at 90.001'}
    ${119_999} | ${120} | ${'it arrives at the very open'}
    ${120_000} | ${180} | ${'it arrives a millisecond later'}
  `('that travels $orderMs ms is played at $open s: $why', async ({ orderMs, open }: Record<string, number>) => {
    scene = new Scene({ orderMs: orderMs ?? 0 })
    scene.at(1, () => scene.place(buy()))
    const log = await scene.play(minutes(0, 1, 2, 3))
    expect(log.filter((each) => each.includes('traded'))).toEqual([`${open} exchange: traded 1 at 101`])
  })

  it.each`
    responseMs | at
    ${59_999}  | ${60}
    ${60_000}  | ${120}
    ${90_000}  | ${150}
  `('is answered, and its fill reported, at $at s when answers travel $responseMs ms', async ({ responseMs, at }) => {
    scene = new Scene({ responseMs: Number(responseMs) })
    scene.at(1, () => scene.place(buy()))
    const log = await scene.play(minutes(0, 1, 2, 3))
    expect(log.filter((each) => !each.includes('exchange'))).toEqual([
      `${at} reply: acknowledged`,
      `${at} reported: fill of BTC_USD`,
    ])
  })

  it.each`
    feedMs    | at
    ${59_999} | ${60}
    ${60_000} | ${120}
    ${90_000} | ${150}
  `('answers a candle at $at s, at which it is heard when market data travels $feedMs ms', async ({ feedMs, at }) => {
    scene = new Scene({ feedMs: Number(feedMs) })
    scene.watch()
    scene.adapter.tickers(BTC).subscribe(({ lastPrice }) => scene.note(`ticker ${lastPrice.toFixed()}`))
    const log = await scene.play(minutes(0), [], 200_000)
    expect(log.map((each) => each.split(' ').slice(0, 2).join(' ')).sort()).toEqual([`${at} candle`, `${at} ticker`])
  })
})

describe('the limits of requests', () => {
  it('count a request when it is sent, so that politeness during a hole is not refused at the open', async () => {
    scene = new Scene({}, { general: 100, mutations: 2, windowSeconds: 60 })
    for (const minute of [1, 3, 5, 7, 9]) {
      scene.at(minute * MINUTE + 1, () => scene.place(bid(50)))
      scene.at(minute * MINUTE + 2, () => scene.place(bid(51)))
    }
    const log = await scene.play(minutes(0, 20))
    expect(log.filter((each) => each.includes('reply'))).toEqual(
      Array.from({ length: 10 }, () => '1200 reply: acknowledged'),
    )
  })

  it('refuse what is too much when it is sent', async () => {
    scene = new Scene({}, { general: 100, mutations: 2, windowSeconds: 60 })
    scene.at(MINUTE + 1, () => {
      for (const price of [50, 51, 52]) scene.place(bid(price))
    })
    const log = await scene.play(minutes(0, 20))
    expect(log.filter((each) => each.includes('reply'))).toEqual([
      '60.001 reply: RATE_LIMITED',
      ...['1200 reply: acknowledged', '1200 reply: acknowledged'],
    ])
  })
})

it('waits of more than two candles are counted, and the longest is known', async () => {
  for (const second of [1, 59, 60, 61, 700]) scene.at(second * 1_000, () => scene.place(bid(50)))
  await scene.play(minutes(0, 3, 20))
  // From 1 s to 180 s; 60 and 61 s are 120 and 119 s before it; from 700 s to 1200 s.
  expect(scene.stage.simulated.market(BTC).candles?.longWaits).toEqual({ count: 3, longestMs: 500_000 })
})
