/**
 * Values that were computed once, by the definitions on generated candles, and kept: neither the indicators nor the
 * definitions drift from them unseen. `RENEW_VECTORS=1 npx vitest run test/strategy/indicators/vectors.test.ts` writes
 * them again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { casesOf, type Values } from './rig/cases.ts'
import { generatedCandles } from './rig/generated-candles.ts'
import type { Series } from './rig/naive.ts'

const FILE = new URL('vectors.json', import.meta.url)
const CASES = casesOf(5)
const candles = generatedCandles('walk', 48, 2024)

const rounded = (series: Series<Values>): readonly (Values | null)[] =>
  series.map((values) => values?.map((value) => (value === null ? null : Number(value.toPrecision(12)))) ?? null)

if (process.env.RENEW_VECTORS !== undefined) {
  const lines = CASES.map(({ name, naive }) => `"${name}": ${JSON.stringify(rounded(naive(candles)))}`)
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`)
}
const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, readonly (Values | null)[]>>

describe('kept values', () => {
  it.each(CASES)('of $name are what it gives, and what its definition says', ({ name, run, naive }) => {
    for (const series of [run(candles), naive(candles)]) {
      series.forEach((values, row) => {
        const expected = vectors[name]?.[row] ?? undefined
        expect(values?.length, `row ${row}`).toBe(expected?.length)
        values?.forEach((value, field) => {
          const other = expected?.[field] ?? null
          if (value === null || other === null) expect(value).toBe(other)
          else expect(Math.abs(value - other), `row ${row}`).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(other)))
        })
      })
    }
  })

  it('are of every indicator', () => {
    expect(Object.keys(vectors)).toEqual(CASES.map(({ name }) => name))
  })
})
