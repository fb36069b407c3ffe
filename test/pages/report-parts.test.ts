/**
 * What a report computes to draw, to sort and to compare, apart from any browser.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aligned } from '../../pages/report/aligned.ts'
import { barsOn, intervalName, intervalsFrom, lineOn, stepsOver, timeOfStep } from '../../pages/report/candle-bars.ts'
import { labelWidth, percentReaderOf, readerOf } from '../../pages/report/numbers.ts'
import { thinnedTrips } from '../../pages/report/thinned-trips.ts'
import { differenceOf } from '../../pages/report/difference.ts'
import { TableOrder } from '../../pages/report/table-order.ts'
import { TimeRange } from '../../pages/report/time-range.ts'
import { MONTH_MS } from '../../src/domain/calendar.ts'
import type { CandleColumns, PageFigure, PageTable } from '../../src/report/page/page-data.ts'

const MINUTE = 60_000

describe('candles of a longer interval', () => {
  const rows = fc.array(fc.tuple(fc.nat(200), fc.nat(50), fc.nat(50), fc.nat(9)), { minLength: 1, maxLength: 60 })
  const columns = (drawn: readonly (readonly [number, number, number, number])[]): CandleColumns => {
    const byTime = new Map(drawn.map((row) => [row[0], row]))
    const sorted = [...byTime.values()].sort(([one], [other]) => one - other)
    return {
      intervalMs: MINUTE,
      times: sorted.map(([step]) => step * MINUTE),
      open: sorted.map(([, open]) => open),
      close: sorted.map(([, , close]) => close),
      high: sorted.map(([, open, close]) => Math.max(open, close) + 1),
      low: sorted.map(([, open, close]) => Math.min(open, close) - 1),
      volume: sorted.map(([, , , volume]) => volume),
    }
  }

  it('have the extremes and the volume of those they are made of, the first open and the last close', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(1, 5, 15, 60), (drawn, count) => {
        const candles = columns(drawn)
        const [from = 0, to = 0] = [candles.times[0], candles.times.at(-1)]
        const steps = stepsOver(from, to + MINUTE, count * MINUTE)
        const bars = barsOn(steps, candles).flatMap((bar) => (bar === undefined ? [] : [bar]))
        expect(Math.max(...bars.map(({ high }) => high))).toBe(Math.max(...candles.high))
        expect(Math.min(...bars.map(({ low }) => low))).toBe(Math.min(...candles.low))
        const sum = (values: readonly number[]): number => values.reduce((whole, each) => whole + each, 0)
        expect(sum(bars.map(({ volume }) => volume))).toBe(sum(candles.volume))
        expect([bars[0]?.open, bars.at(-1)?.close]).toEqual([candles.open[0], candles.close.at(-1)])
        expect(bars.every(({ time }) => time % (count * MINUTE) === 0)).toBe(true)
        if (count === 1) expect(bars.map(({ time }) => time)).toEqual(candles.times)
      }),
    )
  })

  it('begin weeks on Mondays', () => {
    const week = 7 * 86_400_000
    const { from } = stepsOver(Date.UTC(2024, 0, 4), Date.UTC(2024, 0, 20), week)
    expect(new Date(from).toISOString()).toBe('2024-01-01T00:00:00.000Z')
  })

  it('are one a month, with the times of their candles, whether these begin on the first day or on the last', () => {
    for (const day of [0, 1]) {
      const times = Array.from({ length: 40 }, (_, month) => Date.UTC(2012, month, day))
      const values = times.map((_, index) => index + 1)
      const candles = { times, open: values, high: values, low: values, close: values, volume: values }
      const steps = stepsOver(times[0] ?? 0, times.at(-1) ?? 0, MONTH_MS)
      const bars = barsOn(steps, candles)
      expect(bars.flatMap((bar) => bar?.time ?? [])).toEqual(times)
      const first = bars.findIndex((bar) => bar !== undefined)
      expect(bars.slice(first, first + 40).flatMap((bar) => bar?.close ?? [])).toEqual(values)
      expect(timeOfStep(steps, first)).toBe(Date.UTC(2012, 0))
    }
    expect(intervalsFrom(MONTH_MS).map(intervalName)).toEqual(['1 M'])
  })

  it.each`
    ms            | first                       | why
    ${1_000}      | ${['1 s', '5 s', '15 s']}   | ${'seconds'}
    ${MINUTE}     | ${['1 m', '5 m', '15 m']}   | ${'minutes'}
    ${3 * MINUTE} | ${['3 m', '15 m', '30 m']}  | ${'those that it divides'}
    ${7 * MINUTE} | ${['7 m', '28 m', '112 m']} | ${'a length that no usual one is a multiple of'}
    ${250}        | ${['250 ms', '1 s', '5 s']} | ${'less than a second'}
  `('can be chosen from $ms on: $why', ({ ms, first }: { ms: number; first: string[] }) => {
    expect(intervalsFrom(ms).slice(0, 3).map(intervalName)).toEqual(first)
  })
})

describe('a line on steps', () => {
  const steps = { from: 0, intervalMs: 10, count: 4 }
  const line = { times: [-5, 1, 9, 30], values: [7, 1, 2, null] }
  it.each`
    isHeld   | expected                                | why
    ${true}  | ${[2, 2, 2, undefined]}                 | ${'a position stays'}
    ${false} | ${[2, undefined, undefined, undefined]} | ${'a plot is where it was drawn'}
  `('$why', ({ isHeld, expected }: { isHeld: boolean; expected: (number | undefined)[] }) => {
    expect(lineOn(steps, line, isHeld)).toEqual(expected)
  })
  it('goes on from before its first step', () => {
    expect(lineOn({ ...steps, from: -3 }, { times: [-5], values: [7] }, true)).toEqual([7, 7, 7, 7])
  })
})

describe('the stretch of time of all charts', () => {
  it('lies within the run and is never turned over, whatever is done', () => {
    const act = fc.oneof(
      fc.double({ min: -9, max: 9, noNaN: true }).map((by) => (range: TimeRange) => range.move(by)),
      fc.tuple(fc.double({ min: 0.001, max: 90, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })).map(
        ([by, at]) =>
          (range: TimeRange) =>
            range.zoom(by, at),
      ),
      fc.tuple(fc.integer(), fc.nat()).map(
        ([from, width]) =>
          (range: TimeRange) =>
            range.jump({ from, to: from + width }, 25_000),
      ),
    )
    fc.assert(
      fc.property(fc.nat(1e9), fc.array(act, { maxLength: 20 }), (width, acts) => {
        const range = new TimeRange({ from: 1_000, to: 1_000 + width })
        for (const each of acts) {
          each(range)
          const { from, to } = range.span
          expect(from).toBeGreaterThanOrEqual(range.whole.from - 1e-3)
          expect(to).toBeLessThanOrEqual(range.whole.to + 1e-3)
          expect(to - from).toBeGreaterThan(999)
        }
        range.showAll()
        expect(range.isWhole).toBe(true)
      }),
    )
  })
})

describe('decimals one below the other', () => {
  it.each`
    texts                        | expected                                        | why
    ${['1', '2.25', '3.5']}      | ${['1\u2008\u2007\u2007', '2.25', '3.5\u2007']} | ${'spaces of the width of digits'}
    ${['+1.5 %', '-0.25 %']}     | ${['+1.5 %\u2007', '-0.25 %']}                  | ${'behind the unit'}
    ${['–', '1.5', 'not known']} | ${['–', '1.5', 'not known']}                    | ${'words as they are'}
    ${['1,200', '35']}           | ${['1,200', '35']}                              | ${'nothing behind the point'}
  `('$why', ({ texts, expected }: { texts: string[]; expected: string[] }) => expect(aligned(texts)).toEqual(expected))
})

describe('the difference of two figures', () => {
  const figure = (text: string, exact: string): PageFigure => ({
    path: 'x',
    label: 'x',
    text,
    exact,
    tone: 'plain',
    definition: '',
  })
  it.each`
    one                                         | first                        | expected               | why
    ${['10,387.48', '10387.4781802']}           | ${['10,000.00', '10000']}    | ${'+387.48'}           | ${'of the exact ones, rounded as they are shown'}
    ${['+3.87 %', '0.03874']}                   | ${['+4.43 %', '0.0443']}     | ${'-0.56 pp'}          | ${'percent in points'}
    ${['870', '870']}                           | ${['870', '870']}            | ${''}                  | ${'none'}
    ${['0.30', '0.3']}                          | ${['0.10', '0.1']}           | ${'+0.20'}             | ${'in no double'}
    ${['0.00', '1e-7']}                         | ${['0.00', '0']}             | ${'+0.00'}             | ${'too little to be seen'}
    ${['2 h 5 min', '7500000']}                 | ${['1 h', '3600000']}        | ${undefined}           | ${'words'}
    ${['–', '']}                                | ${['1.5', '1.5']}            | ${undefined}           | ${'not known'}
    ${['2.5 days', '216000000']}                | ${['1.5 days', '129600000']} | ${undefined}           | ${'shown in another unit'}
    ${['9007199254740993', '9007199254740993']} | ${['1', '1']}                | ${'+9007199254740992'} | ${'beyond doubles'}
  `(
    '$one to $first: $why',
    ({ one, first, expected }: { one: [string, string]; first: [string, string]; expected: string | undefined }) => {
      expect(differenceOf(figure(...one), figure(...first))).toBe(expected)
    },
  )
})

describe('the rows of a table', () => {
  const table: PageTable = {
    columns: [
      { key: 'side', label: 'Side', kind: 'text', definition: '' },
      { key: 'profit', label: 'Profit', kind: 'number', definition: '' },
    ],
    rows: [
      ['long', '10', 10],
      ['short', '–', null],
      ['long', '-2', -2],
      ['short', '9', 9],
    ].map(([side, text, value]) => ({
      cells: [String(side), String(text)],
      order: [null, value === null ? null : Number(value)],
      tone: 'plain',
    })),
  }
  const none = { search: '', choices: new Map<number, string>(), sorting: undefined }
  const order = new TableOrder(table)
  it.each`
    wanted                                                 | expected        | why
    ${{}}                                                  | ${[0, 1, 2, 3]} | ${'as they came'}
    ${{ sorting: { column: 1, isRising: true } }}          | ${[2, 3, 0, 1]} | ${'by number, not by text, the unknown last'}
    ${{ sorting: { column: 1, isRising: false } }}         | ${[0, 3, 2, 1]} | ${'falling, the unknown last too'}
    ${{ sorting: { column: 0, isRising: true } }}          | ${[0, 2, 1, 3]} | ${'alike in the order of the table'}
    ${{ search: 'LONG 10' }}                               | ${[0]}          | ${'all words, in any case'}
    ${{ choices: new Map([[0, 'short']]), search: ' 9 ' }} | ${[3]}          | ${'choice and words'}
    ${{ search: 'nothing' }}                               | ${[]}           | ${'none'}
  `('$why', ({ wanted, expected }: { wanted: object; expected: number[] }) => {
    expect(order.rows({ ...none, ...wanted })).toEqual(expected)
  })
  it('offer what a column of text says, where there is a choice', () => {
    expect(order.choices()).toEqual([{ column: 0, texts: ['long', 'short'] }])
  })
})

it('trips of a crowd are thinned to those that can be seen apart', () => {
  const trip = (row: number, x1: number, x2: number, profit: number) => ({
    trip: { row, from: 0, to: 1, entry: 1, exit: 1, profit },
    ...{ x1, x2, y1: 100, y2: 101 },
  })
  const crowd = Array.from({ length: 4_000 }, (_, row) => trip(row, (row % 1_000) / 100, (row % 1_000) / 100 + 1, row % 3 === 0 ? -1 : 1)) // prettier-ignore
  const [long, picked] = [trip(4_000, 1, 400, 1), trip(4_001, 1, 2, 1)]
  const kept = thinnedTrips([...crowd, long, picked], 4_001)
  // Three squares, each with a gain and a loss.
  expect(kept.length).toBe(6 + 2)
  expect(kept.slice(-2)).toEqual([long, picked])
})

describe('labels of an axis', () => {
  it('differ from each other, however narrow its range is', () => {
    const steps = fc.constantFrom(1, 2, 2.5, 5)
    const law = fc.property(fc.integer({ min: -4, max: 5 }), steps, fc.nat(9_000), (power, times, first) => {
      const step = times * 10 ** power
      const labels = Array.from({ length: 6 }, (_, index) => (first + index) * step)
      expect(new Set(labels.map(readerOf(labelWidth(step)))).size).toBe(6)
      expect(new Set(labels.map(percentReaderOf(labelWidth(step)))).size).toBe(6)
    })
    fc.assert(law)
  })

  it('says where they are, also in steps of 2.5 %', () => {
    const labels = [0, -0.025, -0.05].map(percentReaderOf(labelWidth(0.025)))
    expect(labels).toEqual(['0.0 %', '-2.5 %', '-5.0 %'])
    expect([0, 0.02, 0.04].map(percentReaderOf(labelWidth(0.02)))).toEqual(['0 %', '2 %', '4 %'])
  })
})
