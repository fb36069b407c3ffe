/**
 * A drawdown that looks only where something can be new is the one that looks after every move.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DrawdownFold } from '../../../src/analysis/drawdown.ts'
import { WatchedDrawdown } from '../../../src/runtime/figures/watched-drawdown.ts'
import { runs } from '../../property/property.ts'

/** A mark that goes up or down, or a fill that changes what is held. */
const move = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('mark' as const), by: fc.integer({ min: -3, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mark' as const), by: fc.integer({ min: -90, max: 90 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), units: fc.integer({ min: 0, max: 3 }) }) },
)

const scene = fc.record({
  /** Equity units in a tick of the mark: from a few to far beyond what a double holds. */
  unit: fc.constantFrom(1n, 7n, 10n ** 9n + 7n, 2n ** 40n + 1n, 2n ** 51n - 1n, 2n ** 53n - 1n, 10n ** 30n + 1n),
  cash: fc.constantFrom(0n, 1n, 10n ** 4n, 2n ** 53n + 1n, 10n ** 32n + 3n),
  mark: fc.integer({ min: 1, max: 1_000 }),
  moves: fc.array(move, { maxLength: 300, size: 'max' }),
})

const exactOrInfinite = (units: bigint): number =>
  units <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units) : Number.POSITIVE_INFINITY

it('is the largest fall after any move, of equities of any size', () => {
  const reached = { peaks: 0, falls: 0, 'beyond 2^53': 0, 'without a look': 0, ruin: 0 }
  fc.assert(
    fc.property(scene, ({ unit, cash, mark: first, moves }) => {
      let [mark, units, looks] = [first, 1n, 0]
      const equity = (): bigint => cash + units * unit * BigInt(mark)
      const watched = new WatchedDrawdown(() => {
        looks += 1
        return equity()
      })
      const plain = new DrawdownFold()
      watched.look(0)
      plain.add(Number(equity()), 0)
      let peak = equity()
      for (const each of moves) {
        if (each.do === 'hold') {
          units = BigInt(each.units)
          watched.look(0)
        } else {
          const before = mark
          mark = Math.max(0, mark + each.by)
          if (mark === before || units === 0n) continue
          const looked = looks
          watched.move(exactOrInfinite(units * unit) * (mark - before), 0)
          if (looks === looked) reached['without a look'] += 1
        }
        const fell = plain.max.fraction
        plain.add(Number(equity()), 0)
        expect(watched.fraction).toBe(plain.max.fraction)
        if (plain.max.fraction > fell) reached.falls += 1
        if (equity() > peak) reached.peaks += 1
        if (equity() > 2n ** 53n) reached['beyond 2^53'] += 1
        if (equity() === 0n) reached.ruin += 1
        peak = equity() > peak ? equity() : peak
      }
    }),
    { numRuns: runs(1_000) },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})

it('looks seldom: at new peaks and at larger falls', () => {
  let [mark, looks, state] = [100_000, 0, 1]
  const watched = new WatchedDrawdown(() => {
    looks += 1
    return 10n ** 17n + BigInt(mark) * 10n ** 9n
  })
  watched.look(0)
  for (let trade = 0; trade < 20_000; trade += 1) {
    state = (state * 48_271) % 2_147_483_647
    const by = (state % 5) - 2
    mark += by
    watched.move(by * 1e9, 0)
  }
  expect(looks).toBeLessThan(1_000)
})

const stepOrTransfer = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mark' as const), by: fc.integer({ min: -40, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), to: fc.constantFrom(1n, 3n, 1_000n, 10n ** 9n, 10n ** 20n) }) }, // prettier-ignore
)

it('of a book whose capital comes and goes, is that of its equity continued across the transfers', () => {
  const reached = { falls: 0, 'a unit is left': 0 }
  fc.assert(
    fc.property(fc.array(stepOrTransfer, { maxLength: 60, size: 'max' }), (steps) => {
      let [cash, factor, held] = [10n ** 12n, 1, 0n]
      const equity = (): bigint => cash + held
      const watched = new WatchedDrawdown(equity)
      const plain = new DrawdownFold()
      watched.look(0)
      plain.add(Number(equity()), 0)
      for (const step of steps) {
        if (step.do === 'mark') {
          const change = (equity() * BigInt(step.by)) / 100n
          held += change
          watched.move(exactOrInfinite(change < 0n ? -change : change) * (change < 0n ? -1 : 1), 0)
        } else {
          const before = equity()
          cash = step.to - held
          factor *= Number(before) / Number(step.to)
          watched.rescale(before, step.to)
          if (step.to === 1n) reached['a unit is left'] += 1
        }
        plain.add(Number(equity()) * factor, 0)
        expect(watched.fraction).toBeCloseTo(plain.max.fraction, 10)
      }
      if (plain.max.fraction > 0.1) reached.falls += 1
    }),
    { numRuns: runs(500) },
  )
  for (const [corner, times] of Object.entries(reached)) expect(times, corner).toBeGreaterThan(0)
})

it('a book that gives away all but the smallest unit, and gets it back, keeps its fall', () => {
  let equity = 5_000_00000n
  const watched = new WatchedDrawdown(() => equity)
  const transfer = (after: bigint): void => {
    watched.rescale(equity, after)
    equity = after
  }
  const fall = (to: bigint): void => {
    equity = to
    watched.look(0)
  }
  watched.look(0)
  fall(4_000_00000n)
  transfer(1n)
  transfer(4_000_00000n)
  fall(3_000_00000n)
  expect(watched.fraction).toBe(0.4)
})
