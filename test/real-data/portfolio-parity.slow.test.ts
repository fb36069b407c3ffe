/**
 * Three strategies on one wallet and two real markets: in a backtest, live against the emulator's service, and on
 * paper.
 *
 * Each trade has a millisecond of its own, 50 ms after the last one: within one millisecond a backtest plays all trades
 * before it reports their fills, and a service reports them one by one.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { preparePortfolio } from '../../src/run/portfolio.ts'
import { runPortfolio } from '../../src/runtime/backtest/portfolio.ts'
import { inVirtualWorld } from '../../src/runtime/backtest/virtual-world.ts'
import { fillRowOf, orderRowOf, type FillRow, type OrderRow } from '../../src/runtime/figures/run-rows.ts'
import { LiveLoop } from '../../src/runtime/live/live-loop.ts'
import { type PaperMember, PaperSession } from '../../src/runtime/live/paper-session.ts'
import { preparePaper } from '../../src/runtime/live/prepare-paper.ts'
import { limitsThatAreOn } from '../../src/runtime/settings/risk-limits.ts'
import { portfolioParity } from '../../src/server/parity/parity.ts'
import { HotStream } from '../../src/strategy/hot-stream.ts'
import { MarketTrade } from '../../src/strategy/market-data.ts'
import type { MarketGap } from '../../src/strategy/market-gap.ts'
import { FakeClocks } from '../runtime/live/rig/fake-clocks.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'
import { areTapesThere, realTape } from './rig/real-tapes.ts'

const { write } = temporaryFiles()
const ROWS = 4_000

interface RealTrade {
  readonly symbol: 'BTC_USDT' | 'ETH_USDT'
  readonly id: string
  readonly time: number
  readonly price: string
  readonly qty: string
  readonly isBuyerMaker: string
}

const tradesOf = (symbol: RealTrade['symbol'], name: string): readonly RealTrade[] =>
  gunzipSync(readFileSync(realTape(name).file))
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1, ROWS)
    .map((row) => {
      const [id = '', time = '', price = '', qty = '', isBuyerMaker = ''] = row.split(',')
      return { symbol, id, time: Number(time), price, qty, isBuyerMaker }
    })

/** The trades of both markets in their order, each with a millisecond of its own. */
function apart(trades: readonly RealTrade[]): readonly RealTrade[] {
  const [first] = trades
  const from = Math.floor((first?.time ?? 0) / 1000) * 1000
  return trades.map((trade, index) => ({ ...trade, time: from + 50 * index + 1 + (index % 49) }))
}

const tapeOf = (trades: readonly RealTrade[], symbol: string): string => {
  const own = trades.filter((trade) => trade.symbol === symbol)
  const rows = own.map(({ id, time, price, qty, isBuyerMaker }) => [id, time, price, qty, isBuyerMaker].join(','))
  return write(['trade_id,time_ms,price,qty,is_buyer_maker', ...rows, ''].join('\n'), `${symbol}.csv`)
}

class Rows {
  readonly orders: OrderRow[] = []
  readonly fills: FillRow[] = []
  readonly onOrder = (...[order, fee]: Parameters<typeof orderRowOf>): void =>
    void this.orders.push(orderRowOf(order, fee))
  readonly onFill = (fill: Parameters<typeof fillRowOf>[0]): void => void this.fills.push(fillRowOf(fill))
  readonly onLog = (): void => undefined
  readonly onProgress = (): void => undefined
}

type Prepared = Awaited<ReturnType<typeof preparePortfolio>>

async function backtested({ members, reserve, walletRisk }: Prepared): Promise<readonly Rows[]> {
  const rows = members.map(() => new Rows())
  await runPortfolio({
    members: members.map((member, index) => ({ ...member, outside: rows[index] ?? new Rows() })),
    reserve,
    risk: limitsThatAreOn(walletRisk),
    outside: new Rows(),
    isDrawn: false,
  })
  return rows
}

