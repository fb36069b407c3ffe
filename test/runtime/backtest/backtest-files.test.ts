/**
 * From files to a digest: the whole path of a backtest on small tapes made by hand.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { auditToJson } from '../../../src/domain/audit.ts'
import { formatTrimmed } from '../../../src/domain/fixed-point.ts'
import type { BacktestSettings } from '../../../src/runtime/settings/backtest-settings.ts'
import { runBacktest } from '../../../src/runtime/backtest/backtest.ts'
import type { BacktestResult } from '../../../src/runtime/backtest/simulated-run.ts'
import { prepareBacktest } from '../../../src/runtime/backtest/prepared-backtest.ts'
import type { TapeSource } from '../../../src/import/tape-source.ts'
import { temporaryFiles } from '../../store/rig/temporary-files.ts'
import type { JournalLine } from '../rig/run-strategy.ts'
import { readBack, SETTINGS } from '../rig/run-strategy.ts'

const files = temporaryFiles()

interface FileRun {
  readonly result: BacktestResult
  readonly lines: readonly string[]
  readonly journal: readonly JournalLine[]
}

async function run(
  strategy: string,
  tapes: readonly TapeSource[],
  settings: Partial<BacktestSettings> = {},
): Promise<FileRun> {
  const lines: string[] = []
  const prepared = await prepareBacktest({ ...SETTINGS, credit: {}, ...settings, strategy, tapes })
  const result = await runBacktest(prepared, {
    onLine: (line) => void lines.push(line),
    onOrder: () => undefined,
    onFill: () => undefined,
    onLog: () => undefined,
    onProgress: () => undefined,
  })
  expect(result.failure).toBeUndefined()
  expect(auditToJson(result.exchange.audit()).ok).toBe(true)
  expect(result.digest).toBe(
    `sha256:${createHash('sha256')
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('hex')}`,
  )
  return { result, lines, journal: readBack(lines) }
}

const equityText = ({
  result: {
    figures: { equity },
  },
}: FileRun): string => formatTrimmed(equity.equity(), equity.scale)

/** A walk of prices up and down, a trade every 20 s: integers alone, so that it is the same everywhere. */
function walk(rows: number): string {
  let state = 12_345
  let cents = 10_000
  const lines = Array.from({ length: rows }, (_, index) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    cents += (state % 201) - 100
    const price = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
    return `${index + 1},${1_700_000_000_000 + index * 20_000},${price},0.${1 + (state % 9)},${state % 2 === 0}`
  })
  return `trade_id,time_ms,price,qty,is_buyer_maker\n${lines.join('\n')}\n`
}

const CANDLES = `Date,Open,High,Low,Close,Volume
2024-01-02,100,110,90,105,1000
2024-01-03,105,120,100,118,1000
2024-01-04,118,119,80,95,1000
`

const EVERYTHING = `
import { defineStrategy, type Intent } from 'papertape'
import { debounceTime, map, merge, scan } from 'rxjs'
import { z } from 'zod'

/** Uses every kind of input, and chance. */
export default defineStrategy({
  name: 'everything',
  params: z.object({}),
  run: ({ markets, trades, candles, random, openOrders, balance, buyMarket, sellLimit, buyLimit, cancelAll }) =>
    merge(
      ...markets.map(({ symbol, floorPrice, baseAsset, floorQty }) => merge(
        candles(symbol, '1m').pipe(map((candle): readonly Intent[] =>
          openOrders(symbol).length > 3 ? [cancelAll(symbol)] : [buyLimit(symbol, floorPrice(candle.close.times('0.99')), '0.1', { tag: 'dip' })])),
        trades(symbol).pipe(scan((count) => count + 1, 0), map((): readonly Intent[] => random() < 0.05 ? [buyMarket(symbol, '0.1')] : [])),
        trades(symbol).pipe(debounceTime(7_000), map((trade): readonly Intent[] => {
          const qty = floorQty(balance(baseAsset).available)
          return qty.isZero() ? [] : [sellLimit(symbol, trade.price, qty)]
        })),
      )),
    ),
})
`

const tape = (name: string, symbol = 'BTC_USD'): TapeSource => ({ file: files.write(walk(600), name), symbol })

describe('the same run', () => {
  const SMA = { fast: '2', slow: '5' }

  it('of sma-cross trades, and has the same digest twice', async () => {
    const first = await run('sma-cross', [tape('btc.csv')], { paramTexts: SMA })
    const second = await run('sma-cross', [tape('btc.csv')], { paramTexts: SMA })
    expect(first.result.record.fills).toBeGreaterThan(20)
    expect(first.result.record.refusals.size).toBe(0)
    expect(second.lines).toEqual(first.lines)
    expect(second.result.digest).toBe(first.result.digest)
  })

  it('has the same digest from another place and in another packing', async () => {
    const first = await run('sma-cross', [tape('btc.csv')], { paramTexts: SMA })
    const packed = { file: files.write(gzipSync(walk(600)), 'elsewhere.csv.gz'), symbol: 'BTC_USD' }
    const second = await run('strategies/sma-cross.ts', [packed], { params: { fast: 2, slow: 5 } })
    expect(second.result.digest).toBe(first.result.digest)
  })

  it.each`
    change                         | why
    ${{ seed: 2 }}                 | ${'another seed'}
    ${{ orderLatencyMs: 51 }}      | ${'another latency'}
    ${{ takerFeeBps: '1' }}        | ${'another fee'}
    ${{ credit: { USD: '9999' } }} | ${'another credit'}
    ${{ limits: null }}            | ${'no limits'}
  `('has another digest with $why', async ({ change }) => {
    const first = await run('sma-cross', [tape('btc.csv')], { paramTexts: SMA })
    const second = await run('sma-cross', [tape('btc.csv')], {
      paramTexts: SMA,
      ...(change as Partial<BacktestSettings>),
    })
    expect(second.result.digest).not.toBe(first.result.digest)
  })
})

