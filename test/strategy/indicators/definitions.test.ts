/**
 * Each indicator against its definition, row by row, on markets of every kind.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf, type Values } from './rig/cases.ts'
import { generatedCandles, WALKS, type Walk } from './rig/generated-candles.ts'
import type { Series } from './rig/naive.ts'

const KINDS = Object.keys(WALKS) as readonly Walk[]
const LENGTHS = [2, 3, 5, 14, 30]
/** Percentages and the like: not in the unit of the prices. */
const UNITLESS = [
  ...['rsi', 'zScore', 'correlation', 'williamsR', 'mfi', 'aroon', 'adx', 'obv', 'cci', 'roc', 'trix', 'stochastic'],
]

/** Largest size of what goes in: differences of it are known to so many parts of it and no better. */
function expectSame(actual: Series<Values>, expected: Series<Values>, scale: number, where: string): void {
  expect(actual.map((value) => value?.length)).toEqual(expected.map((value) => value?.length))
  actual.forEach((value, row) => {
    value?.forEach((number, field) => {
      const other = expected[row]?.[field]
      if (number === null || other === null || other === undefined) expect(number, `${where}, row ${row}`).toBe(other)
      else if (!(Math.abs(number - other) <= 1e-9 * Math.max(Math.abs(other), scale))) {
        expect.fail(`${where}, row ${row}, field ${field}: ${number} instead of ${other}`)
      }
    })
  })
}

describe.each(KINDS)('on %s', (kind) => {
  it.each(LENGTHS)('all agree with their definitions, length %i', (n) => {
    for (const seed of [1, 2, 3]) {
      const candles = generatedCandles(kind, 200, seed)
      const scale = Math.max(...candles.map(({ highNumber }) => highNumber))
      for (const { name, naive, run } of casesOf(n)) {
        const isOfScale = !UNITLESS.includes(name)
        expectSame(run(candles), naive(candles), isOfScale ? scale : 100, `${name}(${n}), seed ${seed}`)
      }
    }
  })
})

describe('the first value', () => {
  const candles = generatedCandles('walk', 120)
  it.each(LENGTHS)('comes with the row that the warm-up says, and one with every later row, length %i', (n) => {
    for (const { name, first, run, indicator } of casesOf(n)) {
      expect(indicator.warmup, name).toBe(first)
      expect(
        run(candles).map((value) => value !== undefined),
        name,
      ).toEqual(candles.map((_, row) => row >= first))
    }
  })
})

it('a value depends on nothing that comes later, wherever the series is cut', () => {
  const candles = generatedCandles('walk', 80, 7)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 2, max: 12 }), (cut, n) => {
      for (const { run } of casesOf(n)) expect(run(candles.slice(0, cut))).toEqual(run(candles).slice(0, cut))
    }),
    { numRuns: 25 },
  )
})

it.each([0, 1, 2])('a series of %i candles gives what there is, and no NaN', (length) => {
  const candles = generatedCandles('walk', length)
  for (const { run, naive } of casesOf(2)) expectSame(run(candles), naive(candles), 1e3, 'short')
})

it('no value is ever NaN or infinite', () => {
  for (const kind of KINDS) {
    for (const { name, run } of casesOf(4)) {
      const numbers = run(generatedCandles(kind, 100, 5)).flatMap((value) => value ?? [])
      expect(
        numbers.filter((number) => number !== null && !Number.isFinite(number)),
        `${name} on ${kind}`,
      ).toEqual([])
    }
  }
})
