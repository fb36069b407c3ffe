/**
 * The quality of fills, and what the bounds make of a run, on tapes worked by hand.
 */
import { map, merge, take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AccountFill } from '../../../src/domain/trade.ts'
import { FillQuality, type MarketFills, type PlayedBook } from '../../../src/runtime/figures/fill-quality.ts'
import { chooseLiquidity } from '../../../src/runtime/backtest/liquidity-choice.ts'
import { setupsOf } from '../../../src/runtime/backtest/liquidity-setups.ts'
import { buyLimit, buyMarket, sellLimit } from '../../../src/strategy/orders.ts'
import { market } from '../../exchange/rig/configs.ts'
import { memoryTape, type RecordedRow } from '../../simulation/rig/memory-tape.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import { runStrategy, SETTINGS, type TestRun, type TestStrategy } from '../rig/run-strategy.ts'

const BTC = 'BTC_USD'
const files = temporaryFiles()

const run = (strategy: TestStrategy, rows: readonly RecordedRow[], liquidity = 'tape'): Promise<TestRun> =>
  runStrategy(strategy, { tapes: [memoryTape(rows)], settings: { liquidity } })

const qualityOf = ({ result }: TestRun) => {
  const quality = result.figures.quality.report()[BTC]
  if (quality === undefined) throw new Error(`no figures of ${BTC}`)
  return quality
}

/** Rests a bid of 2 at `price` after the first trade. */
const bidAt = (price: number): TestStrategy => ({
  run: ({ trades }) =>
    trades(BTC).pipe(
      take(1),
      map(() => buyLimit(BTC, price, 2)),
    ),
})

describe('fills', () => {
  it('by a trade at the order’s price are by queue, and by one beyond it through', async () => {
    // The first trade, a buyer’s of 1 lot, makes the bid 99 and the clip 1: one lot is ahead of our two.
    const at = await run(bidAt(99), [
      [0, 100, 1, 'buy'],
      [1_000, 99, 2, 'sell'],
      [2_000, 98, 5, 'sell'],
    ])
    expect(qualityOf(at).maker).toMatchObject({ fills: 2, qty: '2', byQueue: 1, byThrough: 1 })
    const through = await run(bidAt(99), [
      [0, 100, 1, 'buy'],
      [1_000, 98, 5, 'sell'],
    ])
    expect(qualityOf(through).maker).toMatchObject({ fills: 1, qty: '2', byQueue: 0, byThrough: 1 })
  })

  it('are held against what was recorded', async () => {
    const rows: RecordedRow[] = [
      [0, 100, 1, 'buy'],
      [1_000, 98, 9, 'sell'],
      [7_000, 49, 10, 'sell'],
    ]
    const quality = qualityOf(await run(bidAt(99), rows))
    expect(quality.recordedQty).toBe('20')
    expect(quality.shareOfVolume).toBe(0.1)
    // 5 s after the fill at 99 the last trade was the one at 98.
    expect(quality.maker.markoutBps['5s']).toBeCloseTo(-10_000 / 99)
    expect(quality.maker.markoutBps['60s']).toBeNull()
  })

  it('that take an old quote are counted', async () => {
    const late: TestStrategy = {
      run: ({ trades }) =>
        merge(
          trades(BTC).pipe(
            take(1),
            map(() => buyMarket(BTC, 1)),
          ),
        ),
    }
    const rows: RecordedRow[] = [
      [0, 100, 5, 'buy'],
      [60_000, 100, 5, 'buy'],
    ]
    const settings = { liquidity: 'tape', orderLatencyMs: 5_001 }
    const quality = qualityOf(await runStrategy(late, { tapes: [memoryTape(rows)], settings }))
    expect(quality.taker).toMatchObject({ fills: 1, onOldQuote: 1 })
  })
})

describe('a fill with an order of our own', () => {
  const own: TestStrategy = {
    run: ({ trades }) =>
      trades(BTC).pipe(
        take(2),
        map((_, index) => (index === 0 ? sellLimit(BTC, 100, 2) : buyLimit(BTC, 190, 3))),
      ),
  }
  /**
   * Ours rests at 100, where nothing is ahead once the market stands at 190; it is the best offer for the buyer, us.
   */
  const rows: RecordedRow[] = [
    [0, 90, 4, 'sell'],
    [1_000, 90, 4, 'sell'],
    [9_000, 90, 4, 'sell'],
  ]

  it('counts apart, and in no markout, share or role', async () => {
    const settings = { liquidity: 'tape', spread: '100', credit: { USD: '10000', BTC: '2' } }
    const run = await runStrategy(own, { tapes: [memoryTape(rows)], settings })
    const quality = qualityOf(run)
    expect(run.fills.map(({ isMaker, qty }) => `${isMaker ? 'maker' : 'taker'} ${qty.toFixed()}`)).toEqual([
      'maker 2',
      'taker 2',
      'taker 1',
    ])
    expect(quality.ownFills).toBe(2)
    expect(quality.maker).toMatchObject({ fills: 0, qty: '0', byQueue: 0, byThrough: 0 })
    expect(quality.taker).toMatchObject({ fills: 1, qty: '1' })
    expect(quality.shareOfVolume).toBe(1 / 12)
    expect(run.result.figures.quality.makerFills).toBe(0)
    // The lot that the market sold for 190 and no other: what two orders of ours did at 100 is no markout.
    expect(quality.maker.markoutBps).toEqual({ '1s': null, '5s': null, '60s': null })
    expect(quality.taker.markoutBps['5s']).toBeCloseTo((-10_000 * 100) / 190)
  })

  it('makes every fill of a run count once', async () => {
    const settings = { liquidity: 'tape', spread: '100', credit: { USD: '10000', BTC: '2' } }
    const run = await runStrategy(own, { tapes: [memoryTape(rows)], settings })
    const { maker, taker, ownFills } = qualityOf(run)
    expect(maker.fills + taker.fills + ownFills).toBe(run.result.record.fills)
  })
})

