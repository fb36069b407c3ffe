/**
 * Sessions on paper, on a scripted stream of trades and a clock that is moved by hand.
 */
import { basename, join } from 'node:path'
import { map, merge, NEVER, take, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runBacktest } from '../../../src/runtime/backtest/backtest.ts'
import { prepareBacktest } from '../../../src/runtime/backtest/prepared-backtest.ts'
import type { BacktestResult } from '../../../src/runtime/backtest/simulated-run.ts'
import { runPortfolio } from '../../../src/runtime/backtest/portfolio.ts'
import { limitsThatAreOn, type RiskLimits, type SetRiskTerms } from '../../../src/runtime/settings/risk-limits.ts'
import { inVirtualWorld } from '../../../src/runtime/backtest/virtual-world.ts'
import { LiveLoop } from '../../../src/runtime/live/live-loop.ts'
import { type PaperMember, PaperSession } from '../../../src/runtime/live/paper-session.ts'
import { preparePaper } from '../../../src/runtime/live/prepare-paper.ts'
import { MarketRecorder } from '../../../src/runtime/recording/market-recorder.ts'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import { readParams } from '../../../src/runtime/strategies/params.ts'
import { givenStrategy, loadStrategy } from '../../../src/runtime/strategies/strategy-file.ts'
import { RecordingFile } from '../../../src/store/recordings/recording-file.ts'
import { fillRowOf, orderRowOf, type FillRow, type OrderRow } from '../../../src/runtime/figures/run-rows.ts'
import { defineStrategy, type Strategy } from '../../../src/strategy/strategy.ts'
import { HotStream } from '../../../src/strategy/hot-stream.ts'
import { MarketTrade } from '../../../src/strategy/market-data.ts'
import type { MarketGap } from '../../../src/strategy/market-gap.ts'
import { buyLimit, buyMarket } from '../../../src/strategy/orders.ts'
import type { WireTrade } from '../../../src/wire/wire-trade.ts'
import { market } from '../../exchange/rig/configs.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { FakeClocks } from './rig/fake-clocks.ts'
import { SETTINGS } from '../rig/run-strategy.ts'

const { folder, write } = temporaryFiles()
const START = 1_700_000_000_000
const BTC = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 4 })

/** A trade at the time at which it arrives, or a gap before the next. */
interface Reported {
  readonly at: number
  readonly trade?: WireTrade
  readonly gap?: MarketGap
}

const trade = (id: number, at: number, price: number, qty: number, isBuyerMaker: boolean): Reported => ({
  at,
  trade: {
    id: String(id),
    symbol: 'BTC_USD',
    price,
    qty,
    buyOrderId: '',
    sellOrderId: '',
    buyerId: '',
    sellerId: '',
    isBuyerMaker,
    createdAt: START + at,
  },
})

interface Rows {
  readonly orders: readonly OrderRow[]
  readonly fills: readonly FillRow[]
}

interface PaperRun extends Rows {
  readonly result: BacktestResult
}

interface PaperTerms {
  readonly settings: BacktestSettings
  readonly strategy?: Strategy
  readonly history?: readonly WireTrade[]
  /** Where the trades are recorded as well. */
  readonly record?: string
  readonly endsAt: number
}

class Rowed implements Rows {
  readonly orders: OrderRow[] = []
  readonly fills: FillRow[] = []
  readonly onOrder = (...[order, fee]: Parameters<typeof orderRowOf>): void =>
    void this.orders.push(orderRowOf(order, fee))
  readonly onFill = (fill: Parameters<typeof fillRowOf>[0]): void => void this.fills.push(fillRowOf(fill))
  readonly onProgress = (): void => undefined
  readonly onLog = (): void => undefined
}

/** Runs a session while a stream reports what the script says, each thing at its time. */
async function runPaper(script: readonly Reported[], terms: PaperTerms): Promise<PaperRun> {
  const [run] = await runPapers(script, [terms.settings], terms)
  if (run === undefined) throw new Error('no result')
  return run
}