describe('a strategy of a user', () => {
  it('trades two markets, each on its own tape, and the same twice', async () => {
    const strategy = files.write(EVERYTHING, 'everything.ts')
    const tapes = [
      tape('btc.csv'),
      { file: files.write(walk(900).replaceAll('.', '1.'), 'eth.csv'), symbol: 'ETH_USD' },
    ]
    const settings = { limits: null, credit: { USD: '1000000' } }
    const first = await run(strategy, tapes, settings)
    expect((await run(strategy, tapes, settings)).lines).toEqual(first.lines)
    const filled = first.journal.flatMap(({ fill }) =>
      fill === undefined ? [] : [(fill as { symbol: string }).symbol],
    )
    expect(new Set(filled)).toEqual(new Set(['BTC_USD', 'ETH_USD']))
    const types = new Set(first.journal.map(({ type }) => type))
    const expected = ['run', 'credit', 'place', 'cancel', 'acknowledged', 'order', 'fill', 'balances', 'end']
    expect(expected.filter((type) => !types.has(type))).toEqual([])
  })

  it('knows nothing of what comes: of a tape that is cut its journal is the same up to the cut', async () => {
    const strategy = files.write(EVERYTHING, 'everything.ts')
    const rows = walk(600).split('\n')
    const cutAfter = (count: number): TapeSource => {
      const file = files.write(`${rows.slice(0, count + 1).join('\n')}\n`, `cut-${count}.csv`)
      return { file, symbol: 'BTC_USD', pricePrecision: 2, qtyPrecision: 1 }
    }
    const settings = { limits: null, credit: { USD: '1000000' } }
    const whole = await run(strategy, [cutAfter(600)], settings)
    for (const count of [1, 2, 50, 123, 300, 599]) {
      const end = 1_700_000_000_000 + (count - 1) * 20_000
      const cut = await run(strategy, [cutAfter(count)], settings)
      const until = ({ lines, journal }: FileRun): readonly string[] =>
        lines.filter((_, index) => (journal[index]?.t ?? 0) < end)
      expect(until(cut)).toEqual(until(whole))
      expect(cut.lines.length - until(cut).length).toBeLessThan(20)
    }
  })
})

describe('all bought after the first candle and held, on candles', () => {
  const HOLD = `
import { defineStrategy } from 'papertape'
import { first, map } from 'rxjs'
import { z } from 'zod'
export default defineStrategy({
  name: 'hold',
  params: z.object({ symbol: z.string() }),
  run: ({ params: { symbol }, candles, buyMarket }) =>
    candles(symbol, '1d').pipe(first(), map(() => buyMarket(symbol, '90'))),
})
`
  // Bought at the second open of 105, valued at the last close of 95.
  it.each`
    takerFeeBps  | equity         | why
    ${'0'}       | ${'9100'}      | ${'10000 - 90 x 105 + 90 x 95'}
    ${'100'}     | ${'9005.5'}    | ${'less 94.5'}
    ${'12.3456'} | ${'9088.3334'} | ${'less 11.6666 (90 x 105 x 0.00123456 = 11.666592, up to the ledger)'}
  `('is worth $equity with a fee of $takerFeeBps: $why', async ({ takerFeeBps, equity }) => {
    const strategy = files.write(HOLD, 'hold.ts')
    const source = { file: files.write(CANDLES, 'candles.csv'), symbol: 'ACME_USD', qtyPrecision: 0, pricePrecision: 4 }
    const held = await run(strategy, [source], { takerFeeBps: String(takerFeeBps) })
    expect(equityText(held)).toBe(equity)
    expect(held.result.exchange.balances('strategy').get('ACME')?.available).toBe(90n)
  })
})

describe('a part of a tape', () => {
  it('is played from its beginning to its end, and nothing else', async () => {
    const from = 1_700_000_000_000 + 100 * 20_000
    const to = from + 50 * 20_000
    const part = await run(files.write(EVERYTHING, 'everything.ts'), [tape('btc.csv')], { from, to })
    expect(part.journal[0]?.t).toBe(from)
    expect(part.journal.every(({ t }) => t >= from && t <= to)).toBe(true)
    expect(part.result.figures.equity.prices).toHaveLength(1)
  })
})
