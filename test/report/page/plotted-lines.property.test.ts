import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plottedBlocks, plottedLines, shown } from '../../../src/report/page/plotted-lines.ts'
import { thinnedLine } from '../../../src/report/page/thinned-line.ts'
import { PLOT_BLOCKS_HEADER, PlotBlocks, plotBlocks, plotRowsOf } from '../../../src/report/run/plot-blocks.ts'
import { PLOTS_HEADER, plotRow } from '../../../src/report/run/run-files.ts'
import { plotRowOf } from '../../../src/runtime/session/plot-commands.ts'
import { runs } from '../../property/property.ts'

const near = fc
  .tuple(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.integer({ min: 0, max: 12 }))
  .map(([units, decimals]) => units / 10 ** decimals)
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), near, fc.integer())

it('a plotted value has nine digits, as many as a chart shows', () => {
  fc.assert(
    fc.property(number, (value) => {
      expect(shown(value)).toBe(Number(value.toPrecision(9)))
    }),
    { numRuns: runs(2_000) },
  )
})

it('plotted values are read from their text as numbers, whatever their form', () => {
  const digits = fc.stringMatching(/^-?[0-9]{1,20}(\.[0-9]{1,20})?$/)
  const odd = fc.constantFrom('1.2e+70', '1.5.2', '.5', '.5.3', '7.', '-', '', 'x', '1.234567890123456x', '1.000000005')
  fc.assert(
    fc.property(fc.array(fc.oneof(number.map(String), digits, digits, odd), { minLength: 1 }), (texts) => {
      const csv = texts.map((text, index) => `${index},${index % 3 === 0 ? 'a' : 'b c'},${text}\n`).join('')
      const text = `time,name,value\n${csv}`
      const lines = plottedLines('plots.csv', () => text.match(/(?:.*\n){1,3}/g) ?? [])
      const of = (isOf: (index: number) => boolean) => ({
        times: [...texts.keys()].filter(isOf),
        values: texts.filter((_, index) => isOf(index)).map((text) => shown(Number(text))),
      })
      expect(lines.get('a')).toEqual(of((index) => index % 3 === 0))
      if (texts.length > 1) expect(lines.get('b c')).toEqual(of((index) => index % 3 !== 0))
    }),
    { numRuns: runs(2_000) },
  )
})

it('reads quoted names, and refuses a row with more or fewer fields than the header', () => {
  expect([...plottedLines('p', () => ['time,name,value\n1,"a, b",2\n']).keys()]).toEqual(['a, b'])
  for (const row of ['1,a', '1,a,2,3', '1']) {
    expect(() => plottedLines('p', () => [`time,name,value\n0,a,1\n${row}\n2,a,1\n`])).toThrow('fields')
  }
})

it('blocks of plotted values have every value exactly, and give the lines of plots.csv', () => {
  const value = fc.oneof(
    number,
    fc.stringMatching(/^-?[1-9][0-9]{0,24}\.[0-9]{0,24}[1-9]$/),
    fc.constantFrom('-0', '0'),
  )
  const name = fc.constantFrom('a', 'b, "c"', 'ä\nd')
  const point = fc.record({ step: fc.constantFrom(0, 60_000, 60_000, 60_000, 1), name, value })
  fc.assert(
    fc.property(fc.array(point), fc.constantFrom(1, 3_000), (drawn, times) => {
      let time = 1_600_000_000_000
      const points = Array.from({ length: times }, () => drawn).flatMap((each) =>
        each.map(({ step, ...rest }) => ({ ...rest, time: (time += step) })),
      )
      const blocks = new PlotBlocks()
      const text = [PLOT_BLOCKS_HEADER, ...points.map((each) => blocks.add(each)), blocks.finish()].join('')
      const pieces = () => text.match(/(?:.*\n){1,2}/g) ?? []
      const rows = points.map(plotRowOf)
      const read = [...plotRowsOf(plotBlocks('p', pieces()))]
      const csv = PLOTS_HEADER + rows.map((each) => plotRow(String(each.time), each.name, each.value)).join('')
      for (const line of new Set(rows.map((row) => row.name))) {
        expect(read.filter((row) => row.name === line)).toEqual(rows.filter((row) => row.name === line))
      }
      expect(read).toHaveLength(rows.length)
      expect([...plottedBlocks('p', pieces, 40)]).toEqual([...plottedLines('p', () => [csv], 40)])
    }),
    { numRuns: runs(40) },
  )
})

it('refuses a row that is not a block of plotted values', () => {
  for (const row of [
    '0,a,1,60000,2,,AAAAAAAA8D8=',
    '0,a,1,,1,,AAAAAAAA8D8=',
    'x,a,1,0,1,,AAAAAAAA8D8=',
    '0,a,1,0,1',
    '',
  ]) {
    expect(() => [...plotBlocks('p', [`${PLOT_BLOCKS_HEADER}${row}\n0,a,1,0,1,,AAAAAAAA8D8=\n`])]).toThrow('p:2')
  }
  expect(() => [...plotBlocks('p', ['time,name,value\n'])]).toThrow('header')
})

it('keeps of each stretch the first, the lowest, the highest and the last point', () => {
  const value = fc.option(fc.integer({ min: 0, max: 9 }))
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (values, most) => {
      const times = [...values.keys()]
      const kept = thinnedLine({ times, values }, most).times
      const stretches = values.length <= most ? times.length : Math.floor(most / 4)
      const chosen = Array.from({ length: stretches }, (_, at) => {
        const bound = (stretch: number) => Math.floor((stretch * times.length) / stretches)
        const indices = times.slice(bound(at), bound(at + 1))
        const numbers = indices.map((index) => values[index] ?? null).filter((each) => each !== null)
        const firstOf = (number: number) => indices.find((index) => values[index] === number) ?? -1
        const ends = numbers.length === 0 ? [] : [firstOf(Math.min(...numbers)), firstOf(Math.max(...numbers))]
        return [indices[0] ?? 0, ...ends, indices.at(-1) ?? 0]
      })
      expect(kept).toEqual([...new Set(chosen.flat())].sort((a, b) => a - b))
    }),
    { numRuns: runs(500) },
  )
})