/** The same for several strategies, which share a wallet if limits of it are given. */
async function runPapers(
  script: readonly Reported[],
  settings: readonly BacktestSettings[],
  {
    strategy,
    history = [],
    record,
    endsAt,
    risk,
  }: Omit<PaperTerms, 'settings'> & { readonly risk?: RiskLimits | undefined },
): Promise<readonly PaperRun[]> {
  const clocks = new FakeClocks(START)
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const loop = new LiveLoop(clocks, { onJump: () => undefined, onSetBack: () => undefined, onError })
  const feed = { trades: () => trades, gaps: () => gaps }
  const [trades, gaps] = [new HotStream<MarketTrade>(), new HotStream<MarketGap>()]
  const recorder = record === undefined ? undefined : recorderOf(record, onError)
  recorder?.listen(feed)
  await recorder?.resume()
  const from = loop.now()
  const rows = settings.map(() => new Rowed())
  const members: PaperMember[] = []
  for (const [index, each] of settings.entries()) {
    const loaded = strategy === undefined ? await loadStrategy(each.strategy) : givenStrategy(strategy)
    const params = readParams(loaded.strategy, { texts: {}, values: each.params, symbol: 'BTC_USD' })
    const ready = await preparePaper({ settings: each, loaded, params, markets: [BTC] })
    members.push({ name: `s${index}`, prepared: { ...ready, from, to: from }, outside: rows[index] ?? new Rowed() })
  }
  const wallet = risk && { reserve: new Map<string, bigint>(), outside: new Rowed(), risk }
  const session = new PaperSession({ members, wallet, loop, feed })
  session.warmUp('BTC_USD', history)
  const [{ run }] = session.members
  const { onInexactMath } = run
  let results: readonly BacktestResult[] = []
  await inVirtualWorld({ queue: loop.queue, turn: loop.turn, onError, onInexactMath }, async () => {
    session.start()
    let time = 0
    for (const { at, trade: reported, gap } of script) {
      clocks.pass(at - time)
      time = at
      loop.enter(() => {
        if (gap !== undefined) gaps.push(gap)
        if (reported !== undefined) trades.push(new MarketTrade(reported, BTC))
      })
    }
    clocks.pass(endsAt - time)
    results = (await session.end()).results
  })
  recorder?.close()
  expect(errors).toEqual([])
  return results.map((result, index) => {
    const { orders = [], fills = [] } = rows[index] ?? {}
    return { orders, fills, result }
  })
}

const recorderOf = (file: string, onFailure: (error: unknown) => void): MarketRecorder =>
  new MarketRecorder({
    market: BTC,
    recording: RecordingFile.open(file, BTC),
    reads: { trades: () => Promise.resolve([]) },
    onFailure,
  })

async function runRecording(file: string, settings: BacktestSettings): Promise<PaperRun> {
  const tapes = [{ file, pricePrecision: 2, qtyPrecision: 4 }]
  const rows = new Rowed()
  const result = await runBacktest(await prepareBacktest({ ...settings, tapes }), rows)
  return { result, orders: rows.orders, fills: rows.fills }
}

/**
 * A walk of prices, with trades that share a millisecond and a gap now and then; nothing is at the moment of a candle's
 * end, or 50 ms later.
 */
function walk(count: number, seed: number): readonly Reported[] {
  const script: Reported[] = []
  let [state, price, at, lastAt] = [seed, 100_00, 0, 0]
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  for (let id = 1; id <= count; id += 1) {
    if (draw(4) > 0) at += 1 + draw(400)
    while ([0, 50].includes((START + at) % 1000)) at += 1
    if (at > lastAt && draw(60) === 0 && id > 1) {
      script.push({ at, gap: { symbol: 'BTC_USD', from: START + lastAt, to: START + at } })
    }
    price = Math.max(90_00, Math.min(110_00, price + draw(41) - 20))
    script.push(trade(id, at, price, 1_000 + draw(50_000), draw(2) === 0))
    lastAt = at
  }
  return inIdOrder(script)
}

/**
 * The same with a millisecond for each trade, in which no order arrives, 50 ms after another trade or a candle's end:
 * within one millisecond a backtest plays all trades before their fills are reported, and a paper session does not.
 */
function apart(script: readonly Reported[]): readonly Reported[] {
  let trades = 0
  return script.map((row) => {
    const at = 50 * (Math.floor(row.at / 50) + trades) + 1 + (trades % 49)
    if (row.trade === undefined) return { ...row, at }
    trades += 1
    return { ...row, at, trade: { ...row.trade, createdAt: START + at } }
  })
}

