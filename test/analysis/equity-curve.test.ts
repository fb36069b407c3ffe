import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EquityCurve, MAX_EQUITY_SAMPLES, equityStep } from '../../src/analysis/equity-curve.ts'
import type { EquitySample } from '../../src/analysis/equity-curve.ts'
import { ALL_CANDLE_INTERVALS } from '../../src/domain/candle.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

interface Change {
  readonly time: number
  readonly equity: bigint
}

/** Drives a recorder as a run does; `reads` counts how often it asked for the equity. */
function record(
  from: number,
  to: number,
  initial: bigint,
  changes: readonly Change[],
): { curve: EquityCurve; reads: number } {
  const curve = new EquityCurve(from, to)
  let present = initial
  let reads = 0
  const equity = (): bigint => {
    reads += 1
    return present
  }
  for (const change of changes) {
    curve.advance(change.time, equity)
    present = change.equity
  }
  curve.finish(equity)
  return { curve, reads }
}

describe('the step', () => {
  it.each`
    span              | step          | why
    ${0}              | ${SECOND}     | ${'a run without length'}
    ${1}              | ${SECOND}     | ${'shorter than a second'}
    ${1999 * SECOND}  | ${SECOND}     | ${'2000 samples are allowed'}
    ${1999_001}       | ${5 * SECOND} | ${'2001 are not'}
    ${1999 * HOUR}    | ${HOUR}       | ${'some 83 days by the hour'}
    ${1999 * DAY}     | ${DAY}        | ${'by the day'}
    ${1999 * DAY + 1} | ${2 * DAY}    | ${'beyond the longest interval by multiples of it'}
    ${19_990 * DAY}   | ${10 * DAY}   | ${'as many as it takes'}
  `('$why: $span ms -> $step ms', ({ span, step }: { span: number; step: number }) => {
    expect(equityStep(5, 5 + span)).toBe(step)
  })
})

describe('the curve', () => {
  it('samples what was known at each grid time, and at the end', () => {
    const changes = [
      { time: 1000, equity: 11n },
      { time: 1999, equity: 12n },
      { time: 2000, equity: 13n },
      { time: 2000, equity: 14n },
      { time: 2001, equity: 15n },
      { time: 5200, equity: 16n },
      { time: 5500, equity: 17n },
    ]
    const { curve, reads } = record(1000, 5500, 10n, changes)
    expect(curve.samples).toEqual([
      { time: 1000, equity: 11n },
      { time: 2000, equity: 14n },
      { time: 3000, equity: 15n },
      { time: 4000, equity: 15n },
      { time: 5000, equity: 15n },
      { time: 5500, equity: 17n },
    ])
    expect(curve.stepMs).toBe(1000)
    // Before 1999, before 2001, before 5200 (three samples at once), and at the end.
    expect(reads).toBe(4)
  })

  it('of a run without length is one sample', () => {
    expect(record(7, 7, 10n, [{ time: 7, equity: 11n }]).curve.samples).toEqual([{ time: 7, equity: 11n }])
  })

  it('ends at `to`, whatever comes later, and a second finish changes nothing', () => {
    const { curve } = record(0, 1000, 1n, [{ time: 3000, equity: 2n }])
    const expected = [
      { time: 0, equity: 1n },
      { time: 1000, equity: 1n },
    ]
    expect(curve.samples).toEqual(expected)
    curve.finish(() => 3n)
    curve.advance(4000, () => 3n)
    expect(curve.samples).toEqual(expected)
  })

  it('refuses a period that goes back or is not in milliseconds', () => {
    expect(() => new EquityCurve(2, 1)).toThrow('cannot go back from 2 to 1')
    expect(() => new EquityCurve(0.5, 1)).toThrow('not in milliseconds')
  })

  it('equals naive sampling: the last change at or before each grid time', () => {
    const reached = {
      onGrid: 0,
      sameTime: 0,
      severalAtOnce: 0,
      beforeFrom: 0,
      afterTo: 0,
      shortLastStep: 0,
      longStep: 0,
    }
    fc.assert(
      fc.property(runs(), ({ from, to, changes }) => {
        const { curve, reads } = record(from, to, 0n, changes)
        expect(curve.samples).toEqual(naiveCurve(from, to, curve.stepMs, changes))
        expect(reads).toBeLessThanOrEqual(Math.min(changes.length + 1, curve.samples.length))
        const offset = ({ time }: Change): number => time - from
        reached.onGrid += changes.filter((change) => offset(change) > 0 && offset(change) % curve.stepMs === 0).length
        reached.sameTime += changes.filter(({ time }, index) => changes[index - 1]?.time === time).length
        if (reads < curve.samples.length) reached.severalAtOnce += 1
        if (changes.some(({ time }) => time < from)) reached.beforeFrom += 1
        if (changes.some(({ time }) => time > to)) reached.afterTo += 1
        if ((to - from) % curve.stepMs > 0) reached.shortLastStep += 1
        if (curve.stepMs > SECOND) reached.longStep += 1
      }),
      { numRuns: 200 },
    )
    for (const [corner, count] of Object.entries(reached)) expect(count, corner).toBeGreaterThan(0)
  })

  it('never has more than 2000 samples, has both ends, and could not have a smaller step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 0, max: 4e12 }), (from, span) => {
        const { samples, stepMs } = record(from, from + span, 1n, []).curve
        expect(samples.length).toBeLessThanOrEqual(MAX_EQUITY_SAMPLES)
        expect(samples.at(0)?.time).toBe(from)
        expect(samples.at(-1)?.time).toBe(from + span)
        if (stepMs > SECOND) expect(Math.ceil(span / smallerStep(stepMs)) + 1).toBeGreaterThan(MAX_EQUITY_SAMPLES)
      }),
      { numRuns: 50 },
    )
  })
})

