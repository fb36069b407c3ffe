/**
 * Generated markets are markets: every one of them is a tape that a run takes.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NEVER } from 'rxjs'
import { z } from 'zod'
import { defineStrategy } from '../../src/strategy/strategy.ts'
import { someCandles, someFaults, someTerms, someTrades } from '../../src/testing/generators/arbitraries.ts'
import { inspectedOf } from '../../src/testing/tapes/memory-tape.ts'
import { testStrategy } from '../../src/testing/test-strategy.ts'
import { runs } from '../property/property.ts'

const quiet = defineStrategy({ name: 'quiet', params: z.object({}), run: () => NEVER })
const scales = fc.constantFrom(1_000, 60_000, 86_400_000)
const precisions = fc.record({ pricePrecision: fc.nat(8), qtyPrecision: fc.nat(8) })

describe('a generated tape', () => {
  it('of trades is one that a run takes', async () => {
    const tape = fc.tuple(scales, precisions).chain(([scaleMs, digits]) => someTrades({ scaleMs, ...digits }))
    await fc.assert(
      fc.asyncProperty(tape, async (trades) => {
        expect((await testStrategy(quiet, { trades })).failure).toBeUndefined()
      }),
      { numRuns: runs(100) },
    )
  })

  it('of candles is one', () => {
    const tape = fc
      .tuple(scales, precisions)
      .chain(([scaleMs, digits]) => someCandles({ scaleMs, ...digits }).map((candles) => ({ candles, scaleMs })))
    fc.assert(
      fc.property(tape, ({ candles, scaleMs: intervalMs }) => {
        const { info } = inspectedOf({ where: 'it', symbol: 'A_B', rows: { kind: 'candles', candles, intervalMs } })
        expect(info).toMatchObject({ rows: candles.length, isAligned: true })
      }),
    )
  })
})

it('generated terms and faults are such as a run takes', async () => {
  await fc.assert(
    fc.asyncProperty(someTerms(), someFaults(), async (terms, faults) => {
      expect((await testStrategy(quiet, { trades: '100 101', ...terms, faults })).failure).toBeUndefined()
    }),
    { numRuns: runs(100) },
  )
})