/** Ids that increase, with holes, which are no gaps where the gaps are reported. */
function inIdOrder(script: readonly Reported[]): readonly Reported[] {
  let id = 0
  return script.map((reported) => {
    if (reported.trade === undefined) return reported
    id += 1 + (reported.trade.qty % 3)
    return { ...reported, trade: { ...reported.trade, id: String(id) } }
  })
}

/** Asks for an order that waits, of every kind, again and again. */
const WAITS = write(
  `import { defineStrategy } from 'papertape'
import { map } from 'rxjs'
import { z } from 'zod'
export default defineStrategy({
  name: 'waits',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, candles, buyMarket, buyLimit, sellLimit, stopSell, stopBuy, trailingStop, takeProfit, oco, bracket, replace, openOrders, now }) =>
    candles(symbol, '1s').pipe(
      map(({ closeNumber: close }, index) => [
        () => bracket(buyMarket(symbol, 0.5), { stop: close * 0.999, target: (close * 1.001).toFixed(2) }),
        () => [buyMarket(symbol, 1), trailingStop(symbol, { percent: 0.1 }, 0.5)],
        () => oco(sellLimit(symbol, (close * 1.001).toFixed(2), 0.2), stopSell(symbol, close * 0.999, 0.2)),
        () => stopBuy(symbol, close * 1.001, 0.3, { expires: now() + 5_000 }),
        () => bracket(buyLimit(symbol, (close * 0.999).toFixed(2), 0.4, { expires: now() + 3_000 }), { trail: { distance: 0.1 } }),
        () => openOrders(symbol).filter(({ side }) => side === 'BUY').map((order) => replace(order, { price: close.toFixed(2) })),
        () => takeProfit(symbol, (close * 1.001).toFixed(2), 0.1),
      ][index % 7]()),
    ),
})
`,
  'waits.ts',
)

const REAL: BacktestSettings = { ...SETTINGS, liquidity: 'tape', printFilter: 'auto', onLimit: 'wait' }

it.each(['quotes', 'depth', 'book'] as const)(
  'refuses %s at its start: it plays what is traded alone',
  async (word) => {
    const strategy = defineStrategy({
      name: 'asking',
      params: z.object({}),
      run: (context) => {
        context[word]('BTC_USD')
        return NEVER
      },
    })
    await expect(runPaper([], { settings: SETTINGS, strategy, endsAt: 1_000 })).rejects.toThrow(
      new RegExp(`^${word}\\('BTC_USD'\\): not available live or on paper`),
    )
  },
)

describe('a session on paper and a backtest of its recording', () => {
  it.each`
    strategy               | params
    ${'sma-cross'}         | ${{ interval: '1s', fast: 2, slow: 5 }}
    ${'grid'}              | ${{ interval: '1s', stepBps: 5 }}
    ${'market-maker'}      | ${{}}
    ${'donchian-breakout'} | ${{ interval: '1s', length: 4, trail: 0.5 }}
    ${'rsi-reversion'}     | ${{ interval: '1s', length: 2, oversold: 40, stop: 0.1 }}
    ${WAITS}               | ${{}}
  `('place the same orders and get the same fills: $strategy', async ({ strategy, params }) => {
    const settings = { ...REAL, strategy: String(strategy), params: params as Record<string, unknown> }
    const record = join(folder, `tape of ${basename(String(strategy))}`, 'btc_usd.csv')
    const script = walk(1_500, 7)
    const endsAt = script.at(-1)?.at ?? 0
    const paper = await runPaper(script, { settings, record, endsAt })
    const again = await runRecording(record, settings)
    expect(paper.fills.length).toBeGreaterThan(5)
    expect(again.orders).toEqual(paper.orders)
    expect(again.fills).toEqual(paper.fills)
    const gapsOf = ({ result }: PaperRun): unknown => result.figures.quality.report().BTC_USD
    expect(gapsOf(paper)).toMatchObject({ gaps: script.filter(({ gap }) => gap !== undefined).length })
    expect(gapsOf(again)).toEqual(gapsOf(paper))
    expect(again.result.exchange.audit()).toEqual(paper.result.exchange.audit())
  })
})

