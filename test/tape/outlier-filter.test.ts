/**
 * The filter of prints against a second one that works everything out again for each print, and against prints that
 * were judged apart.
 */
import { tradeBlocks } from './rig/trade-blocks.ts'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspectTape } from '../../src/store/tapes/inspect-tape.ts'
import { openTape } from '../../src/store/tapes/open-tape.ts'
import { OutlierFilter, PRINT_STATUS } from '../../src/tape/outlier-filter.ts'
import { SIDE_UNKNOWN } from '../../src/tape/tape.ts'
import { FILTER_CORNERS, NaiveOutlierFilter, type FilterCorner, type NaivePrint } from './rig/naive-outlier-filter.ts'

type Print = readonly [time: number, price: number]
/** When a print was believed: the number of the print at which it was, counted from 0; undefined for never. */
type Believed = number | undefined

function judged(prints: readonly Print[], spread: number): readonly Believed[] {
  const naiveFilter = new OutlierFilter(spread)
  const believed: Believed[] = prints.map(() => undefined)
  let waiting: number[] = []
  prints.forEach(([time, price], row) => {
    const before = naiveFilter.quarantined.length
    const verdict = naiveFilter.check(time, price, 1, SIDE_UNKNOWN)
    if (verdict === PRINT_STATUS.confirmed) {
      expect(naiveFilter.takeConfirmed().map((held) => held.price)).toEqual(waiting.map((each) => prints[each]?.[1]))
      for (const each of waiting) believed[each] = row
    }
    if (verdict !== PRINT_STATUS.quarantined) believed[row] = row
    waiting =
      verdict !== PRINT_STATUS.quarantined ? [] : naiveFilter.quarantined.length > before ? [...waiting, row] : [row]
    expect(naiveFilter.worstFor('BUY')).toBe(
      waiting.length === 0 ? undefined : Math.max(...waiting.map((each) => prints[each]?.[1] ?? 0)),
    )
    expect(naiveFilter.worstFor('SELL')).toBe(
      waiting.length === 0 ? undefined : Math.min(...waiting.map((each) => prints[each]?.[1] ?? 0)),
    )
  })
  return believed
}

const reached = new Map<FilterCorner, number>(FILTER_CORNERS.map((corner) => [corner, 0]))

function naivelyJudged(prints: readonly Print[], spread: number): readonly Believed[] {
  const believed: Believed[] = prints.map(() => undefined)
  const naiveFilter = new NaiveOutlierFilter<NaivePrint & { readonly row: number }>(spread, (corner) => {
    reached.set(corner, (reached.get(corner) ?? 0) + 1)
  })
  prints.forEach(([time, price], row) => {
    const verdict = naiveFilter.judge({ time, price, row })
    if (verdict === 'held') return
    believed[row] = row
    if (verdict === 'borne out') for (const each of naiveFilter.held) believed[each.row] = row
    naiveFilter.drop()
  })
  return believed
}

const stream = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 1, 20, 300, 1_000), fc.constantFrom(0, 0, 1, -1, 2, -2, 9, -9, 30, -30)), {
    minLength: 10,
    maxLength: 80,
    size: 'max',
  })
  .map((steps) => {
    let [time, price] = [0, 1_000]
    return steps.map(([wait, step]): Print => {
      time += wait
      // Some prints come back to where the market was, others stay.
      if (Math.abs(step) < 9 || wait > 1) price += step
      return [time, Math.abs(step) < 9 ? price : price + step]
    })
  })

it('believes what a filter believes that works everything out again', () => {
  fc.assert(
    fc.property(stream, fc.integer({ min: 1, max: 3 }), (prints, spread) => {
      expect(judged(prints, spread)).toEqual(naivelyJudged(prints, spread))
    }),
    { numRuns: 400 },
  )
  for (const [corner, times] of reached) expect(times, corner).toBeGreaterThan(0)
})

it('judges nothing by what comes later', () => {
  fc.assert(
    fc.property(stream, fc.nat(80), (prints, length) => {
      const known = (believed: readonly Believed[]): readonly Believed[] =>
        believed.slice(0, length).map((row) => (row === undefined || row >= length ? undefined : row))
      expect(known(judged(prints.slice(0, length), 1))).toEqual(known(judged(prints, 1)))
    }),
  )
})

it('knows the worst of more held prints of one millisecond than a call takes arguments', () => {
  const naiveFilter = new OutlierFilter(1)
  naiveFilter.check(0, 1_000, 1, SIDE_UNKNOWN)
  for (let row = 0; row < 300_000; row += 1) naiveFilter.check(1, 1_100 + (row % 7), 1, SIDE_UNKNOWN)
  expect(naiveFilter.quarantined).toHaveLength(300_000)
  expect(naiveFilter.worstFor('BUY')).toBe(1_106)
  expect(naiveFilter.worstFor('SELL')).toBe(1_100)
})

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

describe.skipIf(!existsSync(DATA))('prints that were judged apart (skipped without ../shared/data)', () => {
  it('are believed alike in every row', () => {
    const [header, ...lines] = readFileSync(`${DATA}vectors/belief-made.csv`, 'utf8').trim().split('\n')
    expect(header).toBe('trade_id,time_ms,price_ticks,believed')
    const rows = lines.map((line) => line.split(','))
    const believed = judged(
      rows.map(([, time, price]) => [Number(time), Number(price)]),
      1,
    )
    const words = believed.map((at, row) => (at === undefined ? 'never' : at === row ? 'now' : `at ${at + 1}`))
    expect(words).toEqual(rows.map(([, , , word]) => word))
  })

  it('151 of 33 381 prints of IBM are not believed at once', async () => {
    const inspected = await inspectTape({
      file: `${DATA}tapes/normalised_ibm_20131008_trades.csv.gz`,
      symbol: 'IBM_USD',
    })
    const naiveFilter = new OutlierFilter(1)
    let [prints, doubted] = [0, 0]
    for await (const block of tradeBlocks(openTape(inspected, inspected.info))) {
      for (let row = 0; row < block.length; row += 1) {
        prints += 1
        const verdict = naiveFilter.check(block.time[row] ?? 0, block.price[row] ?? 0, 1, SIDE_UNKNOWN)
        if (verdict === PRINT_STATUS.quarantined) doubted += 1
        if (verdict === PRINT_STATUS.confirmed) naiveFilter.takeConfirmed()
      }
    }
    expect([prints, doubted]).toEqual([33_381, 151])
  })
})