describe('in a market whose recorded book is followed', () => {
  const BUY = { side: 'BUY', fee: 0n, isOwnMatch: false, tag: undefined } as const

  /** One of ours at 100 at a time. */
  const fillAt = (createdAt: number, isMaker: boolean): AccountFill => {
    return { ...BUY, isMaker, trade: { symbol: BTC, price: 100, qty: 1, createdAt } }
  }
  const fillsWith = (book?: PlayedBook): MarketFills => {
    const fills = new FillQuality([market(BTC)]).market(BTC)
    fills.book = book
    return fills
  }

  it('a fill that the book did is by crossing, whatever was traded last; any other as it always was', () => {
    const book = { isCrossing: true, reportedAt: 0 }
    const fills = fillsWith(book)
    fills.add(fillAt(0, true))
    fills.onRecorded(1_000, 100, 5)
    fills.add(fillAt(1_000, true))
    book.isCrossing = false
    fills.add(fillAt(1_000, true))
    fills.onRecorded(2_000, 99, 5)
    fills.add(fillAt(2_000, true))
    expect(fills.report(0).maker).toMatchObject({ fills: 4, byQueue: 1, byThrough: 1, byCrossing: 2 })
  })

  it.each`
    tradedAt     | reportedAt   | onOldQuote | onOldBook | why
    ${9_000}     | ${9_500}     | ${0}       | ${0}      | ${'both are new'}
    ${9_500}     | ${9_000}     | ${0}       | ${0}      | ${'a book of 1 s is not old'}
    ${9_500}     | ${8_999}     | ${0}       | ${1}      | ${'the trade is newer than the book'}
    ${1_000}     | ${9_500}     | ${0}       | ${0}      | ${'the book is newer than the trade'}
    ${1_000}     | ${4_999}     | ${1}       | ${1}      | ${'neither is new'}
    ${1_000}     | ${-Infinity} | ${1}       | ${0}      | ${'the book was not reported yet'}
    ${undefined} | ${4_999}     | ${1}       | ${1}      | ${'there was no trade yet'}
  `('a taking at 10 s: $why', ({ tradedAt, reportedAt, onOldQuote, onOldBook }: Record<string, number | undefined>) => {
    const fills = fillsWith({ isCrossing: false, reportedAt: reportedAt ?? 0 })
    if (tradedAt !== undefined) fills.onRecorded(tradedAt, 100, 5)
    fills.add(fillAt(10_000, false))
    expect(fills.report(0).taker).toMatchObject({ onOldQuote, onOldBook })
  })

  it('there are no such figures without one', () => {
    const { maker, taker } = fillsWith().report(0)
    expect(Object.keys(maker)).toEqual(['fills', 'qty', 'markoutBps', 'byQueue', 'byThrough'])
    expect(Object.keys(taker)).toEqual(['fills', 'qty', 'markoutBps', 'onOldQuote'])
  })
})

describe('the choice of a model', () => {
  it('suggests the nearest name', async () => {
    await expect(chooseLiquidity('tuoch')).rejects.toThrow("liquidity: no liquidity model 'tuoch'; did you mean touch?")
  })

  it('takes a file that makes one, by its hash', async () => {
    const file = files.write('export default () => ({ queueAhead: () => 7 })', 'own.ts')
    const choice = await chooseLiquidity(file)
    expect(choice.sha256).toMatch(/^[0-9a-f]{64}$/)
    const setup = { symbol: BTC, spread: undefined } as const
    const terms = { queueSize: 1, levelSize: 1, staleAfterMs: 1 }
    expect(choice.create({ ...setup, terms }).queueAhead('BUY', 1)).toBe(7)
  })

  it('refuses a file that makes none', async () => {
    const file = files.write('export default 5', 'five.ts')
    await expect(chooseLiquidity(file)).rejects.toThrow(
      'has no default export that is a function; write `export default (setup) => ...`',
    )
  })

  it('refuses a spread that does not fit the market', () => {
    const setupFor = (spread: string) => setupsOf([market(BTC)], { ...SETTINGS, spread })
    expect(setupFor('2').get(BTC)).toMatchObject({ spread: 2, terms: { staleAfterMs: 600_000 } })
    expect(() => setupFor('0.5')).toThrow(/^liquidity.spread: /)
    expect(() => setupFor('0')).toThrow(/^liquidity.spread: /)
  })
})
