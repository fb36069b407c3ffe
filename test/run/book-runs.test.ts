/**
 * Runs on recorded books, as a program asks for them: what fills, what a strategy is reported, and what bounds the
 * result.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { map, merge, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineStrategy } from '../../src/index.ts'
import { backtest, type BacktestOptions, type BacktestRun } from '../../src/run.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const { folder, write } = temporaryFiles()
const T = 1_700_000_000_000
const SYMBOL = 'A_USD'

/**
 * A minute: each 100 ms a frame at the touch, each second a trade that takes a part of it, a drift of one tick in a
 * while.
 */
const rows = Array.from({ length: 600 }, (_, at) => {
  const time = T + at * 100
  const middle = 1_000 + Math.floor(Math.sin(at / 40) * 12)
  const [bid, ask] = [middle - 1, middle + 1]
  return { at, time, bid, ask, lots: 3 + ((at * 7) % 5) }
})
const price = (ticks: number): string => (ticks / 10).toFixed(1)

const bookText = ['time,side,price,qty,snapshot']
for (const { at, time, bid, ask, lots } of rows) {
  const isSnapshot = at % 50 === 0
  // Every level of the touch again; a snapshot forgets the others, a frame takes those away that the market has left.
  const before = rows[at - 1]
  if (isSnapshot || before === undefined) {
    for (let level = 0; level < 5; level += 1) bookText.push(`${time},bid,${price(bid - level)},${lots + level},true`)
    for (let level = 0; level < 5; level += 1) bookText.push(`${time},ask,${price(ask + level)},${lots + level},true`)
    continue
  }
  const [gone, risen] = before.bid > bid ? [[`${time},bid,${price(before.bid)},0,false`], []] : [[], before.ask < ask ? [`${time},ask,${price(before.ask)},0,false`] : []] // prettier-ignore
  bookText.push(...gone, `${time},bid,${price(bid)},${lots},false`, ...risen, `${time},ask,${price(ask)},${lots},false`)
}
const tradeText = ['time,price,qty,side']
for (const { at, time, bid, ask } of rows.filter(({ at: row }) => row % 10 === 5)) {
  const isSell = at % 20 === 5
  tradeText.push(`${time + 50},${price(isSell ? bid : ask)},4,${isSell ? 'sell' : 'buy'}`)
}
const book = write(`${bookText.join('\n')}\n`, 'book.csv')
const trades = write(`${tradeText.join('\n')}\n`, 'trades.csv')

/** Rests a lot at each side of the last price, again at every trade. */
const onTrades = defineStrategy({
  name: 'on-trades',
  params: z.object({}),
  run: ({ trades: tradesOf, buyLimit, sellLimit, cancelAll }) =>
    tradesOf(SYMBOL).pipe(
      map((trade) => [
        cancelAll(SYMBOL),
        buyLimit(SYMBOL, trade.price.minus('0.2'), 1),
        sellLimit(SYMBOL, trade.price.plus('0.2'), 1),
      ]),
    ),
})

const run = (more: Partial<Omit<BacktestOptions, 'params'>> = {}): Promise<BacktestRun> =>
  backtest({
    strategy: onTrades,
    tapes: { [SYMBOL]: trades },
    credits: { USD: '100000', A: '1000' },
    latency: { orderMs: 10 },
    ...more,
  })
const onBook = (more: Partial<Omit<BacktestOptions, 'params'>> = {}): Promise<BacktestRun> =>
  run({ books: { [SYMBOL]: book }, ...more })