/** The next smaller step that the grid could have had. */
const smallerStep = (stepMs: number): number =>
  stepMs > DAY ? stepMs - DAY : (Object.values(ALL_CANDLE_INTERVALS).findLast((step) => step < stepMs) ?? 0)

interface Run {
  readonly from: number
  readonly to: number
  readonly changes: readonly Change[]
}

/** Quarter steps of the grid, so that changes often fall on a grid time and on each other. */
const runs = (): fc.Arbitrary<Run> =>
  fc
    .record({
      unit: fc.constantFrom(250, 1250, 450_000),
      from: fc.integer({ min: 0, max: 3 }),
      length: fc.integer({ min: 0, max: 8000 }),
      times: fc.array(fc.integer({ min: -20, max: 40 }), { maxLength: 30 }),
    })
    .map(({ unit, from, length, times }) => {
      const start = 1_700_000_000_000 + from
      const changes = times
        .map((quarter) => start + quarter * unit)
        .toSorted((a, b) => a - b)
        .map((time, index) => ({ time, equity: BigInt(index + 1) }))
      return { from: start, to: start + (length % 61) * unit + (length > 4000 ? 3000 * unit : 0), changes }
    })

function naiveCurve(from: number, to: number, step: number, changes: readonly Change[]): EquitySample[] {
  const grid = [...Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step), to]
  return grid.map((time) => ({ time, equity: changes.findLast((change) => change.time <= time)?.equity ?? 0n }))
}

describe('a curve whose end is not known', () => {
  it('has a sample a second, and one at its end', () => {
    const curve = new EquityCurve(1_000, undefined)
    curve.advance(2_500, () => 5n)
    curve.advance(3_100, () => 7n)
    curve.finish(() => 9n, 3_400)
    expect(curve.samples).toEqual([
      { time: 1_000, equity: 5n },
      { time: 2_000, equity: 5n },
      { time: 3_000, equity: 7n },
      { time: 3_400, equity: 9n },
    ])
  })

  it('that ends where its last sample is has no second one there', () => {
    const curve = new EquityCurve(0, undefined)
    curve.advance(1_500, () => 5n)
    curve.finish(() => 9n, 1_000)
    expect(curve.samples.map(({ time }) => time)).toEqual([0, 1_000])
  })

  it('keeps a bounded number of samples, each with what a curve of that step would have', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 2_000_000 }), fc.bigInt({ min: 0n, max: 9n })), { maxLength: 20 }),
        (changes) => {
          const open = new EquityCurve(0, undefined)
          const steps: (readonly [number, bigint])[] = [[0, 0n]]
          let time = 0
          let equity = 0n
          for (const [afterMs, next] of changes) {
            time += afterMs
            open.advance(time, () => equity)
            equity = next
            steps.push([time, equity])
          }
          open.finish(() => equity, time)
          expect(open.samples.length).toBeLessThanOrEqual(MAX_EQUITY_SAMPLES)
          expect(open.samples.at(-1)?.time).toBe(time)
          open.samples.forEach((sample, index) => {
            if (index < open.samples.length - 1) expect(sample.time).toBe(index * open.stepMs)
            // What changed at the very time of a sample is in it.
            expect(sample.equity).toBe(steps.findLast(([at]) => at <= sample.time)?.[1])
          })
        },
      ),
    ))
})