async function onPaper(
  { members, reserve, walletRisk }: Prepared,
  trades: readonly RealTrade[],
): Promise<readonly Rows[]> {
  const [from, rows] = [trades[0]?.time ?? 0, members.map(() => new Rows())]
  const clocks = new FakeClocks(from)
  const onError = (error: unknown): void => expect.unreachable(String(error))
  const loop = new LiveLoop(clocks, { onJump: () => undefined, onSetBack: () => undefined, onError })
  const streams = new Map(['BTC_USDT', 'ETH_USDT'].map((symbol) => [symbol, new HotStream<MarketTrade>()]))
  const gaps = new HotStream<MarketGap>()
  const feed = { trades: (symbol: string) => streams.get(symbol) ?? new HotStream<MarketTrade>(), gaps: () => gaps }
  const ofPaper: PaperMember[] = []
  for (const [index, { name, prepared }] of members.entries()) {
    const ready = await preparePaper(prepared)
    const funds = { credit: prepared.credit, from: loop.now(), to: loop.now() }
    ofPaper.push({ name, prepared: { ...ready, ...funds }, outside: rows[index] ?? new Rows() })
  }
  const wallet = { reserve, outside: new Rows(), risk: limitsThatAreOn(walletRisk) }
  const session = new PaperSession({ members: ofPaper, wallet, loop, feed })
  const markets = new Map(members[0]?.prepared.markets.map((market) => [market.symbol, market]))
  for (const symbol of markets.keys()) session.warmUp(symbol, [])
  const { onInexactMath } = session.members[0].run
  await inVirtualWorld({ queue: loop.queue, turn: loop.turn, onError, onInexactMath }, async () => {
    session.start()
    let time = from
    for (const { symbol, id, price, qty, isBuyerMaker, ...trade } of trades) {
      clocks.pass(trade.time - time)
      time = trade.time
      const market = markets.get(symbol)
      if (market === undefined) throw new Error(`no market ${symbol}`)
      const units = (text: string, precision: number): number => Math.round(Number(text) * 10 ** precision)
      const ids = { id, buyOrderId: '', sellOrderId: '', buyerId: '', sellerId: '' }
      const wire = {
        ...ids,
        symbol,
        price: units(price, market.pricePrecision),
        qty: units(qty, market.qtyPrecision),
        isBuyerMaker: isBuyerMaker === 'true',
        createdAt: time,
      }
      loop.enter(() => streams.get(symbol)?.push(new MarketTrade(wire, market)))
    }
    await session.end()
  })
  return rows
}

describe.skipIf(!areTapesThere)('three strategies on BTC and ETH (skipped without ../shared/data)', () => {
  it.each([
    ['no limits', {}],
    ['limits', { dayLoss: '15', ordersPerMinute: 30 }],
  ])('trade alike in a backtest, live and on paper, with %s of the wallet', async (limits, walletRisk) => {
    const trades = apart(
      [...tradesOf('BTC_USDT', 'BTC'), ...tradesOf('ETH_USDT', 'ETH')].toSorted((a, b) => a.time - b.time),
    )
    const compared = {
      strategies: [
        {
          strategy: 'sma-cross',
          params: { symbol: 'BTC_USDT', interval: '5s', fast: 3, slow: 8 },
          capital: { share: 0.5 },
        },
        {
          strategy: 'rsi-reversion',
          params: { symbol: 'ETH_USDT', interval: '5s', length: 3, oversold: 40, stop: 0.1 },
          capital: { amount: '3000' },
        },
        { strategy: 'market-maker', params: { symbol: 'BTC_USDT', halfSpreadBps: 0.5 } },
      ],
      tapes: { BTC_USDT: tapeOf(trades, 'BTC_USDT'), ETH_USDT: tapeOf(trades, 'ETH_USDT') },
      fees: { makerBps: '1', takerBps: '5' },
      walletRisk,
    }
    for (const { difference, counts } of await portfolioParity(compared)) {
      expect(difference).toBeUndefined()
      expect(counts.request).toBeGreaterThan(0)
    }
    const latency = { orderMs: 0, responseMs: 0, feedMs: 0 }
    const portfolio = await preparePortfolio({ ...compared, latency, limits: false })
    const [inBacktest, paper] = [await backtested(portfolio), await onPaper(portfolio, trades)]
    expect(paper.map(({ orders }) => orders)).toEqual(inBacktest.map(({ orders }) => orders))
    expect(paper.map(({ fills }) => fills)).toEqual(inBacktest.map(({ fills }) => fills))
    const fills = inBacktest.map((each) => each.fills.length)
    expect({ limits, fills: fills.map((count) => count > 1) }).toEqual({ limits, fills: [true, true, true] })
  })
})