describe('a run with a recorded book', () => {
  it('is under the model book where nothing else is said, reported with what made its fills, and bounded by who cancels', async () => {
    const { config, fillQuality, fills, liquidityBounds, audit } = await onBook()
    expect(config.liquidity).toBe('book')
    const { maker, taker } = fillQuality[SYMBOL] ?? {}
    expect(maker?.fills).toBeGreaterThan(3)
    expect((maker?.byQueue ?? 0) + (maker?.byThrough ?? 0) + (maker?.byCrossing ?? 0)).toBe(maker?.fills)
    expect(taker?.onOldBook).toBe(0)
    expect(fills.length).toBeGreaterThan(3)
    expect(Object.keys(liquidityBounds ?? {})).toEqual(['book', 'book-prorata'])
    expect(Object.values(audit.assets).every(({ credited, held }) => credited === held)).toBe(true)
  })

  it('has the digest of its trades under the same model, where it listens to nothing else', async () => {
    const [plain, beside] = [await run({ liquidity: 'tape' }), await onBook({ liquidity: 'tape' })]
    expect(beside.digest).toBe(plain.digest)
    expect(beside.fills).toEqual(plain.fills)
    expect(Object.keys(beside.liquidityBounds ?? {})).toEqual(['through', 'tape', 'touch'])
    expect((await onBook()).digest).not.toBe(plain.digest)
  })

  it('is the same again, and nothing of it hangs on what comes later', async () => {
    const [whole, again] = [await onBook({ bounds: false }), await onBook({ bounds: false })]
    expect(again.digest).toBe(whole.digest)
    const to = T + 30_000
    const cut = await onBook({ bounds: false, to })
    const early = whole.fills.filter(({ createdAt }) => createdAt < to)
    expect(early.length).toBeGreaterThan(2)
    expect(cut.fills).toEqual(early)
  })

  it('values what is held by the middle of the best prices where there are no trades', async () => {
    const holding = defineStrategy({ name: 'holding', params: z.object({}), run: ({ buyMarket }) => of(buyMarket(SYMBOL, 2)) }) // prettier-ignore
    const { partial, finalEquity, fills } = await run({ strategy: holding, tapes: {}, books: { [SYMBOL]: book }, credits: { USD: '1000' } }) // prettier-ignore
    expect([partial, fills.map(({ price: paid }) => paid)]).toEqual([false, ['100.1']])
    const last = rows.at(-1)
    expect(Number(finalEquity)).toBeCloseTo(
      1_000 - 200.2 + 2 * Number(price(((last?.bid ?? 0) + (last?.ask ?? 0)) / 2)),
      9,
    )
  })

  it('is refused a model that follows a book where there is none', async () => {
    await expect(run({ liquidity: 'book' })).rejects.toThrow(
      'needs a recorded book or quotes: pass one with --depth SYMBOL=FILE',
    )
  })

  it('reports a strategy touch and levels, from the first moment of a window on', async () => {
    const seen: string[] = []
    const watching = defineStrategy({
      name: 'watching',
      params: z.object({}),
      run: ({ quotes, depth, book: bookOf, now }) =>
        merge(
          quotes(SYMBOL).pipe(map(({ time, bid, ask }) => `quote ${time - T} ${String(bid)} ${String(ask)}`)),
          depth(SYMBOL, { levels: 2, every: '1s' }).pipe(
            map(({ bids, asks }) => `depth ${now() - T} ${bids.length} ${asks.length}`),
          ),
        ).pipe(
          map((line) => {
            seen.push(line)
            const { bids, asks } = bookOf(SYMBOL).levels(1)
            expect(bids[0]?.price.lt(asks[0]?.price ?? 0)).toBe(true)
            return []
          }),
        ),
    })
    await onBook({ strategy: watching, from: T + 30_010, to: T + 35_000 })
    expect(seen[0]).toMatch(/^quote 30010 /)
    expect(seen.filter((line) => line.startsWith('depth'))).toHaveLength(5)
    expect(seen.every((line) => Number(line.split(' ')[1]) <= 35_000)).toBe(true)
  })

  it('writes into its journal what the book did, which why reads', async () => {
    const out = join(folder, 'out')
    await onBook({ out, bounds: false })
    const journal = readFileSync(join(out, 'journal.jsonl'), 'utf8')
    expect(journal.split('\n')[0]).toContain('"book":"levels"')
    expect(journal).toContain('"cancelledAhead"')
  })
})