describe('three strategies on paper and a portfolio backtest of their recording', () => {
  const strategies = [
    ['sma-cross', { interval: '1s', fast: 2, slow: 5 }],
    ['grid', { interval: '1s', stepBps: 5 }],
    [WAITS, {}],
  ] as const

  it.each`
    limits         | risk
    ${'no limits'} | ${{}}
    ${'limits'}    | ${{ dayLoss: '20', maxPosition: '20000', ordersPerMinute: 60 }}
  `('place the same orders and get the same fills, with $limits of the wallet', async ({ limits, risk }) => {
    const settings = strategies.map(([strategy, params]) => ({ ...REAL, strategy, params: { ...params } }))
    const record = join(folder, `tape with ${String(limits)}`, 'btc_usd.csv')
    const script = apart(walk(1_500, 13))
    const all = limitsThatAreOn(risk as SetRiskTerms)
    const papers = await runPapers(script, settings, { record, endsAt: script.at(-1)?.at ?? 0, risk: all })
    const tapes = [{ file: record, pricePrecision: 2, qtyPrecision: 4 }]
    const rows = settings.map(() => new Rowed())
    const members: PaperMember[] = []
    for (const [index, each] of settings.entries()) {
      members.push({ name: `s${index}`, prepared: await prepareBacktest({ ...each, tapes }), outside: rows[index] ?? new Rowed() }) // prettier-ignore
    }
    const { results } = await runPortfolio({
      members,
      reserve: new Map(),
      risk: all,
      outside: new Rowed(),
      isDrawn: true,
    })
    for (const [index, paper] of papers.entries()) {
      expect(rows[index]?.orders).toEqual(paper.orders)
      expect(rows[index]?.fills).toEqual(paper.fills)
      expect(results[index]?.record.states.map(({ why }) => why)).toEqual(
        paper.result.record.states.map(({ why }) => why),
      )
    }
    expect(papers.reduce((sum, { fills }) => sum + fills.length, 0)).toBeGreaterThan(20)
    const states = papers.flatMap(({ result }) => result.record.states)
    expect(states).toHaveLength(limits === 'limits' ? 3 : 0)
  })
})

const given = (run: Strategy['run']): Strategy => defineStrategy({ name: 'given', params: z.object({}), run })

describe('between trades', () => {
  it('timers run, orders arrive and are answered, and candles end', async () => {
    const heard: string[] = []
    const strategy = given(({ now, candles, outcomes$ }) => {
      candles('BTC_USD', '1s').subscribe(({ time }) => heard.push(`${now() - START} candle of ${time - START}`))
      outcomes$.subscribe(({ type }) => heard.push(`${now() - START} ${type}`))
      return merge(NEVER, timer(2_500).pipe(map(() => buyLimit('BTC_USD', 90, 1))))
    })
    const settings = { ...REAL, responseLatencyMs: 30 }
    const { orders } = await runPaper([trade(1, 300, 100_00, 10_000, true)], { settings, strategy, endsAt: 5_000 })
    expect(heard).toEqual(['1000 candle of 0', '2580 acknowledged'])
    expect(orders).toHaveLength(1)
  })
})

it('a market whose past is known has a spread and takes orders at once', async () => {
  const strategy = given(() => timer(100).pipe(take(1), map(() => buyMarket('BTC_USD', 0.5)))) // prettier-ignore
  const history = Array.from({ length: 400 }, (_, index) =>
    trade(index, index - 500, 100_00 + 5 * (index % 2), 20_000, index % 2 === 0),
  )
  const warm = await runPaper([], {
    settings: REAL,
    strategy,
    history: history.flatMap(({ trade: reported }) => (reported === undefined ? [] : [reported])),
    endsAt: 1_000,
  })
  expect(warm.fills.map(({ price }) => Number(price) >= 100)).toContain(true)
  const cold = await runPaper([], { settings: REAL, strategy, endsAt: 1_000 })
  expect(cold.fills).toEqual([])
})

it('the time never goes back, whatever time the exchange gives its trades', async () => {
  const times: number[] = []
  const strategy = given(({ trades }) => {
    trades('BTC_USD').subscribe(({ createdAt }) => times.push(createdAt - START))
    return NEVER
  })
  const late = (id: number, at: number, reported: number): Reported => {
    const { trade: one } = trade(id, reported, 100_00, 1, true)
    return { at, ...(one !== undefined && { trade: one }) }
  }
  await runPaper([late(1, 500, 400), late(2, 600, 9_000), late(3, 700, 20)], { settings: REAL, strategy, endsAt: 800 })
  expect(times).toEqual([500, 600, 700])
})
